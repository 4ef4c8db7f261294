#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};
static struct account account = {PTHREAD_MUTEX_INITIALIZER, 10};

static void deposit(int amount) {
  account.balance += amount;
}

static void *clerk(void *unused) {
  pthread_mutex_lock(&account.lock);
  deposit(5);
  pthread_mutex_unlock(&account.lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, clerk, 0);
  deposit(7);
  pthread_join(t, 0);
  return 0;
}

/* bank.c without its bugs: a deposit is one critical section, and locks are taken in the order of the accounts' numbers.
 *
 *     heddle check bank-fixed.c */
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int number;
  int balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 1, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 2, 100};

static void deposit(struct account *a, int amount) {
  pthread_mutex_lock(&a->lock);
  a->balance += amount;
  pthread_mutex_unlock(&a->lock);
}

static void transfer(struct account *from, struct account *to, int amount) {
  struct account *first = from->number < to->number ? from : to;
  struct account *second = first == from ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}

static void *branch_office(void *unused) {
  (void)unused;
  transfer(&alice, &bob, 30);
  deposit(&alice, 50);
  return NULL;
}

static void *online_banking(void *unused) {
  (void)unused;
  transfer(&bob, &alice, 20);
  return NULL;
}

int main(void) {
  pthread_t office, online;
  pthread_create(&office, NULL, branch_office, NULL);
  pthread_create(&online, NULL, online_banking, NULL);
  pthread_join(office, NULL);
  pthread_join(online, NULL);
  assert(alice.balance + bob.balance == 250);
  return 0;
}

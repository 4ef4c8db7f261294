/* A bank with two bugs that a test run hardly ever shows: a transfer can be lost, and two transfers can wait for each other for ever.
 *
 *     heddle check bank.c
 *
 * bank-fixed.c is the same bank without them. */
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static int read_balance(struct account *a) {
  pthread_mutex_lock(&a->lock);
  int balance = a->balance;
  pthread_mutex_unlock(&a->lock);
  return balance;
}

static void write_balance(struct account *a, int balance) {
  pthread_mutex_lock(&a->lock);
  a->balance = balance;
  pthread_mutex_unlock(&a->lock);
}

/* Every access is under the lock, and still a deposit is lost if another one comes between reading and writing. */
static void deposit(struct account *a, int amount) {
  int balance = read_balance(a);
  write_balance(a, balance + amount);
}

/* Locks both accounts, the payer's first: two transfers in opposite directions may each hold what the other one needs. */
static void transfer(struct account *from, struct account *to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
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

/* Account: OWNERS threads, an account each. An owner deposits, withdraws, and transfers to the next owner's account; each method locks
 * the account that it is called on, but a transfer changes the other account, too, whose lock it does not hold. So an update of the
 * other's account can be lost: an atomicity violation, and races. */
#include <heddle.h>
#include <pthread.h>

#ifndef OWNERS
#define OWNERS 4
#endif
#ifndef TRANSFERS
#define TRANSFERS OWNERS /* owners that transfer */
#endif

struct account {
  pthread_mutex_t lock;
  int amount;
};

static struct account accounts[OWNERS];

static void deposit(struct account *a, int money) {
  pthread_mutex_lock(&a->lock);
  a->amount += money;
  pthread_mutex_unlock(&a->lock);
}

static void withdraw(struct account *a, int money) {
  pthread_mutex_lock(&a->lock);
  a->amount -= money;
  pthread_mutex_unlock(&a->lock);
}

static void transfer(struct account *a, struct account *to, int money) {
  pthread_mutex_lock(&a->lock);
  a->amount -= money;
  to->amount += money; /* the bug */
  pthread_mutex_unlock(&a->lock);
}

static void *manage(void *argument) {
  long me = (long)argument;
  deposit(&accounts[me], 300);
  withdraw(&accounts[me], 100);
  if (me < TRANSFERS) transfer(&accounts[me], &accounts[(me + 1) % OWNERS], 99);
  return 0;
}

int main(void) {
  pthread_t thread[OWNERS];
  for (int i = 0; i < OWNERS; i++) pthread_mutex_init(&accounts[i].lock, 0);
  for (long i = 0; i < OWNERS; i++) pthread_create(&thread[i], 0, manage, (void *)i);
  for (int i = 0; i < OWNERS; i++) pthread_join(thread[i], 0);
  for (int i = 0; i < OWNERS; i++) {
    int sent = i < TRANSFERS, received = (i + OWNERS - 1) % OWNERS < TRANSFERS;
    hd_assert(accounts[i].amount == 200 - 99 * sent + 99 * received);
  }
  return 0;
}

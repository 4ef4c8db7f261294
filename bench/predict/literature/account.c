/* After "account" of the IBM benchmark: a transfer locks the account that it takes from, and not the one that it gives to. A supervisor
 * sums all up under a lock of its own. */
#include "shared.h"

#define ACCOUNTS 2

struct account {
  pthread_mutex_t lock;
  long balance;
  int transfers; /* told to the supervisor, too */
};

static struct account accounts[ACCOUNTS] = {{PTHREAD_MUTEX_INITIALIZER, 300, 0}, {PTHREAD_MUTEX_INITIALIZER, 300, 0}};
static pthread_mutex_t books = PTHREAD_MUTEX_INITIALIZER;
static long turnover;
static int closed; /* the books are: no entries any more */

static void deposit(struct account *a, long amount) {
  pthread_mutex_lock(&a->lock);
  a->balance += amount;
  pthread_mutex_unlock(&a->lock);
}

static void transfer(struct account *from, struct account *to, long amount) {
  pthread_mutex_lock(&from->lock);
  from->balance -= amount;
  to->balance += amount; /* without to's lock */
  from->transfers++;
  pthread_mutex_unlock(&from->lock);
}

static void enter(long amount) {
  pthread_mutex_lock(&books);
  turnover += amount;
  pthread_mutex_unlock(&books);
}

static void *customer(void *argument) {
  int self = number_of(argument);
  deposit(&accounts[self], 100);
  transfer(&accounts[self], &accounts[1 - self], 50);
  enter(150);
  if (self == 0) closed = accounts[0].transfers > 1;
  return NULL;
}

int main(void) {
  pthread_t threads[ACCOUNTS];
  for (int i = 0; i < ACCOUNTS; i++) start(&threads[i], customer, i);
  wait_a_moment();
  pthread_mutex_lock(&books);
  long seen = turnover;
  pthread_mutex_unlock(&books);
  int busy = accounts[0].transfers + accounts[1].transfers;
  for (int i = 0; i < ACCOUNTS; i++) pthread_join(threads[i], NULL);
  printf("balances %ld and %ld, turnover %ld; before: %ld, %d transfers, closed %d\n", accounts[0].balance, accounts[1].balance, turnover,
         seen, busy, closed);
  return 0;
}

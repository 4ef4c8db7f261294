/* After "airline" of the IBM benchmark: agents sell seats of a flight until a flag says that it is full. The flag is tested outside the
 * lock under which seats are counted and set there, and one agent's bonus is paid by a number that it reads without the lock. */
#include "shared.h"

#define SEATS  6
#define AGENTS 10

static int sold, oversold;
static volatile int stop_sales;
static int last_agent;    /* who sold last */
static int bonus[AGENTS]; /* seats that had been sold when the agent was done */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A seat is sold; the last one closes the flight. */
static void sell(int agent) {
  pthread_mutex_lock(&lock);
  sold++;
  if (sold > SEATS) oversold++;
  pthread_mutex_unlock(&lock);
  last_agent = agent;
}

static void close_if_full(void) {
  pthread_mutex_lock(&lock);
  int full = sold >= SEATS;
  pthread_mutex_unlock(&lock);
  if (full) stop_sales = 1;
}

static void *agent(void *argument) {
  int self = number_of(argument);
  if (!stop_sales) {
    sell(self);
    close_if_full();
  }
  bonus[self] = sold;
  return NULL;
}

int main(void) {
  run_all(agent, AGENTS);
  int paid = 0;
  for (int i = 0; i < AGENTS; i++) paid += bonus[i];
  printf("%d sold of %d, %d too many; the last by %d; bonus %d\n", sold, SEATS, oversold, last_agent, paid);
  return 0;
}

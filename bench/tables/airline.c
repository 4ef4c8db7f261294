/* Airline: SELLERS threads sell TICKETS each while there are seats, of which there is one too few. Whether one is left is asked in
 * one section and it is sold in another: oversold. No access races. */
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef SELLERS
#define SELLERS 5
#endif
#ifndef TICKETS
#define TICKETS 1 /* that each seller tries to sell */
#endif
#define SEATS (SELLERS * TICKETS - 1)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sold;

static bool seats_left(void) {
  pthread_mutex_lock(&lock);
  bool left = sold < SEATS;
  pthread_mutex_unlock(&lock);
  return left;
}

static void *seller(void *unused) {
  (void)unused;
  for (int i = 0; i < TICKETS && seats_left(); i++) {
    pthread_mutex_lock(&lock);
    sold++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t thread[SELLERS];
  for (int i = 0; i < SELLERS; i++) pthread_create(&thread[i], 0, seller, 0);
  for (int i = 0; i < SELLERS; i++) pthread_join(thread[i], 0);
  hd_assert(sold <= SEATS);
  return 0;
}

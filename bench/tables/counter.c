/* Counter: one thread adds to a variable MAX times and another subtracts (thesis, beginning of chapter 4). Nothing depends on what they
 * read but what they write. The accesses race, and updates are lost. */
#include <heddle.h>
#include <pthread.h>

#ifndef MAX
#define MAX 5
#endif

static int counter;

static void *up(void *unused) {
  (void)unused;
  int i = 0;
  while (i++ < MAX) counter += 1;
  return 0;
}

static void *down(void *unused) {
  (void)unused;
  int i = 0;
  while (i++ < MAX) counter -= 1;
  return 0;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], 0, up, 0);
  pthread_create(&thread[1], 0, down, 0);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], 0);
  hd_assert(counter == 0);
  return 0;
}

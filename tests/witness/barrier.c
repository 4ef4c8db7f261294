/* Each thread fills its part, and in the next round reads its neighbour's; the total is everybody's at once.
 * confirms: data-race 1 */
#include <pthread.h>

enum { THREADS = 3 };
static pthread_barrier_t round_over;
int part[THREADS], total;

static void *work(void *number) {
  long i = (long)number;
  part[i] = (int)i + 1;
  pthread_barrier_wait(&round_over);
  int next = part[(i + 1) % THREADS];
  pthread_barrier_wait(&round_over);
  total += next;
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  pthread_barrier_init(&round_over, NULL, THREADS);
  for (long i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return 0;
}

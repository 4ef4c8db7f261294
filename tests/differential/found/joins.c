/* Two threads join a third one, one of them for a time: whichever comes second is wrong. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
static pthread_t kept; static atomic_int c; static const struct timespec soon;
static void *short_life(void *x) { c++; return x; }
static void *first(void *x) { pthread_timedjoin_np(kept, 0, &soon); return 0; }
static void *second(void *x) { pthread_join(kept, 0); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&kept, 0, short_life, 0);
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}

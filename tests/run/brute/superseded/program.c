/* For tests/run/brute/pairs: which lines race is said there. Programs 0 and 1: the two reads have nothing between them, so an exploration names
 * the second one alone; in program 1 neither races. Program 2: between them the mutex is given back that the writer takes. */
#include <pthread.h>
#include <stdlib.h>

static int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *reads(void *x) {
  volatile int r = 0;
  r = a;
  r = a;
  pthread_mutex_lock(&m);
  b = 1;
  pthread_mutex_unlock(&m);
  (void)r;
  return x;
}
static void *reads_under(void *x) {
  volatile int r = 0;
  pthread_mutex_lock(&m);
  r = a;
  b = 1;
  pthread_mutex_unlock(&m);
  r = a;
  (void)r;
  return x;
}
static void *writes(void *x) {
  int seen;
  pthread_mutex_lock(&m);
  seen = b;
  pthread_mutex_unlock(&m);
  if (seen) a = 1;
  return x;
}
static void *writes_racing(void *x) {
  if (b) a = 2;
  return x;
}

int main(int argc, char **argv) {
  static void *(*const of[][2])(void *) = {{reads, writes_racing}, {reads, writes}, {reads_under, writes}};
  pthread_t t[2];
  (void)argc;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, of[atoi(argv[1])][i], 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}

/* finds: data race A B, data race C D; fixed: nothing. Numbers of ten bytes, and structures copied as a whole. */
#include <pthread.h>

struct three {
  long a, b, c;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long double number = 1;
static struct three all, other = {1, 2, 3};

static void lock(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
}
static void unlock(void) {
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
#endif
}

static void *first(void *argument) {
  lock();
  number = 2; /* @A */
  all = other; /* @C */
  unlock();
  return argument;
}
static void *second(void *argument) {
  lock();
  number = 3; /* @B */
  all.c = 4;  /* @D */
  unlock();
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return number < 1 || all.a != 1;
}

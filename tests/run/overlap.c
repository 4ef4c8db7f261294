/* finds: data race A B; fixed: nothing. A byte of a word that another thread writes as a whole. */
#include <pthread.h>

static volatile union {
  long whole;
  char bytes[8];
} word;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
}
static void leave(void) {
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  (void)lock;
}
static void *whole(void *argument) {
  enter();
  word.whole = 7; /* @A */
  leave();
  return argument;
}
static void *byte(void *argument) {
  enter();
  word.bytes[5] = 1; /* @B */
  leave();
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, whole, NULL);
  pthread_create(&b, NULL, byte, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}

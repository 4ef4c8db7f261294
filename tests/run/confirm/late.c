/* confirms: use after free A B; fixed: nothing. The section that uses it is the 390th of a loop. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { ITEMS = 400, LAST = 390 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *items[ITEMS];

static void *uses(void *argument) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&m);
    if (items[i]) *items[i] = i; /* @A */
    pthread_mutex_unlock(&m);
  }
  return argument;
}

static void *ends(void *argument) {
  usleep(50000);
  pthread_mutex_lock(&m);
  int *p = items[LAST];
#ifdef FIXED
  items[LAST] = NULL;
#endif
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  free(p); /* @B */
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  for (int i = 0; i < ITEMS; i++) items[i] = malloc(sizeof *items[i]);
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}

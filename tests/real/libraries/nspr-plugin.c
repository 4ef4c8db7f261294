/* The library that nspr-dlopen.c loads. */
#include <pthread.h>
static int calls;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static __thread int mine;
int plug(void) {
#ifndef UNLOCKED
  pthread_mutex_lock(&m);
#endif
  int n = ++calls;
  mine++;
#ifndef UNLOCKED
  pthread_mutex_unlock(&m);
#endif
  return mine == 1 ? n : -1;
}

// errno and thread-local variables belong to each thread alone.
// verdict: SAFE
// executions: 1 dpor
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int mine;

static void *work(void *unused) {
  (void)unused;
  mine++;
  errno = 0;
  (void)strtol("99999999999999999999999", 0, 10);
  return errno == ERANGE && mine == 1 ? 0 : &mine;
}

int main(void) {
  pthread_t t[2];
  void *result[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], &result[i]);
  return result[0] || result[1];
}

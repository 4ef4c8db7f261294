/* A write under a lock that others hold, too: both are readers. */
#include "launch.h"
static pthread_rwlock_t table_lock;
int value;

static void *work(void *data) {
  pthread_rwlock_rdlock(&table_lock);
  value = 1;
  pthread_rwlock_unlock(&table_lock);
  moment_reach(0);
  return data;
}

int main(void) {
  pthread_rwlock_init(&table_lock, NULL);
  pthread_t t;
  launch(0, &t, work, NULL);
  pthread_rwlock_rdlock(&table_lock);
  value = 2;
  pthread_rwlock_unlock(&table_lock);
  pthread_join(t, NULL);
  return 0;
}

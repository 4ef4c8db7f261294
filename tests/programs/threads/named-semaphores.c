// Named semaphores: one for all who open the name, until it is unlinked and closed.
// verdict: SAFE
// case: closed -DCLOSED
// verdict: BUG
// finding: use-after-free A
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static int value;

static void *work(void *unused) {
  sem_t *ready = sem_open("/ready", 0);
  assert(ready != SEM_FAILED);
  value = 1;
  sem_post(ready);
  sem_close(ready);
  return unused;
}

int main(void) {
  pthread_t t;
  assert(sem_open("/ready", 0) == SEM_FAILED && errno == ENOENT);
  sem_t *ready = sem_open("/ready", O_CREAT, 0600, 0);
  assert(ready != SEM_FAILED && sem_open("/ready", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
  pthread_create(&t, 0, work, 0);
  sem_wait(ready);
  assert(value == 1);
  pthread_join(t, 0);
  assert(sem_unlink("/ready") == 0 && sem_unlink("/ready") == -1);
  sem_t *other = sem_open("/ready", O_CREAT, 0600, 1);
  assert(other != ready && sem_trywait(other) == 0 && sem_trywait(ready) == -1);
  assert(sem_close(ready) == 0);
#ifdef CLOSED
  sem_post(ready);  // @A
#endif
  return 0;
}

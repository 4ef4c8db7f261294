/* finds: data race A B; fixed: nothing. A barrier that another process comes to as well: who is of one round is not known here, but what was told before it is known behind it. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 20 };
static pthread_barrier_t *barrier;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared[ROUNDS], early;

static void *first(void *argument) {
  for (int i = 0; i < ROUNDS; i++) {
    shared[i] = i;
    if (i == 0) {
      pthread_mutex_lock(&a);
      pthread_mutex_lock(&b);
      pthread_mutex_unlock(&b);
      pthread_mutex_unlock(&a);
      early = 1; /* @A */
    }
    pthread_barrier_wait(barrier);
  }
  return argument;
}
static void *second(void *argument) {
  int sum = 0;
#ifdef BROKEN
  sum += early; /* @B */
#endif
  for (int i = 0; i < ROUNDS; i++) {
    pthread_barrier_wait(barrier);
    sum += shared[i];
  }
  pthread_mutex_lock(&b); /* the barrier keeps this from what the first thread did */
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return sum < 0 ? argument : NULL;
}

int main(void) {
  barrier = mmap(NULL, sizeof *barrier, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  if (barrier == MAP_FAILED || pthread_barrier_init(barrier, &attributes, 3)) return 1;
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < ROUNDS; i++) pthread_barrier_wait(barrier);
    _exit(0);
  }
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  int status;
  return waitpid(child, &status, 0) != child || status != 0;
}

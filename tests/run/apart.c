/* finds: nothing. Two orders that never meet: in one thread, before a thread is created, after it was joined, on two sides of a barrier,
 * in a child process; and of locks that came where others had been. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct locks {
  pthread_mutex_t a, b;
};

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}
static struct locks *locks(void) {
  struct locks *l = malloc(sizeof *l);
  pthread_mutex_init(&l->a, NULL);
  pthread_mutex_init(&l->b, NULL);
  return l;
}

static void *forwards(void *argument) {
  struct locks *l = argument;
  both(&l->a, &l->b);
  return NULL;
}
static void *backwards(void *argument) {
  struct locks *l = argument;
  both(&l->b, &l->a);
  return NULL;
}
static void run(void *(*function)(void *), void *argument) {
  pthread_t t;
  pthread_create(&t, NULL, function, argument);
  pthread_join(t, NULL);
}
/* The thread that joins is not the one that goes on. */
static void *deeper(void *argument) {
  run(forwards, argument);
  return NULL;
}

static pthread_barrier_t barrier;
static void *before_barrier(void *argument) {
  forwards(argument);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return NULL;
}
static void *after_barrier(void *argument) {
  pthread_barrier_wait(&barrier);
  backwards(argument);
  pthread_barrier_wait(&barrier);
  return NULL;
}

static void *in_child(void *argument) {
  struct locks *l = argument;
  both(&l->a, &l->b);
  pid_t pid = fork();
  if (pid == 0) {
    run(backwards, l);
    _exit(0);
  }
  waitpid(pid, NULL, 0);
  return NULL;
}

static void *renewed(void *argument) {
  struct locks *l = argument;
  for (int i = 0; i < 1000; i++) {
    pthread_mutex_init(&l->a, NULL), pthread_mutex_init(&l->b, NULL);
    if (i % 2)
      forwards(l);
    else
      backwards(l);
    pthread_mutex_destroy(&l->a), pthread_mutex_destroy(&l->b);
  }
  return NULL;
}

int main(void) {
  struct locks *l = locks();
  forwards(l), backwards(l);
  l = locks();
  forwards(l), run(backwards, l), forwards(l);
  l = locks();
  run(deeper, l), run(backwards, l);
  l = locks();
  pthread_t t, u;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&t, NULL, before_barrier, l);
  pthread_create(&u, NULL, after_barrier, l);
  pthread_join(t, NULL), pthread_join(u, NULL);
  run(in_child, locks());
  run(renewed, locks()), run(renewed, locks());
  return 0;
}

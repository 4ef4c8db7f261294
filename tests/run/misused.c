/* finds: use of a lock that the thread does not hold A, use of a lock that the thread does not hold B, use of a lock that the thread does not hold C, destruction of a lock that is held D E, use of a destroyed lock F G, use of a destroyed lock H G, destruction of a lock that is held K L; fixed: nothing. Locks that are not used as POSIX says. */
#include <pthread.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER, others = PTHREAD_MUTEX_INITIALIZER, locked, gone;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock;

static void *gives_back(void *argument) {
#ifndef FIXED
  pthread_mutex_unlock(&others); /* @B */
#endif
  return argument;
}

/* As it should be: recursive locks, robust ones, handlers of fork(). */
static pthread_mutex_t of_fork = PTHREAD_MUTEX_INITIALIZER;
static void before(void) { pthread_mutex_lock(&of_fork); }
static void after(void) { pthread_mutex_unlock(&of_fork); }
static void *correct(void *argument) {
  pthread_mutexattr_t a;
  pthread_mutex_t r;
  mtx_t m;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&r, &a);
  for (int i = 0; i < 3; i++) pthread_mutex_lock(&r);
  for (int i = 0; i < 3; i++) pthread_mutex_unlock(&r);
  pthread_mutex_destroy(&r);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&r, &a);
  pthread_mutex_lock(&r);
  pthread_mutex_lock(&r); /* is refused */
  pthread_mutex_unlock(&r);
  pthread_mutex_destroy(&r);
  mtx_init(&m, mtx_plain);
  mtx_lock(&m);
  mtx_unlock(&m);
  mtx_destroy(&m);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&spin, 0);
  pthread_rwlock_init(&rwlock, NULL);
  pthread_atfork(before, after, after);
#ifdef FIXED
  pthread_mutex_lock(&never);
  pthread_spin_lock(&spin);
#endif
  pthread_mutex_unlock(&never); /* @A */
  pthread_spin_unlock(&spin); /* @C */
  pthread_mutex_lock(&others);
  pthread_create(&t, NULL, gives_back, NULL);
  pthread_join(t, NULL);
#ifdef FIXED
  pthread_mutex_unlock(&others);
#endif
  pthread_mutex_init(&locked, NULL);
  pthread_mutex_lock(&locked); /* @E */
#ifdef FIXED
  pthread_mutex_unlock(&locked);
#endif
  pthread_mutex_destroy(&locked); /* @D */
  pthread_mutex_init(&gone, NULL);
#ifndef FIXED
  pthread_mutex_destroy(&gone); /* @G */
#endif
  pthread_mutex_lock(&gone); /* @F */
#ifdef FIXED
  pthread_mutex_unlock(&gone);
#endif
  pthread_mutex_destroy(&gone); /* @H */
  pthread_rwlock_wrlock(&rwlock); /* @L */
#ifdef FIXED
  pthread_rwlock_unlock(&rwlock);
#endif
  pthread_rwlock_destroy(&rwlock); /* @K */
  pthread_create(&t, NULL, correct, NULL);
  pthread_join(t, NULL);
  int status = 1;
  pid_t child = fork();
  if (child == 0) _exit(0);
  return waitpid(child, &status, 0) == child ? status : 1;
}

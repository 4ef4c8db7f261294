/* Pool: threads borrow an object of a pool that may make LARGEST. The pool looks whether it may make one in one section, and counts the
 * one that it made in another, so that it makes too many. With RETURNED the borrowers give them back, and the next one gets them. No
 * access races. */
#include <heddle.h>
#include <pthread.h>

#ifndef BORROWERS
#define BORROWERS 2
#endif
#ifndef LARGEST
#define LARGEST 1
#endif
#define NONE (-1)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int active, made, idle = NONE;

/* The number of an object; NONE: the pool is exhausted. */
static int borrow(void) {
  pthread_mutex_lock(&lock);
  int object = idle;
  idle = NONE;
  int allowed = active < LARGEST;
  if (object != NONE) active++;
  pthread_mutex_unlock(&lock);
  if (object != NONE || !allowed) return object;
  pthread_mutex_lock(&lock);
  active++;
  object = made++;
  pthread_mutex_unlock(&lock);
  return object;
}

#ifdef RETURNED
static void give_back(int object) {
  pthread_mutex_lock(&lock);
  active--;
  idle = object;
  pthread_mutex_unlock(&lock);
}
#endif

static void *borrower(void *unused) {
  (void)unused;
#ifdef RETURNED
  int object = borrow();
  if (object != NONE) give_back(object);
#else
  borrow();
#endif
  return 0;
}

int main(void) {
  pthread_t thread[BORROWERS];
  for (int i = 0; i < BORROWERS; i++) pthread_create(&thread[i], 0, borrower, 0);
  for (int i = 0; i < BORROWERS; i++) pthread_join(thread[i], 0);
  hd_assert(made <= LARGEST);
  return 0;
}

// Locks a normal mutex twice.
// verdict: BUG
// finding: deadlock A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

#ifdef FIXED
static pthread_mutex_t lock;
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif
static int depth;

static void visit(int level) {
  pthread_mutex_lock(&lock);  // @A
  depth++;
  if (level) visit(level - 1);
  pthread_mutex_unlock(&lock);
}

int main(void) {
#ifdef FIXED
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
#endif
  visit(1);
  return depth != 2;
}

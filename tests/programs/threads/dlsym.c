// A program finds its own functions, and those of the C library, by their names; a name that nobody has is an error, and no function.
// verdict: SAFE
// case: unlocked -DUNLOCKED
// verdict: BUG
// finding: data-race
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int (*locks)(pthread_mutex_t *), (*unlocks)(pthread_mutex_t *);
int counter;

void *work(void *unused) {
#ifndef UNLOCKED
  locks(&m);
#endif
  counter++;
#ifndef UNLOCKED
  unlocks(&m);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  void *self = dlopen(NULL, RTLD_NOW);
  void *(*run)(void *) = (void *(*)(void *))dlsym(self, "work");
  size_t (*length)(const char *) = (size_t (*)(const char *))dlsym(RTLD_DEFAULT, "strlen");
  locks = (int (*)(pthread_mutex_t *))dlsym(RTLD_DEFAULT, "pthread_mutex_lock");
  unlocks = (int (*)(pthread_mutex_t *))dlsym(RTLD_DEFAULT, "pthread_mutex_unlock");
  assert(run && locks && unlocks && length && length("four") == 4);
  assert(dlsym(self, "counter") == &counter);
  assert(!dlsym(RTLD_DEFAULT, "nobody_has_this") && strstr(dlerror(), "nobody_has_this") && !dlerror());
  pthread_create(&t, 0, run, 0);
  run(0);
  pthread_join(t, 0);
  return 0;
}

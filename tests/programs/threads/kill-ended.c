// A signal to a thread that may have ended (and is still to be joined): dpor saw it ended only.
// verdict: BUG
// options: --strategy=dpor
// finding: assertion sent
// case: maximal
// verdict: BUG
// finding: assertion sent
// case: fixed -DFIXED
// verdict: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static _Atomic pthread_t target;
static atomic_int alive;

static void *sender(void *unused) {
  pthread_t t = atomic_load(&target);
  if (!t) return unused;
  int sent = pthread_kill(t, SIGUSR1);
#ifdef FIXED
  assert(sent == 0 || sent == ESRCH);
#else
  assert(sent != 0); /* @sent */
#endif
  return unused;
}

static void *receiver(void *unused) {
  atomic_store(&target, pthread_self());
  atomic_fetch_add(&alive, 1);
  return unused;
}

int main(void) {
  pthread_t s, r;
  sigset_t usr;
  sigemptyset(&usr);
  sigaddset(&usr, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &usr, NULL);
  pthread_create(&s, NULL, sender, NULL);
  pthread_create(&r, NULL, receiver, NULL);
  pthread_join(r, NULL);
  pthread_join(s, NULL);
}

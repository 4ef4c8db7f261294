// Scopes end, and begin again, also while there is one thread alone: before others are created, and after they were joined.
// verdict: BUG
// cflags: -O1
// finding: use-after-free A
// case: joined -O1 -DJOINED
// verdict: BUG
// finding: use-after-free A
// case: fixed -O1 -DFIXED
// verdict: SAFE
// case: fixed-joined -O1 -DFIXED -DJOINED
// verdict: SAFE
// case: begins-again -O1 -DFIXED -DAGAIN
// verdict: SAFE
// case: begins-again-naive -O1 -DFIXED -DAGAIN
// verdict: SAFE
// options: --strategy=naive
#include <pthread.h>

static int sum, *last;

__attribute__((noinline)) static void keep(int *p) {
  sum += *p;
  last = p;
}

static void *thread(void *argument) { return argument; }

/* A scope that begins while main is alone and ends while it is not, several times. */
static void again(void) {
  for (int i = 0; i < 3; i++) {
    pthread_t t;
    {
      int x = i;
      keep(&x);
      pthread_create(&t, 0, thread, 0);
    }
    pthread_join(t, 0);
  }
}

int main(void) {
#ifdef AGAIN
  again();
#else
  (void)again;
#endif
#ifdef JOINED
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
#endif
#ifdef FIXED
  int x = 1;
  keep(&x);
#else
  {
    int x = 1;
    keep(&x);
  }
#endif
  return *last == 17;  // @A
}

// Servers that read input for ever: their states are known again, whichever inputs led there.
// verdict: SAFE
// case: three
// verdict: SAFE
// cflags: -DTHREADS=3
// case: deep
// verdict: BUG
// cflags: -DPASSWORD
// finding: assertion A
// case: schedule
// verdict: BUG
// cflags: -DTHREADS=2 -DUNLOCKED
// finding: assertion B
// case: last
// verdict: BUG
// cflags: -DLAST
// finding: assertion C
// case: twice
// verdict: BUG
// cflags: -DTWICE
// finding: assertion D
// case: end
// verdict: SAFE
// cflags: -DTHREADS=2 -DENDS
// case: grows
// verdict: BOUNDED
// cflags: -DGROWS
// options: --executions=50
#include <heddle.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int on, matched;
static unsigned total, last;

/* The same is asked of the inputs in two ways, which must not look like nothing. */
static void ask_twice(void) {
  unsigned char x[4];
  hd_symbolic(x, 3, "x");
  if ((x[0] & x[1] & x[2]) == 255) on = !on;
  if ((x[2] & x[1] & x[0]) == 255) on = !on;
  hd_symbolic(x + 3, 1, "next");
  hd_assert((x[0] & x[1] & x[2]) != 255); /* @D */
}

static void *serve(void *unused) {
#ifdef TWICE
  for (;;) ask_twice();
#endif
  for (;;) {
    unsigned x;
    hd_symbolic(&x, sizeof x, "x");
#ifdef ENDS
    if (x == 0x51756974) return unused;
#endif
    pthread_mutex_lock(&lock);
    if (x == 12345) on = !on;
#ifdef PASSWORD /* six inputs, one after the other */
    static const unsigned word[] = {7, 70000, 3, 3, 0x80000000u, 1};
    matched = x == word[matched] ? matched + 1 : 0;
    hd_assert(matched < 6); /* @A */
#endif
#ifdef LAST /* what it holds of earlier inputs decides, too */
    hd_assert(x != last + 1 || last != 99); /* @C */
    last = x;
#endif
#ifdef GROWS
    total += x;
    if (total == 77) on = 0;
#endif
#ifdef UNLOCKED
    int was = on;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    hd_assert(was == on); /* @B */
#endif
    hd_assert(on == 0 || on == 1);
    pthread_mutex_unlock(&lock);
  }
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 1; i < THREADS; i++) pthread_create(&t[i], 0, serve, 0);
  serve(0);
  for (int i = 1; i < THREADS; i++) pthread_join(t[i], 0);
  return matched + (int)total + (int)last;
}

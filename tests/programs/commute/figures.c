// The programs of NCMC's figures (the thesis, chapter 4), with the executions that its text speaks of: N-COUNTER-INC (Figures 4.1, 4.2) one
// in place of N!; SET-2ADD+CONT (4.3) two; COUNTER-2INC-CF (4.4) those in which x is read as 0 and as 1, and one more that its read inside
// the second inc() asks for; COUNTER-SHB2 (4.7) the one seen first, one for each other value of that read, and one for x.
// verdict: BOUNDED
// options: --strategy=ncmc --spec={here}/counter.spec
// executions: 1
// case: without
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 2
// case: five -DN=5
// verdict: BOUNDED
// options: --strategy=ncmc --spec={here}/counter.spec
// executions: 1
// case: five-without -DN=5
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 120
// case: wrong-order -DN=3
// verdict: BOUNDED
// options: --strategy=ncmc --spec={here}/counter-ordered.spec
// executions: 6
// case: divides -DN=2
// verdict: BOUNDED
// options: --strategy=ncmc --spec={here}/counter-divides.spec
// executions: 2
// case: set -DSET
// verdict: BOUNDED
// options: --strategy=ncmc --spec={here}/set.spec
// executions: 2
// case: conflict -DCONFLICT
// verdict: BOUNDED
// options: --strategy=ncmc --spec={here}/counter.spec
// executions: 3
// case: conflict-without -DCONFLICT
// verdict: BOUNDED
// options: --strategy=mcr
// executions: 3
// case: shb -DSHB
// verdict: BOUNDED
// options: --strategy=ncmc --spec={here}/counter.spec
// executions: 4
// case: jobs -DSHB
// verdict: BOUNDED
// options: --strategy=ncmc --jobs=2 --spec={here}/counter.spec
// executions: 4
// case: unknown-method -DSET
// verdict: SAFE
// exit: 2
// options: --strategy=ncmc --spec={here}/missing.spec
// case: no-specification
// verdict: SAFE
// exit: 2
// options: --strategy=ncmc
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

struct counter {
  pthread_mutex_t lock;
  int n;
};
void counter_inc(struct counter *c) {
  pthread_mutex_lock(&c->lock);
  c->n = c->n + 1;
  pthread_mutex_unlock(&c->lock);
}

struct set {
  pthread_mutex_t lock;
  int has[4];
};
int set_add(struct set *s, int x) {
  pthread_mutex_lock(&s->lock);
  int is_new = !s->has[x];
  s->has[x] = 1;
  pthread_mutex_unlock(&s->lock);
  return is_new;
}
int set_contains(struct set *s, int x) {
  pthread_mutex_lock(&s->lock);
  int has = s->has[x];
  pthread_mutex_unlock(&s->lock);
  return has;
}

static struct counter c = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct set s = {.lock = PTHREAD_MUTEX_INITIALIZER};
static atomic_int x;

static void *go(void *argument) {
  long me = (long)argument;
#if defined SET
  set_add(&s, me ? 2 : 1);
  if (me) set_contains(&s, 1);
#elif defined CONFLICT
  if (me) {
    x = 1;
    counter_inc(&c);
  } else {
    counter_inc(&c);
    if (x == 0) x = 2;
  }
#elif defined SHB
  if (me) {
    x = 1;
    counter_inc(&c);
  } else {
    counter_inc(&c);
    if (x == 0) counter_inc(&c);
  }
#else
  (void)me;
  counter_inc(&c);
#endif
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, go, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
#if !defined SET && !defined CONFLICT && !defined SHB
  hd_assert(c.n == N);
#endif
  return 0;
}

# Findings that are one defect are one finding; those of different defects are not; and there may be many of them.
. "$(dirname "$0")/lib.sh"

check() { run check --no-schedule "$@"; }
# How many findings the JSON report in `out` has, and how many others of the same defects.
count() { grep -c '^  {"kind"' out; }
count_also() { grep -c '^    {"kind"' out; }
expect_counts() {
  [ "$(count) $(count_also)" = "$1 $2" ] || { fail "$ran: $(count) findings and $(count_also) of the same instead of $1 and $2"; cat out; }
}

# A list that is changed under a lock held for reading: five races and a leak. Then under one held for writing.
cat >splice.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next, *prev; };
static struct node head = {&head, &head};
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *add(void *a) {
  struct node *n = malloc(sizeof *n);
  pthread_rwlock_rdlock(&lock);
  n->next = head.next;
  n->prev = &head;
  head.next->prev = n;
  head.next = n;
  pthread_rwlock_unlock(&lock);
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, add, 0);
  pthread_create(&u, 0, add, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  for (struct node *n = head.next, *next; n != &head; n = next) next = n->next, free(n);
  return 0;
}
END
check --json splice.c
expect_code 1
expect_counts 1 5
expect_in out '"leak"'
check splice.c
expect_in out "BUG: 1 finding"
expect_in out "and 5 more of the same"
sed s/rdlock/wrlock/ splice.c >spliced.c
check spliced.c
expect_code 0

# A block that is leaked whatever the schedule is another defect than the race for it.
sed 's/^  for (.*/  head.next = head.prev = \&head;/' splice.c >leaks.c
check --json leaks.c
expect_counts 2 4

# put() signals the wrong condition variable.
cat >monitor.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int count;
static void put(void) {
  pthread_mutex_lock(&m);
  while (count == 1) pthread_cond_wait(&not_full, &m);
  count++;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&m);
}
static void get(void) {
  pthread_mutex_lock(&m);
  while (count == 0) pthread_cond_wait(&not_empty, &m);
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&m);
}
static void *produce(void *a) { put(); put(); return a; }
static void *consume(void *a) { get(); get(); return a; }
int main(void) {
  pthread_t p, c;
  pthread_create(&p, 0, produce, 0);
  pthread_create(&c, 0, consume, 0);
  pthread_join(p, 0);
  pthread_join(c, 0);
  return 0;
}
END
check --json monitor.c
expect_code 1
expect_counts 1 1
sed '/count++/{n;s/not_full/not_empty/;}' monitor.c >monitored.c
check monitored.c
expect_code 0

# Two counters that nobody protects are two defects, be it in one function; each is read and written.
cat >two.c <<'END'
#include <pthread.h>
static int one, other;
static void *count(void *a) {
  one++;
  other++;
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, count, 0);
  pthread_create(&u, 0, count, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
END
check --json two.c
[ "$(count)" = 2 ] || { fail "two counters: $(count) findings"; cat out; }
check --stop-at-first two.c
expect_in out "BUG: 1 finding"
expect_in out "not covered: the exploration stopped at the limit on findings"

# Thirty: the text shows some and counts the others, with their lines; JSON has all.
{
  echo '#include <pthread.h>'
  for i in $(seq 30); do echo "static int v$i; static void f$i(void) { v$i = 1; }"; done
  echo 'static void *all(void *a) {'
  for i in $(seq 30); do echo "f$i();"; done
  echo 'return a; }'
  echo 'int main(void) { pthread_t t; pthread_create(&t, 0, all, 0); all(0); pthread_join(t, 0); return 0; }'
} >thirty.c
check --executions=3 --strategy=random thirty.c
expect_in out "BUG: 30 findings"
expect_in out "  10 more: data-race at thirty.c: 22 to 31"
[ "$(grep -c '^data-race: ' out)" = 20 ] || { fail "$ran: not 20 findings are shown"; cat out; }
check --executions=3 --strategy=random --most=29 thirty.c
expect_in out "  1 more: data-race at thirty.c: 31"
check --executions=3 --strategy=random --most=0 thirty.c
expect_not_in out "more: data-race"
check --executions=3 --strategy=random --json thirty.c
expect_counts 30 0
[ "$(grep -c '"confirmed": true' out)" = 20 ] || { fail "$ran: not 20 findings are confirmed"; cat out; }
run check --executions=3 --strategy=random --schedule-dir=. thirty.c
[ "$(ls -- *.schedule | wc -l)" = 20 ] || { fail "$ran: not 20 schedules"; ls; }

# Which findings there are does not depend on how many are looked at closely: a function of a system header races for two variables in one
# call. What is run again is told at the caller's line, the other finding at its own.
cat >pairs.cc <<'END'
#include <pthread.h>
#include <utility>
static std::pair<int, int> one, other;
static void *work(void *a) {
  one.swap(other);
  return a;
}
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
END
for most in 0 1; do
  check --json --most=$most pairs.cc
  expect_counts 2 2
  expect_in out "of one.first are not ordered"
  expect_in out "of other.first are not ordered"
done

# A finding behind thousands of steps: shortening takes no longer for a long schedule than for a short one. (It took 40 s for this one.)
cat >pairs.c <<'END'
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *p) { return x++, p; }
int main(void) {
  for (int i = 0; i < 5000; i++) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
  }
  assert(x == 0);
  return 0;
}
END
timeout 20 "$heddle" check --no-schedule pairs.c >out 2>err
[ $? = 1 ] || { fail "a finding behind 5,000 threads takes longer than 20 s"; cat out err; }
done_testing

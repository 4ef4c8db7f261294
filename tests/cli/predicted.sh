# heddle check --predict with properties: what only the causal model of the first execution shows.
. "$(dirname "$0")/lib.sh"
cp "$root"/tests/programs/predicted/interrupted.* .

# Without prediction the one execution shows nothing. (More memory turns out to be shared at first, so it is the second one.)
run check --executions=2 --property=interrupted.property interrupted.c
expect_code 3
expect_not_in out "is violated"
run check --predict --executions=2 --property=interrupted.property interrupted.c
expect_code 1
expect_line out "property: the property interrupted is violated"
run replay heddle-property-1.schedule
expect_code 1
expect_line out "property: the property interrupted is violated"

counter() { # NAME NUMBER
  expect_line out "$1 $2"
}
run check --predict --executions=2 --stats --property=interrupted.property interrupted.c
expect_code 1
counter findings 1
counter executions 1
counter possible 2 # the closer may come first, too, which does no harm
counter confirmed 1
counter unconfirmed 0
counter left-out 0
for strategy in random pct mcr; do # these predict anyway
  run check --strategy=$strategy --seed=1 --executions=2 --no-schedule --property=interrupted.property interrupted.c
  expect_code 1
  expect_line out "property: the property interrupted is violated"
done
run check --predict --executions=2 --property=interrupted.property -DFIXED interrupted.c
expect_code 3
run check --predict --property=interrupted.property -DFIXED interrupted.c
expect_code 0

# All orders that show the race of `late` violate the property before: they end with that, and nothing is unconfirmed.
cat >both.c <<'END'
#include <heddle.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int late;
static void step(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
static void *first(void *a) {
  HD_EVENT("one");
  late = 1;
  step();
  HD_EVENT("done");
  return a;
}
static void *second(void *a) {
  step();
  HD_EVENT("two");
  late = 2;
  return a;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  HD_EVENT("end");
}
END
cat >both.property <<'END'
property together() {
  event one  at mark one
  event two  at mark two
  event done at mark done
  pattern one !done two | two !done one
}
END
run check --predict --executions=4 --stats --property=both.property both.c
expect_code 1
counter findings 1
counter possible 2
counter confirmed 1
counter unconfirmed 0

# What comes before and behind all threads counts, too.
cat >around.property <<'END'
property backwards() {
  event two at mark two
  event one at mark one
  event end at mark end
  pattern two one end
}
END
run check --executions=2 --ignore=data-race --property=around.property both.c
expect_code 3
run check --predict --executions=2 --ignore=data-race --property=around.property both.c
expect_code 1
expect_line out "property: the property backwards is violated"

# Patterns with more choices than can be paid for: it says that some were left out, and ends.
cat >many.c <<'END'
#include <heddle.h>
#include <pthread.h>
static void *work(void *a) {
  for (int i = 0; i < 400; i++) {
    HD_EVENT("m");
    HD_EVENT("n", i);
  }
  return a;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
END
cat >many.property <<'END'
property many() {
  event a at mark m
  event b at mark n
  event c at mark n(399)
  pattern a(t) b(s) a(t) b(u) a(s) b(t) c(t) a(t)
}
END
run check --strategy=random --seed=1 --executions=1 --stats --property=many.property many.c
expect_code 3
grep -q '^left-out [1-9]' out || fail "nothing was left out"
done_testing

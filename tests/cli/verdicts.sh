# Verdicts, exit codes, and what the report says beside them.
. "$(dirname "$0")/lib.sh"

crossed x.c
run check -DFIXED x.c
expect_code 0
expect_in out "SAFE: every execution was explored"
expect_empty err
[ -z "$(ls ./*.schedule 2>/dev/null)" ] || fail "a schedule without a finding"

run check x.c
expect_code 1
expect_in out "deadlock: thread 0"
expect_in out "BUG: 1 finding"
expect_in out "heddle replay heddle-deadlock-1.schedule"
[ -s heddle-deadlock-1.schedule ] || fail "no schedule"

run check -DFIXED --executions=1 x.c
expect_code 3
expect_in out "BOUNDED: no finding so far"
expect_in out "not covered: the limit on executions was reached"
run check -DFIXED --strategy=random --executions=10 x.c
expect_code 3
expect_in out "not covered: the strategy tries some schedules only"

run check -DFIXED --stats x.c
expect_code 0
expect_line out "verdict SAFE"
expect_line out "findings 0"
cp out first
run check -DFIXED --stats x.c
expect_same first out

run check --no-schedule -o here x.c
expect_complaint "--schedule and --no-schedule exclude each other"
mkdir sub
run check --schedule-dir=sub x.c
expect_code 1
[ -s sub/heddle-deadlock-1.schedule ] || fail "no schedule in sub"
run check -o here x.c
expect_code 1
[ -s here ] || fail "no schedule in the file of -o"

cat >outcomes.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x;
static void *set(void *unused) { x = 1; return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  printf("%d\n", x);
  pthread_join(t, 0);
  return 0;
}
END
run check --outcomes outcomes.c
expect_code 0
expect_line out "outcome: 1 x exit 0"
expect_line out "  | 0"
expect_line out "  | 1"
run check --outcomes --json outcomes.c
expect_in out '"outcomes": [{"text": "exit 0\n0\n", "count": 1}, {"text": "exit 0\n1\n", "count": 1}]'
# Two threads write a letter each, and main ends the process without waiting for one of them. A schedule that lists outputs is replayed.
cat >letters.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int written;
static void *write_letter(void *letter) {
  putchar(*(char *)letter);
  fflush(stdout);
#ifdef WRONG
  assert(atomic_fetch_add(&written, 1) == 0);
#endif
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write_letter, "A");
  pthread_create(&b, 0, write_letter, "B");
  pthread_join(b, 0);
  return 0;
}
END
for options in "--strategy=naive" "--strategy=dpor" "--strategy=maximal" "--strategy=maximal -j2 --memory=tso" "--memory=pso"; do
  run check --outcomes --no-schedule $options letters.c
  expect_code 0
  grep '^  |' out >written
  printf '  | AB\n  | B\n  | BA\n' >wanted
  expect_same wanted written
done
run check --outcomes -DWRONG -o letters.schedule letters.c
expect_code 1
run replay letters.schedule
expect_code 1

# A bound on loops: named, written down, and no matter for a replay.
cp "$root/tests/programs/bounds/waits-counting.c" .
run check --loop-bound=2 waits-counting.c
expect_code 3
expect_line out "  not covered: executions were cut at a bound on loops or instructions"
run check --strategy=naive --loop-bound=3 --stats waits-counting.c
expect_code 3
expect_line out "verdict BOUNDED"
run check --loop-bound=3 -DWRONG -o loop.schedule waits-counting.c
expect_code 1
expect_line loop.schedule "loop-bound 3"
run replay loop.schedule
expect_code 1
expect_in out "assertion"
sed 's/^loop-bound 3/loop-bound 1/' loop.schedule >tighter.schedule
cp out first
run replay tighter.schedule
expect_code 1
sed 's/loop\.schedule/tighter.schedule/' first >expected
expect_same expected out

# Preprocessed sources are checked as they were before, whoever preprocessed them; gcc's attributes included.
racy race.c
"$heddle" cc -E race.c -o race.i
printf '# 1 "elsewhere.c"\nextern void *alloc(unsigned long) __attribute__((__malloc__ (free, 1)));\n' >attribute.i
cat race.i attribute.i >gcc.i
cat >race.cc <<'END'
#include <cassert>
#include <thread>
static int n;
int main() {
  std::thread t([] { n++; });
  n++;
  t.join();
}
END
"$heddle" c++ -E race.cc -o race.ii
for source in race.c race.i gcc.i race.cc race.ii; do
  run check -o race.schedule $source
  expect_code 1
  expect_in out "data-race: read and write of "
  expect_in out " race.c"
  run replay --trust race.schedule
  expect_code 1
done

# What Heddle lacks is named with its place, and ends only the executions that come to it.
cat >refused.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
extern int missing;
static atomic_int x;
static void *use(void *unused) {
  if (x == 1) __asm__ volatile("vzeroupper");
  if (x == 2) x = missing;
  return unused;
}
int main(int argc, char **argv) {
  (void)argv;
  pthread_t t;
  pthread_create(&t, 0, use, 0);
  x = argc;
  pthread_join(t, 0);
  return 0;
}
END
for strategy in naive dpor maximal; do
  run check --strategy=$strategy refused.c
  expect_code 3
  expect_in out "not covered: executions were cut where the program needs what Heddle lacks: "
  expect_in out 'refused.c:6:15: not supported: inline assembly "vzeroupper" (thread 0.1)'
  run check --strategy=$strategy refused.c -- argument
  expect_code 3
  expect_in out "refused.c:7:19: undefined variable missing (thread 0.1)"
done
run check -j 2 refused.c
expect_code 3
expect_in out "refused.c:6:15: not supported"
run check refused.c -- two arguments
expect_code 0

# Threads that could step back for each other for ever, in step: a note, no finding. Where no schedule ends, it is a livelock, and replay shows it.
cat >back.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int want[2];
static void *enter(void *p) {
  int me = p != 0;
  for (want[me] = 1; want[!me]; want[me] = 1)
#ifdef UP
    want[me] = 2;
#else
    want[me] = 0;
#endif
  want[me] = 0;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, enter, 0);
  enter(&t);
  pthread_join(t, 0);
  return 0;
}
END
run check back.c
expect_code 0
expect_in out "threads can hold each other up for ever, but only in step (one that runs alone for a while gets out): at back.c:6:"
run check --json back.c
expect_in out '"threads can hold each other up for ever, but only in step'
run check -DUP back.c
expect_code 1
expect_in out "livelock: the same state recurs whichever threads go on, and no schedule ends it"
run replay heddle-livelock-1.schedule
expect_code 1
expect_in out "livelock: the same state recurs"

# A schedule that goes round a circle is only as good as its circle: where another schedule leads out of it, replay says so; also where
# that one ends far away.
cat >circle.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int want[2];
static void *enter(void *p) {
  int me = p != 0;
  for (want[me] = 1; want[!me]; want[me] = 1) want[me] = BACK;
  for (int i = 0; i < TURNS; i++) want[me] = 0;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, enter, 0);
  enter(&t);
  pthread_join(t, 0);
}
END
circle() {
  cat <<END
heddle schedule 1
program circle.c
flag -DBACK=$1
flag -DTURNS=$2
memory sc
content 0

found livelock
message "the same state recurs whichever threads go on, and no schedule ends it"
site 0 repeats circle.c:6:22 enter
site 0.1 repeats circle.c:6:22 enter

steps 15
step 0 fork circle.c:12:3 main
step 0 write circle.c:6:17 enter
step 0.1 write circle.c:6:17 enter
END
  for turn in 1 2; do
    for at in "read circle.c:6:22" "write circle.c:6:56" "write circle.c:6:42"; do
      echo "step 0 $at enter"
      echo "step 0.1 $at enter"
    done
  done
  echo end
}
circle 2 1 >circle.schedule
run replay circle.schedule
expect_code 1
expect_in out "livelock: the same state recurs"
for turns in 1 20000; do
  circle 0 $turns >circle.schedule
  run replay circle.schedule
  expect_code 3
  expect_in err "a schedule leads out of it, so it is no livelock"
done
done_testing

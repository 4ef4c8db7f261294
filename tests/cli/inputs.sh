# Symbolic data with several workers, and in several sittings: each input is explored once.
. "$(dirname "$0")/lib.sh"

# 2,187 inputs, each with an output of its own; with -DBUG one of them fails. A thread is created after two thirds of them.
# With -DBYTES=9 there are 19,683 of them, with -DBYTES=40 more than any computer gets through.
cat >digits.c <<'END'
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#ifndef BYTES
#define BYTES 7
#endif
static int calls;
static void *call(void *unused) {
  calls++;
  return unused;
}
int main(void) {
  unsigned char text[BYTES], out[BYTES + 1] = "";
  pthread_t t;
  hd_symbolic(text, sizeof text, "text");
  for (int i = 0; i < BYTES; i++) out[i] = text[i] < 85 ? 'a' : text[i] < 170 ? 'b' : 'c';
  for (volatile int i = 0; i < 300; i++) continue;
  if (text[0] >= 85) {
    pthread_create(&t, 0, call, 0);
    pthread_join(t, 0);
  }
#ifdef BUG
  hd_assert(text[6] != 253 || text[5] != 7 || text[4] != 99);
#endif
  puts((char *)out);
  return 0;
}
END
# What does not depend on who explores.
whole() { grep -vE '^(questions|engine|undecided|solver|states|forgotten|restarts)' out >"$1"; }
run check --stats --outcomes digits.c
expect_code 0
expect_line out "verdict SAFE"
expect_line out "inputs 2187"
expect_line out "executions 2187"
whole one
run check --outcomes digits.c
grep '^  |' out | sort >outcomes-1
[ "$(wc -l <outcomes-1)" = 2187 ] || fail "not 2187 outcomes"
for jobs in 2 3; do
  run check -j $jobs --stats --outcomes digits.c
  whole several
  expect_same one several
done
run check -j 2 --outcomes digits.c
grep '^  |' out | sort >outcomes-2
expect_same outcomes-1 outcomes-2

# A file for each, and no two of one class.
run check -j 2 --tests=tests digits.c
expect_line out "  2187 inputs were written to tests"
[ "$(cat tests/*.input | grep -c '^data 0 0 ')" = 2187 ] || fail "not 2187 inputs"
[ "$(cat tests/*.input | grep '^data 0 0 ' | sort -u | wc -l)" = 2187 ] || fail "inputs are there twice"

# Findings: the input is told, and replayed.
for jobs in 1 3; do
  run check -j $jobs -DBUG digits.c
  expect_code 1
  expect_in out "  input: text = \""
  expect_in out "BUG: 1 finding"
  expect_line out "  not covered: the exploration stopped at the first input with findings"
  grep -qx "data 0 0 ........6307fd text" heddle-assertion-1.schedule || fail "the input does not fail"
  sed '/^BUG/,$d' out | sed '$d' >checked
  run replay heddle-assertion-1.schedule
  expect_same checked out
done
run check -j 2 --ignore=assertion --stats -DBUG digits.c
expect_code 0
expect_line out "verdict SAFE"
run check -j 2 --ignore=assertion -DBUG digits.c
expect_line out "  ignored: 1 finding (assertion: 1)"
run check -j 2 --no-schedule --json -DBUG digits.c
expect_in out '"verdict": "BUG"'
run check -j 2 --coverage=lines digits.c
expect_in out "  12 of 12 lines and 2 of 2 functions were executed"

# Limits are those of all workers.
run check -j 2 --inputs=1000 --stats digits.c
expect_code 3
expect_line out "verdict BOUNDED"
run check -j 2 --inputs=1000 digits.c
expect_line out "  not covered: the limit on inputs was reached (--inputs)"
run check -j 2 --executions=1000 digits.c
expect_code 3
expect_line out "  not covered: the limit on executions was reached"
run check -j 2 --time=0.3 -DBYTES=40 digits.c
expect_code 3
expect_line out "  not covered: the time limit was reached"

# Workers that are killed cost nothing but time.
run check --stats --outcomes -DBYTES=9 digits.c
expect_line out "executions 19683"
whole nine
"$heddle" check --stats --outcomes -j 2 -DBYTES=9 digits.c >out 2>err &
pid=$!
for i in 1 2 3 4 5 6; do
  sleep 0.05
  for child in $(cat /proc/$pid/task/$pid/children 2>/dev/null); do kill -KILL "$child" 2>/dev/null && break; done
done
wait $pid
ran="killed workers"
whole killed
expect_same nine killed

# __VERIFIER_nondet_*(), also those that ask for ever.
cat >nondet.c <<'END'
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int n = 0;
  for (int i = 0; i < 10; i++)
    if (__VERIFIER_nondet_int() > 1000) n++;
  if (n == 10 && __VERIFIER_nondet_int() == 4711) reach_error();
  return n;
}
END
run check -j 2 --no-schedule nondet.c
expect_code 1
expect_line out "  input: __VERIFIER_nondet_int#11 = 0x1267"
run check -j 2 --inputs=100 --no-schedule --ignore=assertion nondet.c
expect_code 3
expect_line out "  not covered: the limit on inputs was reached (--inputs)"
expect_in out "inputs were sampled"
cat >server.c <<'END'
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int state = 0;
  for (;;) {
    int x = __VERIFIER_nondet_int();
    if (x == 12345) state = !state;
#ifdef BUG
    if (state && x == 54321) reach_error();
#endif
  }
}
END
run check -j 2 server.c
expect_code 0
run check -j 2 --no-schedule -DBUG server.c
expect_code 1

# A campaign that is killed again and again: what it has in the end is what one sitting has.
ran="campaign"
run check --outcomes -DBYTES=9 digits.c
grep '^  |' out | sort >outcomes-nine
for i in 1 2 3 4; do
  "$heddle" check --campaign=kept -j 2 --outcomes -DBYTES=9 digits.c >out.begun 2>err.begun &
  pid=$!
  until [ -s kept/campaign.sqlite ] || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
  sleep 0.$((i * 2))
  kill -KILL $pid 2>/dev/null
  wait $pid 2>/dev/null
done
run check --campaign=kept --stats --outcomes -j 2 -DBYTES=9 digits.c
whole resumed
expect_same nine resumed
run check --campaign=kept --outcomes -DBYTES=9 digits.c
expect_code 0
grep '^  |' out | sort >outcomes-kept
expect_same outcomes-nine outcomes-kept
# In steps, by a number of inputs; the tests are numbered on.
for n in 300 900 1500; do
  run check --campaign=steps --inputs=$n --tests=stepped digits.c
  expect_code 3
done
run check --campaign=steps --tests=stepped --stats digits.c
expect_line out "verdict SAFE"
expect_line out "executions 2187"
run check --campaign=steps --stats digits.c
expect_line out "executions 2187"
[ "$(cat stepped/*.input | grep '^data 0 0 ' | sort -u | wc -l)" -ge 2187 ] || fail "not 2187 inputs in several sittings"
# One with a finding tells it again.
for i in 1 2; do
  run check --campaign=found --no-schedule -j 2 -DBUG digits.c
  expect_code 1
  expect_in out "  input: text = \""
done
# What is symbolic is a part of what is explored.
run check --campaign=sized --symbolic-stdin=2 --inputs=1 server.c
run check --campaign=sized --symbolic-stdin=3 --inputs=1 server.c
expect_complaint "sized/campaign.sqlite: the campaign there is of another program, of other options, or by another Heddle"

# Damage is one clear error, and never another verdict.
run check --campaign=whole --inputs=500 --stats digits.c
cp whole/campaign.sqlite good
damaged=0
od -An -v -tu1 -w1 good | awk '$1 != 0 && n++ % 400 == 7 { print NR - 1, $1 }' >places
while read -r at byte; do
  cp good whole/campaign.sqlite
  printf "\\$(printf %03o $((byte ^ 1 << at % 8)))" | dd of=whole/campaign.sqlite bs=1 seek="$at" conv=notrunc 2>/dev/null
  run check --campaign=whole --stats digits.c
  ran="a campaign with byte $at changed"
  if [ "$code" = 2 ]; then
    damaged=$((damaged + 1))
    expect_in err "whole/campaign.sqlite: "
    expect_empty out
  else
    expect_line out "verdict SAFE"
    expect_line out "executions 2187"
  fi
done <places
[ "$damaged" -gt 5 ] || fail "only $damaged of $(wc -l <places) changes were noticed"
done_testing

# Ctrl-C: what was found so far is reported, with exit code 3 (1 if there is a finding); the second one ends at once.
. "$(dirname "$0")/lib.sh"

# Until the background process is heddle, which takes SIGTERM (bit 14; SIGINT before that), and a while longer. Or until it is gone.
at_work() {
  while kill -0 $pid; do
    [ "$(readlink /proc/$pid/exe)" = "$heddle" ] && grep -q '^SigCgt:.*[4-7c-f]...$' /proc/$pid/status && break
    sleep 0.1
  done
  sleep 1
}

endless e.c
run check --executions=1 e.c # so that it is compiled
"$heddle" check e.c >out 2>err &
pid=$!
at_work
kill -INT $pid
wait $pid
code=$? ran="heddle check, interrupted"
expect_code 3
expect_in out "BOUNDED: no finding so far"
expect_in out "not covered: the exploration was interrupted"
expect_empty err

# timeout(1) sends its signal twice, the second one at once.
"$heddle" check e.c >out 2>err &
pid=$!
at_work
kill -TERM $pid $pid $pid $pid $pid
wait $pid
code=$? ran="heddle check, told twice at once to end"
expect_code 3
expect_in out "not covered: the exploration was interrupted"

sed 's/atomic_int x/int x/' e.c >racy.c
run check --executions=1 --no-schedule racy.c
"$heddle" check --no-schedule racy.c >out 2>err &
pid=$!
at_work
kill -INT $pid
wait $pid
code=$? ran="heddle check of a racy program, interrupted"
expect_code 1
expect_in out "data-race: "
expect_in out "not covered: the exploration was interrupted"

echo 'int main(void) { return 7; }' >quick.c
run check --time=0.001 --no-schedule quick.c
expect_code 3
expect_in out "the program was still being compiled and loaded"

# heddle predict: what was found so far, and what was not looked at.
awk 'BEGIN {
  for (i = 0; i < 60000; i++) {
    t = i % 3
    printf "T%d|acq(L)|1\nT%d|r(X)|2\nT%d|w(X)|3\nT%d|rel(L)|4\nT%d|w(Y)|%d\n", t, t, t, t, t, 5 + t
  }
}' >long.std
for jobs in 1 2; do
  run predict -j $jobs --analysis=maximal --time=0.02 long.std
  case $code in 1 | 3) ;; *) expect_code 3 ;; esac
  expect_in out "windows were not looked at, or not to their end, for lack of time"
  expect_in out "the time of --time was over before all was looked at"
done
run predict --analysis=hb --time=0.001 long.std
case $code in 1 | 3) ;; *) expect_code 3 ;; esac
expect_in out "the time of --time was over before all was looked at"
run predict --analysis=maximal long.std
expect_code 1
expect_in out "3 findings, 0 undecided"
expect_not_in out "was over"
done_testing

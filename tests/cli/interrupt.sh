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
done_testing

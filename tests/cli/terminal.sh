# On a terminal: colours, a progress line, the terminal's width; none of it in a pipe.
. "$(dirname "$0")/lib.sh"
command -v script >/dev/null || { echo "script(1) is missing"; exit 77; }
escape=$(printf '\033')

crossed x.c
on_terminal() { ran="$*, on a terminal" && TERM=xterm script -qec "$*" /dev/null >out </dev/null; }
on_terminal "$heddle check --no-schedule x.c"
expect_in out "${escape}["
on_terminal "$heddle check --no-color --no-schedule x.c"
expect_not_in out "${escape}[1"
on_terminal "NO_COLOR=1 $heddle check --no-schedule x.c"
expect_not_in out "${escape}[1"
on_terminal "stty cols 60; $heddle check --no-color --no-schedule x.c"
[ "$(tr -d '\r' <out | sed '1,/^interleaving/d; /^output/,$d' | awk 'length > 60' | wc -l)" = 0 ] || { fail "wider than the terminal"; cat out; }
# The progress is shown when the program has been explored for a while: on a busy computer that may come late.
endless e.c
run check --executions=1 e.c
for seconds in 1.5 5 20; do
  on_terminal "$heddle check --time=$seconds e.c"
  grep -qF "steps deep" out && break
done
expect_in out "executions, "
expect_in out "steps deep"

run check --time=1 e.c
expect_empty err
expect_not_in out "steps deep"
expect_not_in out "$escape"
done_testing

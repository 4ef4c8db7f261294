# Symbolic data: the report has the input, the schedule keeps it, and replay runs it.
. "$(dirname "$0")/lib.sh"

cat >key.c <<'END'
#include <heddle.h>
int main(void) {
  unsigned short key = 7;
  char text[10];
  hd_symbolic(text, sizeof text, "text");
  hd_symbolic(&key, sizeof key, "the key");
  if (key == 0x1234) hd_assert(text[1] != 'b' || text[9] != 'z');
  return 0;
}
END
run check key.c
expect_code 1
expect_in out "  input: text = 0x"
expect_line out "  input: the key = 0x1234"
expect_line out "  not covered: the exploration stopped at the first input with findings"
expect_in heddle-assertion-1.schedule "data 0 1 3412 \"the key\""
grep -qx "data 0 0 ..62..............7a text" heddle-assertion-1.schedule || fail "the text is not in the schedule"
sed '/^BUG/,$d' out | sed '$d' >checked
run replay heddle-assertion-1.schedule
expect_code 1
expect_same checked out

# Another input does not show it; without one, it is zeros.
sed 's/^data 0 1 3412/data 0 1 3512/' heddle-assertion-1.schedule >other.schedule
run replay other.schedule
expect_code 3
sed '/^data/d' heddle-assertion-1.schedule >none.schedule
run replay none.schedule
expect_code 3
sed 's/^data 0 1 3412/data 0 1 341/' heddle-assertion-1.schedule >damaged.schedule
run replay damaged.schedule
expect_complaint "damaged.schedule:$(grep -n '^data 0 1' damaged.schedule | cut -d: -f1): not bytes as hexadecimal digits: \"341\""

run check --no-schedule --json key.c
expect_in out '"inputs": [{"thread": "0", "number": 0, "name": "text"'
expect_in out '{"thread": "0", "number": 1, "name": "the key", "bytes": "3412"}'

# What goes by values, leaves executions out or is cut into parts does not go with it; several workers are one.
run check --strategy=mcr key.c
expect_complaint "the strategy mcr cannot explore symbolic data (hd_symbolic)"
run check --strategy=random key.c
expect_complaint "the strategy random cannot explore symbolic data (hd_symbolic)"
run check --strategy=dpor --campaign=kept key.c
expect_complaint "--campaign does not go with symbolic data (hd_symbolic)"
run check -j 2 --no-schedule key.c
expect_code 1
expect_in out "the program has symbolic data, which one worker explores: --jobs had no effect"

# Ignored findings end it too, and then not everything was explored.
run check --no-schedule --ignore=assertion key.c
expect_line out "BOUNDED: no finding of the kinds asked for so far, but not everything was explored"

cat >safe.c <<'END'
#include <heddle.h>
#include <stdio.h>
int main(void) {
  unsigned char n;
  hd_symbolic(&n, sizeof n, "n");
  hd_assume(n % 64 == 3);
  printf("%d\n", n);
  return 0;
}
END
run check --outcomes safe.c
expect_code 0
expect_line out "SAFE: every execution was explored, for these arguments and this input, with all symbolic data; no finding"
for n in 3 67 131 195; do expect_line out "  | $n"; done
[ "$(grep -c '^outcome:' out)" = 4 ] || fail "not four outcomes"
done_testing

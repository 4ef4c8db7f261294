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
expect_in out "  input: text = \""
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

# What goes by values or leaves executions out does not go with it (inputs.sh: several workers, several sittings).
run check --strategy=mcr key.c
expect_complaint "the strategy mcr cannot explore symbolic data (hd_symbolic)"
run check --strategy=random key.c
expect_complaint "the strategy random cannot explore symbolic data (hd_symbolic)"

# Ignored findings do not end it: they are counted, and all other inputs explored.
run check --no-schedule --ignore=assertion key.c
expect_code 0
expect_line out "  ignored: 1 finding (assertion: 1)"

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

# SV-COMP's functions, by name and call; the schedule says that they are data.
cat >nondet.c <<'END'
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  if (x == 12341 && y == -99 && c == 77) reach_error();
  return 0;
}
END
run check nondet.c
expect_code 1
expect_line out "  input: __VERIFIER_nondet_int#1 = 0x3035"
expect_line out "  input: __VERIFIER_nondet_int#2 = 0xffffff9d"
expect_line out "  input: __VERIFIER_nondet_uchar#1 = 0x4d"
grep -qx "nondet" heddle-assertion-1.schedule || fail "the schedule does not say that they are data"
sed '/^BUG/,$d' out | sed '$d' >checked
run replay heddle-assertion-1.schedule
expect_code 1
expect_same checked out
run check --data=sample nondet.c
expect_code 3
expect_in out "inputs were sampled"
run check --memory=tso nondet.c
expect_code 1
expect_not_in out "gave a few values"
run check --strategy=random nondet.c
expect_line out "  __VERIFIER_nondet_*() gave a few values, not all: these are not explored with --strategy=random"
run check --data=symbolic --strategy=mcr nondet.c
expect_complaint "--data=symbolic does not go with --strategy=mcr"
run check --data=some nondet.c
expect_complaint "--data takes symbolic or sample"
run check --inputs=2 nondet.c
expect_code 3
expect_line out "  not covered: the limit on inputs was reached (--inputs)"

# What the process is given.
cat >given.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char line[8];
  const char *mode = getenv("MODE");
  if (!fgets(line, sizeof line, stdin) || strcmp(line, "go\n") != 0) return 1;
  FILE *f = fopen("conf", "r");
  if (!f || fgetc(f) != '"' || argc != 3 || strcmp(argv[2], "-x") != 0 || strcmp(argv[1], "fixed") != 0) return 2;
  assert(!mode || strcmp(mode, "on") != 0);
  return 0;
}
END
given="--symbolic-stdin=4 --symbolic-args=1:3 --symbolic-env=MODE:2 --symbolic-file=conf:1"
run check $given --tests=kept given.c -- fixed
expect_code 1
grep -q '^  input: standard input = "go\\n\\[0-9]*"$\|^  input: standard input = "go\\n.*"$' out || fail "standard input is not printed as text"
expect_line out '  input: file conf = "\""'
expect_line out '  input: argument 2 = "-x"'
expect_line out '  input: variable MODE = "on"'
for line in "symbolic-stdin 4" "symbolic-args 1:3" "symbolic-env MODE:2" "symbolic-file conf:1" "data 0 2 2d7800 \"argument 2\"" \
  "data 0 3 6f6e \"variable MODE\""; do
  grep -qx "$line" heddle-assertion-1.schedule || fail "the schedule has no line $line"
done
sed '/^BUG/,$d' out | sed '$d' >checked
run replay heddle-assertion-1.schedule
expect_code 1
expect_same checked out

printf '%s\0' -x >wanted
last=$(ls kept/*.args | tail -1)
cmp -s "$last" wanted || fail "the last test's argument is not -x"

# Tests end natively as they end in the machine.
cat >parse.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char line[16];
  if (!fgets(line, sizeof line, stdin)) return 1;
  if (strncmp(line, "set ", 4) != 0) return 2;
  int value = atoi(line + 4);
  assert(value != 37);
  return value > 50 ? 3 : value < 0 ? 4 : 5;
}
END
run check --tests=parsed --symbolic-stdin=7 parse.c
expect_code 1
n=$(ls parsed/*.input | wc -l)
expect_line out "  $n inputs were written to parsed"
cc -o parse parse.c
for test in parsed/*.input; do
  run replay "$test"
  ./parse <"${test%.input}.stdin" >/dev/null 2>&1
  native=$?
  [ "$code" = "$native" ] || fail "$test: $code in the machine, $native natively"
  echo "$code"
done | sort -u >codes
grep -q : codes && fail "$(cat codes)"
[ "$(wc -l <codes)" -ge 3 ] || fail "the tests end in few ways: $(cat codes)"
run replay --step kept/test-000001.input
expect_complaint "kept/test-000001.input is an input, with which the program is run: there is no report"
sed 's/^data 0 0/steps 0/' kept/test-000001.input >damaged.input
run replay damaged.input
expect_complaint "damaged.input:$(grep -n '^steps' damaged.input | cut -d: -f1): not a line that an input has: \"steps\""
run check --tests=given.c given.c
expect_complaint "--tests=given.c: that is a file"
run check --tests=nowhere/kept given.c
expect_complaint "nowhere/kept: No such file or directory"

# One clear message for each wrong option.
sizes="sizes from 1 to 65536"
run check --symbolic-stdin=many given.c
expect_complaint "--symbolic-stdin takes N, $sizes, not \"many\""
run check --symbolic-stdin=0 given.c
expect_complaint "--symbolic-stdin takes N, $sizes, not \"0\""
run check --symbolic-stdin=1 --symbolic-stdin=2 given.c
expect_complaint "--symbolic-stdin is given twice"
run check --symbolic-stdin=1 --input=given.c given.c
expect_complaint "--symbolic-stdin and --input exclude each other"
run check --symbolic-args=3 given.c
expect_complaint "--symbolic-args takes N:M, N arguments of at most M characters, $sizes, not \"3\""
run check --symbolic-args=3:70000 given.c
expect_complaint "--symbolic-args takes N:M, N arguments of at most M characters, $sizes, not \"3:70000\""
run check --symbolic-env=MODE given.c
expect_complaint "--symbolic-env takes NAME:N, $sizes, not \"MODE\""
run check --symbolic-env=MODE:1 --env=MODE=on given.c
expect_complaint "--symbolic-env and --env both say what MODE is"
run check --symbolic-file=:4 given.c
expect_complaint "--symbolic-file takes NAME:N, $sizes, not \":4\""
run check --symbolic-file=given.c:4 --file=given.c given.c
expect_complaint "--symbolic-file and --file both say what given.c is"
run check --symbolic-file=a:4 --symbolic-file=a:5 given.c
expect_complaint "--symbolic-file says twice what a is"
run check --symbolic-stdin=4 --strategy=pct given.c
expect_complaint "the strategy pct cannot explore symbolic data (hd_symbolic)"
for size in -5 0x10 4k "" 65537 99999999999999999999; do
  run check "--symbolic-stdin=$size" given.c
  expect_complaint "--symbolic-stdin takes N, $sizes, not \"$size\""
done

# Assumptions that no input satisfies: nothing was shown.
cat >nobody.c <<'END'
#include <heddle.h>
int main(void) {
  int x;
  hd_symbolic(&x, sizeof x, "x");
  hd_assume(x > 5 && x < 3);
  hd_assert(x != 4);
  return 0;
}
END
run check nobody.c
expect_code 3
expect_line out "  not covered: no execution satisfies the program's assumptions"

# More bytes than an input may have.
cat >large.c <<'END'
#include <heddle.h>
static char large[1ul << 30];
int main(void) {
  hd_symbolic(large, sizeof large, "large");
  return large[77];
}
END
run check large.c
expect_complaint "$work/large.c:4:3: an input of more than 65536 bytes (thread 0)"

# Twenty numbers below 19 that are all different: there are none, and the solver does not see it. It says so when the time is over, too.
cat >hard.c <<'END'
#include <heddle.h>
int main(void) {
  unsigned char hole[20], different = 1;
  hd_symbolic(hole, sizeof hole, "hole");
  for (int i = 0; i < 20; i++) {
    different &= hole[i] < 19;
    for (int j = 0; j < i; j++) different &= hole[i] != hole[j];
  }
  hd_assert(!different);
  return 0;
}
END
run check --time=8 hard.c
expect_code 3
expect_line out "  not covered: the time limit was reached"
expect_line out "  not covered: the solver could not tell whether there are inputs that were not explored"
done_testing

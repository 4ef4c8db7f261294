# --only and --ignore: what the verdict is about, and what is said of the rest.
. "$(dirname "$0")/lib.sh"

cat >several.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int plain;
static void *race(void *unused) { return plain++, unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, race, 0);
  plain++;
  pthread_join(t, 0);
  if (plain == 1) abort();
  malloc(3);
#ifdef UNINITIALISED
  int *p = malloc(sizeof *p);
  if (*p) plain = 0;
#endif
  assert(plain == 2);
  return 0;
}
END
run check --no-schedule several.c
expect_code 1
expect_in out "BUG: 3 findings"
expect_not_in out "ignored"
run check --no-schedule --json several.c
expect_not_in out '"ignored"'
expect_not_in out '"asked"'

# Nothing of what was asked for: exit code 0, and a line.
for options in "" "--strategy=naive" "--strategy=dpor" "-j 2" "--strategy=dpor -j 2"; do
  run check $options --only=assertion several.c
  expect_code 0
  expect_line out "SAFE: every execution was explored, for these arguments and this input; no finding of the kinds asked for"
  expect_line out "  ignored: 3 findings (abort: 1, data-race: 1, leak: 1)"
  run check $options --ignore=leak --ignore=data-race,abort several.c
  expect_code 0
  expect_in out "  ignored: 3 findings"
done
# A campaign has all of them: what is asked of it may change, but for deadlocks, which end executions or do not.
run check --campaign=kept --only=leak,deadlock --no-schedule several.c
expect_code 1
run check --campaign=kept --only=assertion,deadlock several.c
expect_code 0
expect_line out "  ignored: 3 findings (abort: 1, data-race: 1, leak: 1)"
run check --campaign=kept --only=assertion several.c
expect_complaint "kept/campaign.sqlite: the campaign there is of another program, of other options, or by another Heddle"
[ -z "$(ls ./*.schedule 2>/dev/null)" ] || fail "a schedule of an ignored finding"
run check --json --only=assertion,deadlock several.c
expect_code 0
expect_in out '"verdict": "SAFE"'
expect_in out '"findings": []'
expect_in out '"asked": ["assertion", "deadlock"], "ignored": {"abort": 1, "data-race": 1, "leak": 1}'
run check --stats --only=assertion several.c
expect_line out "verdict SAFE"
expect_line out "findings 0"

# A part of it: the others are counted, the first one is the first that was asked for, and its schedule is replayed as ever.
run check --only=abort -o abort.schedule several.c
expect_code 1
expect_line out "  ignored: 2 findings (data-race: 1, leak: 1)"
expect_in out "BUG: 1 finding"
run replay abort.schedule
expect_code 1
expect_in out "abort: "
run check --stop-at-first --ignore=data-race,leak --no-schedule several.c
expect_code 1
expect_in out "abort: "
run check --no-schedule --executions=1 --only=assertion several.c
expect_code 3
expect_in out "BOUNDED: no finding of the kinds asked for so far, but not everything was explored"

# A program may go on behind some findings: what it does then was not looked at.
run check --no-schedule --only=assertion -DUNINITIALISED several.c
expect_code 3
expect_line out "  not covered: executions were cut at findings that are ignored"
expect_in out "uninitialised: 1"

# Of main's value, too.
printf 'int main(void) { return 4; }\n' >four.c
run check --no-schedule --only=exit-code four.c
expect_code 1
expect_in out "exit-code: the program ends with exit code 4"
run check --no-schedule four.c
expect_code 0

run check --only=asertion several.c
expect_complaint '--only: there is no kind of findings "asertion"'
expect_in err "hint: the kinds are assertion, abort, "
run check --ignore=leak, several.c
expect_complaint '--ignore: there is no kind of findings ""'
run check --only=leak --ignore=leak several.c
expect_complaint "--only and --ignore leave no kind of findings to look for"
done_testing

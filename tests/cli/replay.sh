# A replay shows what check showed, byte for byte.
. "$(dirname "$0")/lib.sh"

cp "$root"/examples/*.c "$root/tests/cli/golden/stores.c" "$root/tests/cli/golden/race.c" .
for checked in bank:sc config:sc queue:sc stores:tso stores:pso race:tso race:pso; do
  program=${checked%:*} memory=${checked#*:}
  rm -f ./*.schedule
  run check --memory="$memory" "$program.c"
  expect_code 1
  # the findings of the report, each up to the line that says how to replay it
  awk '/^also seen/ { skip = 1 } # what else is the same defect has no schedule
    skip { if (/^$/) skip = 0; next }
    /^$/ { held = held "\n"; next } { if (start) held = ""; start = 0; printf "%s%s\n", held, $0 > file; held = "" }
    /^  heddle replay / { close(file); n++; file = "shown." n; start = 1 }
    BEGIN { n = 1; file = "shown.1" }' out
  n=0
  for schedule in $(sed -n 's/^  heddle replay //p' out); do
    n=$((n + 1))
    run replay "$schedule"
    expect_code 1
    expect_empty err
    expect_same "shown.$n" out
  done
  [ "$n" -gt 0 ] || fail "$program: no finding"

  run check --memory="$memory" --json "$program.c"
  cp out check.json
  for schedule in $(sed -n 's/^  {"kind.*"schedule": "\([^"]*\)".*/\1/p' check.json); do
    run replay --json "$schedule"
    expect_code 1
    finding=$(sed -n 's/^  \({"kind.*"confirmed": true\).*/\1/p' out)
    grep -qF -- "$finding" check.json || fail "$schedule: another finding in JSON: $finding"
  done
done
# A schedule of a strategy that sees what main does alone, behind the last join.
cp "$root/tests/programs/mcr/writers.c" .
run check -I "$root/include" --strategy=mcr -DWRONG writers.c
expect_code 1
expect_in heddle-assertion-1.schedule "alone"
expect_line out "  heddle replay --trust heddle-assertion-1.schedule"
run replay heddle-assertion-1.schedule # headers from elsewhere
expect_code 2
expect_in err "asks for what needs trust: flag -I"
run replay --trust heddle-assertion-1.schedule
expect_code 1
expect_line out "  heddle replay --trust heddle-assertion-1.schedule"
expect_empty err

# A failure is a step; a schedule that does not list it shows it all the same, as those of earlier versions do.
cp "$root/tests/programs/threads/fail-behind.c" .
run check fail-behind.c
expect_code 1
expect_in heddle-assertion-2.schedule "# fails"
n=$(sed -n 's/^steps //p' heddle-assertion-2.schedule)
sed "s/^steps $n/steps $((n - 1))/; /# fails/d" heddle-assertion-2.schedule >earlier
run replay earlier
expect_code 1
expect_line out "assertion: $(sed -n 's/^message "\(.*\)"$/\1/p' earlier)"

# A schedule may be of a program that does not end: it has the time that it is given.
cat >endless.c <<'EOF'
#include <assert.h>
#include <pthread.h>
static int y;
static void *work(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
#ifdef LOOP
  for (;;) y++;
#endif
  pthread_join(t, 0);
  assert(y == 1);
  return 0;
}
EOF
run check -o endless.schedule endless.c
sed 's/^program .*/program endless.c\nflag -DLOOP/' endless.schedule >loop.schedule
run replay --time=20 endless.schedule
expect_code 1
run replay --time=0.3 loop.schedule
expect_code 2
expect_in err "heddle: the execution was stopped: the time limit was reached"
run exec --time=0.3 -DLOOP endless.c
expect_code 2
expect_in err "heddle: the execution was stopped: the time limit was reached"
done_testing

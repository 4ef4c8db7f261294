# Reports and schedules that cannot be written.
. "$(dirname "$0")/lib.sh"

crossed x.c
"$heddle" check --no-schedule x.c >/dev/full 2>err
code=$? ran="heddle check on a full disk"
expect_complaint "cannot write the report to standard output: No space left on device"
"$heddle" check --json -DFIXED x.c >/dev/full 2>err
code=$?
expect_complaint "cannot write the report to standard output: No space left on device"
"$heddle" check -DFIXED x.c >&- 2>err
code=$? ran="heddle check with standard output closed"
expect_complaint "cannot write the report to standard output: Bad file descriptor"
"$heddle" help >/dev/full 2>err
code=$?
expect_complaint "cannot write the report to standard output: No space left on device"

run check --schedule-dir=missing x.c
expect_code 2
expect_in err "cannot write missing/heddle-deadlock-1.schedule: No such file or directory"
expect_in out "deadlock: "
expect_in out "BUG: 1 finding"
expect_not_in out "heddle replay"
run check -o /dev/null/x x.c
expect_code 2
run check --json --schedule-dir=missing x.c
expect_code 2
expect_in out '"schedule": null'
done_testing

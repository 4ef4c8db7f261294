# heddle show recognises what Heddle writes.
. "$(dirname "$0")/lib.sh"

crossed x.c
run check -o s x.c
run show s
expect_code 0
expect_in out "steps for x.c"
expect_in out "shows deadlock: thread 0"
run cc -g x.c -o x
expect_code 0
run show x
expect_code 0
expect_in out "x.c"
run show x.c
expect_complaint "x.c is no file that Heddle writes"
run show nowhere
expect_complaint "cannot open nowhere: No such file or directory"
run check ./x
expect_code 1
expect_in out "deadlock: "
done_testing

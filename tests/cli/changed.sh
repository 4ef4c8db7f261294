# A schedule and a program that has changed, and damaged schedules.
. "$(dirname "$0")/lib.sh"

crossed x.c
run check -o s x.c
expect_code 1

# recompiled, with places where they were
sed 's/"begin"/"start"/' x.c >same.c
run replay s same.c
expect_code 1
expect_in err "note: the program is not the one that the schedule was made with"
expect_in out "deadlock: "

# places moved
(echo; cat x.c) >moved.c
run replay s moved.c
expect_code 2
expect_in err "heddle: step 1 does not fit the program: thread 0 should do fork at "
expect_in err "but stands before fork at moved.c:"
expect_in err "hint: the program has changed"

# repaired without moving what the schedule names: the lock that it waits for is free there
sed '20s/&a/\&c/; 23s/&a/\&c/; s/, b = / , c = PTHREAD_MUTEX_INITIALIZER, b = /' x.c >repaired.c
run replay s repaired.c
expect_code 3
expect_in err "the schedule runs to its end, but the program does not show the finding: deadlock: "

damage() {
  sed "$1" s >damaged
  cmp -s s damaged && fail "the damage does not fit: $1"
  run replay damaged
  expect_code 2
  expect_in err "$2"
  [ "$(grep -vc "^heddle: hint: " err)" = 1 ] || { fail "more than one line:"; cat err; }
}
damage '1s/1/9/' 'damaged:1: this Heddle reads version 1 of schedules, this is version: "9"'
damage '1s/heddle/noodle/' 'damaged is not a schedule'
damage '$d' 'the file is cut off'
damage 's/^step 0.1 acquire/step 0.1 aquire/' 'not an operation: "aquire"'
damage 's/^steps .*/steps 99/' 'not as many steps'
damage 's/^memory sc/memory weak/' 'not a memory model'
damage 's/^program .*/program gone.c/' 'gone.c'
: >damaged
run replay damaged
expect_complaint "damaged is not a schedule: it is empty"
head -c 300 /dev/zero >damaged
run replay damaged
expect_complaint "damaged is not a schedule: it is not text"
run replay .
expect_code 2
done_testing

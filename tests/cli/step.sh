# replay --step, fed from a pipe.
. "$(dirname "$0")/lib.sh"

crossed x.c
run check -o s x.c
expect_code 1
steps=$(sed -n 's/^steps //p' s)

step() {
  printf "$1" | "$heddle" replay --step s >out 2>err
  code=$?
  ran="heddle replay --step with $1"
}
step 'quit\n'
expect_code 1
expect_line out "  before the first of $steps steps"
step 'next\n\nnext 100\n'
expect_in out "step 1/$steps  thread 0  "
expect_in out "step 2/$steps  "
expect_in out "the execution ends here: deadlock: "
step 'n 100\nthreads\nwhere 0\nwhere 0.1\nwhere 0.7\n'
expect_in out "waits for "
expect_in out "thread 0.1  "
expect_in out "#0  main at x.c:"
expect_in out "#0  other at x.c:"
expect_in out "there is no such thread now"
step 'continue\nlist\n'
expect_in out "> step "
expect_in out ">    20    pthread_mutex_lock(&a);"
step 'n 3\nback\nback 2\nback\n'
expect_in out "step 2/$steps"
expect_in out "before the first of $steps steps"
step 'goto 2\noutput\n'
expect_in out "step 2/$steps"
expect_line out "begin"
step 'jump\nnext x\nhelp\nprint\nprint nothing\n'
expect_in out 'there is no command "jump"'
expect_in out 'not a number: x'
expect_in out 'there is no variable "nothing" here'
expect_in out 'print    VARIABLE'

cp "$root/tests/cli/golden/stores.c" .
run check --memory=tso -o s stores.c
expect_code 1
steps=$(sed -n 's/^steps //p' s)
first=$(sed -n '/^step /,$p' s | sed -n '/^flush 0.1 /{=;q}')
step "n $first\\nprint here\\nthreads\\nback\\nprint here\\ncontinue\\n"
expect_in out "step $first/$steps  thread 0.1  stores.c:14:3  here = 1 becomes visible"
expect_line out "  here = 1"
expect_line out "  here = 0"
expect_in out "the execution ends here: assertion: stores.c:34: "

cat >values.c <<'END'
#include <pthread.h>
struct point { int x; unsigned char c[3]; struct point *next; };
static struct point end = {7, "ab", 0}, start = {-1, "xy", &end};
static _Bool ready;
static int count[4] = {1, 2, 3, 4};
static void *run(void *unused) { ready = 1; return unused; }
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, 0, run, (void *)argv);
  count[2] = ready;
  pthread_join(t, 0);
  int local = argc + 41;
  count[1] = ready + local;
  return start.x + end.x + count[0];
}
END
run check -o s values.c
expect_code 1
step 'n 2\nprint start.x\np end.c\np start.next->x\np count\np count[3]\np *start.next\np start.y\np count[9]\np end.next->x\np ready\n'
expect_line out "  start.x = -1"
expect_line out "  start.next->x = 7"
expect_line out "  count = {1, 2, 0, 4}"
expect_line out "  count[3] = 4"
expect_line out "  *start.next = {x = 7, c = {'a', 'b', '\\0'}, next = NULL}"
expect_line out '  there is no member "y"'
expect_line out '  the array has 4 elements'
expect_line out '  the pointer is NULL'
expect_line out "  ready = false"
step 'n 2\nprint argc\nprint start.next\nprint argv[0]\n'
expect_line out "  argc = 1"
done_testing

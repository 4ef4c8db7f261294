# heddle check --coverage: lines that any execution came to, with symbolic data, by one worker and by two; a finding that is replayed.
. "$(dirname "$0")/lib.sh"

cat >p.c <<'END'
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, b;
static int seen;

static int never(int x) {
  return x + 1;
}

static void *thread(void *unused) {
  a = 1;
  if (b) {
    seen |= 1;
  } else {
    seen |= 2;
  }
  return unused;
}

static void rare(void) {
  seen = 7;
}

int main(void) {
  pthread_t t;
  unsigned char key = 0;
#ifdef DATA
  hd_symbolic(&key, sizeof key, "key");
#endif
  pthread_create(&t, 0, thread, 0);
  b = 1;
  pthread_join(t, 0);
  if (key == 77)
    rare();
  if (key == 77 && seen != 7)
    return never(key);
  return 0;
}
END
has() {
  file=$1
  shift
  for line in "$@"; do expect_line "$file" "$line"; done
}

run check --coverage=data.info -DDATA p.c
expect_code 0
expect_in out "3 of 4 functions were executed (data.info)"
has data.info "SF:$PWD/p.c" FNDA:0,never FNDA:1,rare DA:8,0 DA:14,1 DA:16,1 DA:22,1 DA:35,1 DA:37,0 FNF:4 FNH:3 end_of_record
for jobs in 1 2; do
  run check --jobs=$jobs --coverage=plain$jobs.info p.c
  expect_code 0
  has plain$jobs.info FNDA:0,rare DA:14,1 DA:16,1 DA:22,0 DA:35,0
done
expect_same plain1.info plain2.info

# What is found can be replayed: the program for coverage has other instructions, and the same places.
cat >bad.c <<'END'
#include <assert.h>
#include <pthread.h>
int x;
static void *writes(void *unused) { x = 1; return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writes, 0);
  int y = x;
  pthread_join(t, 0);
  assert(!y);
  return 0;
}
END
run check --only=assertion --coverage=bad.info -o bad.sched bad.c
expect_code 1
has bad.info DA:4,1 DA:10,1
run replay bad.sched
expect_code 1
expect_in out "assertion"

run check --coverage=nowhere/x.info bad.c
expect_code 2
expect_in err "nowhere/x.info"
done_testing

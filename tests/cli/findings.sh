# heddle run: what a report says, in text and in JSON; suppressions; and that reports get to their end wherever they are made.
. "$(dirname "$0")/lib.sh"
here=$root/tests/cli

build() { # SOURCE COMPILER..: a program without the .c
  source=$1
  shift
  "$@" -g -I"$root/tests/run" "$source" -o "${source%.c*}" || fail "$source does not compile"
}
gcc -O1 "$here/json.c" -o json || fail "json.c does not compile"
expect_json() { ./json <"$1" >complaint || { fail "$ran: $(cat complaint)"; }; }
expect_count() { # FILE N TEXT: so many lines have it
  n=$(grep -cF -- "$3" "$1")
  [ "$n" = "$2" ] || { fail "$ran: $n lines of $1 instead of $2 have \"$3\":"; cat "$1"; }
}
printf '{"a": [1, "\\u00e9\\n"], "b": {}}\n' | ./json >complaint || fail "json.c: $(cat complaint)"
for wrong in '{"a": 1,}' '{"a": 01}' '{"a": "\x"}' '{"a": 1, "a": 2}' '[1]' '{"a": [1}'; do
  echo "$wrong" | ./json >complaint && fail "json.c takes $wrong"
done
printf '{"a": "\377"}\n' | ./json >complaint && fail "json.c takes what is no UTF-8"

# Locks: of both sides, at the time of each access; those of an access in an epoch where a lock was taken later are not mistaken for it.
cat >locks.c <<'END2'
#include <pthread.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static struct {
  int filler[2];
  pthread_rwlock_t lock;
} both = {{0}, PTHREAD_RWLOCK_INITIALIZER};
static int outside, inside, between;
static volatile int go;
static void *work(void *unused) {
  outside = 1;
  pthread_mutex_lock(&first);
  between = 1;
  pthread_rwlock_rdlock(&both.lock);
  inside = 1;
  pthread_rwlock_unlock(&both.lock);
  pthread_mutex_unlock(&first);
  for (int i = 0; i < 100000; i++) {
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
  }
  __atomic_store_n(&go, 1, __ATOMIC_RELAXED);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  while (!__atomic_load_n(&go, __ATOMIC_RELAXED))
    ;
  pthread_mutex_lock(&second);
  outside = 2;
  between = 2;
  inside = 2;
  pthread_mutex_unlock(&second);
  pthread_join(t, 0);
  return 0;
}
END2
build locks.c gcc -fsanitize=thread
run run ./locks
expect_code 0
expect_line err "Heddle: 3 findings (data-race: 3)"
grep -A1 '^  Previous write' err | sed 's/ at 0x[0-9a-f]*//; s/ \/.*//' >got
cat >wanted <<'END2'
  Previous write of size 4 by thread T1, holding no lock:
    #0 work
--
  Previous write of size 4 by thread T1, holding M2 'first':
    #0 work
--
  Previous write of size 4 by thread T1, holding M2 'first', M3 'both+8' (shared):
    #0 work
END2
sed 's/M[0-9]/M/g' got >got.names
sed 's/M[0-9]/M/g' wanted >wanted.names
expect_same wanted.names got.names
expect_count err 3 "by main thread, holding M1 'second':"
expect_in err "Lock M3 'both+8' (read-write lock at 0x"
expect_in err ") taken by thread T1 at:"
expect_in err "Not ordered: nothing that thread T1 did"
# Of the runtime's own functions a report names what the program called, and nothing behind it.
grep -F libtsan err | grep -vE '^    #0 pthread_(create|mutex_lock|rwlock_rdlock) <no line> ' >behind && { fail "$ran: a report shows the runtime:"; cat behind; }

run run --json ./locks
expect_code 0
expect_json err
expect_count err 3 '{"kind": "data-race", "message": "data race: write by main thread, previous write by thread T1", "pid": '
expect_count err 1 '{"kind": "summary", "pid": '
expect_in err '"findings": 3, "kinds": {"data-race": 3}, "repeated": 0, "left_out": 0, "dropped": 0, "complete": true, "suppressed": 0, "suppressions": []}'
expect_count err 3 '"lock": "M1", "kind": "mutex", "shared": false, "address": "0x'
expect_count err 1 '"lock": "M3", "kind": "read-write lock", "shared": true, "address": "0x'
expect_count err 1 '"variable": "both+8"'
expect_count err 3 '"locks_complete": true'
expect_count err 3 '"notes": ["Not ordered: nothing that thread T1 did'
expect_count err 3 '"location": {"kind": "global", "address": "0x'
expect_count err 1 '"variable": "inside"'
expect_count err 3 '"threads": [{"thread": "1", "name": null, "tid": '
expect_count err 3 '"creator": "0", "stack": [{"file": null, "line": 0, "column": 0, "function": "pthread_create", '
expect_in err '"function": "work", "module": "'"$work"'/locks", "offset": "0x'
expect_count err 3 '"confirmed": true}'
run run --format=json --log=log ./locks
expect_code 0
expect_empty err
expect_json log
expect_count log 1 '"kind": "summary"'
run run --format=xml ./locks
expect_complaint 'there is no report format "xml"; text and json are'

# Why: what was ordered last.
cat >why.c <<'END2'
#define _GNU_SOURCE
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int early, late, heap;
static volatile int turn;
static void wait_for(int n) {
  while (__atomic_load_n(&turn, __ATOMIC_RELAXED) != n)
    ;
}
static void *work(void *unused) {
  early = 1;
  wait_for(1);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  late = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_setname_np(t, "a \"name\"\377");
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  late = 2;
  __atomic_store_n(&turn, 1, __ATOMIC_RELAXED);
  pthread_join(t, 0);
  return early + heap;
}
END2
build why.c "$heddle" cc -fheddle=run
run run ./why
expect_code 1
expect_in err "Not ordered: of what main thread did, only what came before it gave back M1 'm' comes before this write by thread T1"
expect_line err "Heddle: 1 finding (data-race: 1)"
sed 's/ = 2;/ = 2, pthread_setname_np(pthread_self(), "a \\"\\001\\377\\342\\202");/' why.c >names.c
build names.c "$heddle" cc -fheddle=run
run run --json ./names
expect_code 1
expect_json err

# A heap block, a free, and one pair of instructions at several places.
cat >heap.c <<'END2'
#include <pthread.h>
#include <stdlib.h>
static void *fill(void *p) {
  for (int i = 0; i < 100; i++) ((int *)p)[i * 8] = i;
  return p;
}
int main(void) {
  pthread_t t;
  int *p = malloc(4000), sum = 0;
  pthread_create(&t, 0, fill, p);
  for (int i = 0; i < 100; i++) p[i * 8] = 1;
  pthread_join(t, 0);
  pthread_create(&t, 0, fill, p);
  free(p);
  pthread_join(t, 0);
  return sum;
}
END2
build heap.c gcc -fsanitize=thread
run run --json ./heap
expect_json err
expect_in err '"location": {"kind": "heap", "address": "0x'
expect_in err '"kind": "use-after-free", "message": "use after free (race with a free or destruction): '
expect_count err 1 '"kinds": {"data-race": 1, "use-after-free": 1}, "repeated": '
run run ./heap
expect_in err "Heddle: 2 findings (data-race: 1, use-after-free: 1); "
expect_in err " more like them are not shown"

# Suppressions.
cat >two.cc <<'END2'
#include <pthread.h>
namespace space {
int shared_one, shared_two;
struct tree {
  __attribute__((noinline)) void insert(int v) { shared_one = v; }
  __attribute__((noinline)) void remove(int v) { shared_two = v; }
};
}
static void *work(void *unused) {
  space::tree t;
  t.insert(1);
  t.remove(1);
  return unused;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
}
END2
build two.cc g++ -fsanitize=thread
run run ./two
expect_code 0
expect_line err "Heddle: 2 findings (data-race: 2)"
expect_in err "#0 space::tree::insert(int) "
for line in 'race:tree::insert' 'race:space::*::insert' 'race:^space::tree::insert' 'race:insert(int)$' 'race:^space::shared_one$' 'race_top:insert'; do
  printf '%s\n' "$line" >not-wanted
  run run --exit-code=9 --suppressions=not-wanted ./two
  ran="$ran with \"$line\""
  expect_code 9
  expect_count err 1 "WARNING: Heddle: data race"
  expect_line err "Heddle: 1 finding suppressed"
  expect_line err "  1 by $line ($work/not-wanted:1)"
  expect_not_in err "insert"'(int) /'
done
for line in 'race:two.cc' 'race:/two$' 'race:work' 'race:*' 'race:^main$' 'race_top:space::'; do
  printf '# all\n\n  %s \nrace:nothing\n' "$line" >not-wanted
  run run --exit-code=9 --suppressions=not-wanted ./two
  ran="$ran with \"$line\""
  expect_code 0
  expect_not_in err "WARNING"
  expect_line err "Heddle: 0 findings"
  expect_line err "Heddle: 2 findings suppressed"
  expect_line err "  2 by $line ($work/not-wanted:3)"
done
for line in 'race:^tree' 'race:insert$' 'race_top:work' 'race_top:main' 'deadlock:insert' 'mutex:insert' 'thread:*' 'signal:*' \
  'called_from_lib:libm.so' 'race:tre::*' '# race:*' ''; do
  printf '%s\n' "$line" >not-wanted
  run run --exit-code=9 --suppressions=not-wanted ./two
  ran="$ran with \"$line\""
  expect_code 9
  expect_line err "Heddle: 2 findings (data-race: 2)"
  expect_not_in err suppressed
done
printf 'race:*insert*' >not-wanted # without an end of line
run run --json --suppressions=not-wanted ./two
expect_json err
expect_in err '"suppressed": 1, "suppressions": [{"suppression": "race:*insert*", "file": "'"$work"'/not-wanted", "line": 1, "count": 1}]}'
printf 'race:insert\n' >more
HEDDLE_OPTIONS=suppressions=more "$heddle" run --suppressions=not-wanted ./two >out 2>err
code=$? ran='heddle run with two files of suppressions'
expect_code 0
expect_line err "  1 by race:insert (more:1)"
wrong() { # MESSAGE LINE
  printf 'race:fine\n%s\n' "$2" >bad
  run run --suppressions=bad ./two
  expect_complaint "$work/bad:2: $1"
  expect_empty out
}
wrong 'there is no type of suppressions "races": race, race_top, deadlock, thread, mutex, signal and called_from_lib are' 'races:x'
wrong 'a suppression is TYPE:PATTERN, not "insert"' 'insert'
wrong 'a suppression is TYPE:PATTERN, not "race:"' 'race:'
run run --suppressions=missing ./two
expect_complaint "cannot read suppressions from missing: No such file or directory"
HEDDLE_OPTIONS=suppressions=missing "$heddle" run ./two >out 2>err
code=$? ran='heddle run with suppressions that are missing'
expect_complaint "cannot read suppressions from missing: No such file or directory"
HEDDLE_OPTIONS=help "$heddle" run ./two >out 2>err
code=$? ran='heddle run with HEDDLE_OPTIONS=help'
expect_complaint 'HEDDLE_OPTIONS: there is no option "help": analysis, atexit_sleep_ms, confirm, exit_code, format, halt_on_error, log, report_unwatched, ring_kb, spec, strangers, suppressions, thread_leaks, trace, traced, unbounded and witness are'
cat >>two.cc <<'END2'
extern "C" const char *__tsan_default_suppressions() { return "# the program's own\nrace:insert\n"; }
END2
build two.cc g++ -fsanitize=thread
run run ./two
expect_line err "  1 by race:insert (__tsan_default_suppressions():2)"
expect_line err "Heddle: 1 finding (data-race: 1)"

# A report by a thread that another waits for, which holds the dynamic linker's lock.
cat >plugin.c <<'END2'
extern int shared;
void wait_for_report(void);
__attribute__((constructor)) static void begin(void) {
  shared = 1;
  wait_for_report();
}
END2
cat >host.c <<'END2'
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
int shared;
static sem_t done;
static volatile int loaded;
void wait_for_report(void) {
  __atomic_store_n(&loaded, 1, __ATOMIC_RELAXED);
  sem_wait(&done);
}
static void *work(void *unused) {
  while (!__atomic_load_n(&loaded, __ATOMIC_RELAXED))
    ;
  shared = 2;
  sem_post(&done);
  return unused;
}
int main(void) {
  pthread_t t;
  sem_init(&done, 0, 0);
  pthread_create(&t, 0, work, 0);
  if (!dlopen("./plugin.so", RTLD_NOW)) puts(dlerror());
  pthread_join(t, 0);
  return 0;
}
END2
gcc -g -fsanitize=thread -shared -fPIC plugin.c -o plugin.so || fail "plugin.c"
build host.c gcc -fsanitize=thread -rdynamic
timeout 60 "$heddle" run ./host >out 2>err
code=$? ran='heddle run of a program whose library waits for a report in its constructor'
expect_code 0
expect_in err "plugin.c:4"
expect_in err "Heddle: 1 finding"

# A small stack, a signal's stack, and a thread that is about to be cancelled.
cat >tight.c <<'END2'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
static volatile int a, b, c, go;
static char alternate[8192];
static void wait_for(int n) {
  while (__atomic_load_n(&go, __ATOMIC_RELAXED) != n)
    ;
}
static void handler(int number) { b = number; }
static void *on_small_stack(void *unused) {
  wait_for(1);
  a = 1;
  return unused;
}
static void *on_signal(void *unused) {
  stack_t s = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&s, 0);
  wait_for(2);
  raise(SIGUSR1);
  return unused;
}
static void *cancelled(void *unused) {
  wait_for(3);
  c = 1;
  puts("went on");
  fflush(stdout);
  pthread_testcancel();
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  struct sigaction action;
  void *result;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler, action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, 0);
  char *stack = mmap(0, 20480, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(stack, 4096, PROT_NONE);
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack + 4096, 16384);
  pthread_create(&t, &attributes, on_small_stack, 0);
  a = 2;
  __atomic_store_n(&go, 1, __ATOMIC_RELAXED);
  pthread_join(t, 0);
  pthread_create(&t, 0, on_signal, 0);
  b = 3;
  __atomic_store_n(&go, 2, __ATOMIC_RELAXED);
  pthread_join(t, 0);
  pthread_create(&t, 0, cancelled, 0);
  c = 2;
  pthread_cancel(t);
  __atomic_store_n(&go, 3, __ATOMIC_RELAXED);
  pthread_join(t, &result);
  puts(result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
  return 0;
}
END2
build tight.c gcc -fsanitize=thread
timeout 60 "$heddle" run ./tight >out 2>err
code=$? ran='heddle run of a program with small stacks and cancellation'
expect_code 0
expect_line err "Heddle: 3 findings (data-race: 3)"
printf 'went on\ncancelled\n' >wanted
expect_same wanted out

cat >opened.c <<'END2'
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
#include "moment.h"
static int file;
static void *reads(void *p) {
  char c;
  p = read(file, &c, 1) < 0 ? p : 0;
  moment_reach(1);
  return p;
}
int main(void) {
  pthread_t t;
  file = open("opened.c", O_RDONLY);
  pthread_create(&t, 0, reads, 0);
  moment_await(1);
  close(file);
  pthread_join(t, 0);
  return 0;
}
END2
build opened.c gcc -fsanitize=thread
"$heddle" run --analysis=ovp ./opened >out 2>err
code=$? ran='heddle run of a program that closes what is used'
expect_code 0
expect_in err "Location is descriptor"
expect_in err "opened by main thread at:"
expect_in err "opened.c:14"
"$heddle" run --json --analysis=ovp ./opened >out 2>err
code=$? ran='its JSON'
expect_code 0
expect_in err '"stack": [{"file": null, "line": 0, "column": 0, "function": "open", '
expect_in err '"line": 14'

cat >freed.c <<'END2'
#include <pthread.h>
#include <stdlib.h>
#include "moment.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *block;
static void *uses(void *p) {
  pthread_mutex_lock(&m);
  block[3]++;
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return p;
}
int main(void) {
  pthread_t t;
  block = calloc(1, 16);
  pthread_create(&t, 0, uses, 0);
  moment_await(1);
  pthread_mutex_lock(&m);
  free(block);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
END2
build freed.c "$heddle" cc -fheddle=run
"$heddle" run --analysis=ovp ./freed >out 2>err
code=$? ran='heddle run of a program whose block is gone when the finding is told'
expect_code 0
expect_in err "3 bytes from its begin, allocated by main thread at:"
expect_in err "freed.c:15"

# A use of freed memory and its race with the free are one defect, which is told as what goes wrong.
cat >freed.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *use(void *unused) { return *p = 1, unused; }
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, use, 0);
  free(p);
  pthread_join(t, 0);
  return 0;
}
END
run check --no-schedule freed.c
expect_code 1
expect_in out "BUG: 1 finding"
expect_in out "  use-after-free: write of 4 bytes of a freed heap block, and 1 more of the same"
done_testing

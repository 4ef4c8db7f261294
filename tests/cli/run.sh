# heddle run: what it refuses, and that a program keeps its own ways under it.
. "$(dirname "$0")/lib.sh"

cat >race.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile int shared;
static void *work(void *unused) {
  shared = 1;
  return unused;
}
int main(int argc, char **argv) {
  pthread_t t;
  const char *end = argc > 1 ? argv[1] : "return";
  char line[64] = "";
  if (fgets(line, sizeof line, stdin)) printf("read %s", line);
  pthread_create(&t, 0, work, 0);
  shared = 2;
  pthread_join(t, 0);
  fflush(stdout);
  if (strcmp(end, "_exit") == 0) _exit(7);
  if (strcmp(end, "exit") == 0) exit(5);
  if (strcmp(end, "abort") == 0) abort();
  if (strcmp(end, "kill") == 0) kill(getpid(), SIGTERM);
  if (strcmp(end, "crash") == 0) *(volatile int *)8 = 1;
  if (strcmp(end, "exec") == 0) execl("/bin/sh", "sh", "-c", "exit 9", (char *)0);
  return 3;
}
END
"$heddle" cc -g -fheddle=run race.c -o race || fail "heddle cc -fheddle=run"
gcc -g -fsanitize=thread race.c -o gcc-race || fail "gcc"
gcc -g race.c -o plain -lpthread
clang-19 -g -fsanitize=thread race.c -o clang-race || fail "clang"
gcc -g -fsanitize=thread -c race.c && "$heddle" link race.o -o linked || fail "heddle link"
"$heddle" link -fsanitize=thread -static-libtsan --with=gcc race.o -o gcc-carried || fail "heddle link -static-libtsan"
"$heddle" cc -g -O1 -fheddle=run -static-libsan race.c -o carried || fail "heddle cc -static-libsan"
ldd gcc-carried carried | grep -q libtsan && fail "-static-libsan: there is a library"

for program in ./race ./gcc-race ./linked ./gcc-carried ./carried; do
  for end in return:3 _exit:7 exit:5 abort:134 kill:143 crash:139 exec:9; do
    echo hello | "$heddle" run "$program" "${end%:*}" >out 2>err
    code=$? ran="heddle run $program $end"
    expect_code "${end#*:}"
    expect_line out "read hello"
    expect_in err "WARNING: Heddle: data race"
    expect_in err "SUMMARY: Heddle: data race"
  done
done

run run --exit-code=66 -- ./race </dev/null
expect_code 66
expect_line err "Heddle: 1 finding (data-race: 1)"
run run --exit-code=67 --halt-on-error ./race </dev/null
expect_code 67
expect_line err "Heddle: 1 finding (data-race: 1)"
expect_empty out
TSAN_OPTIONS='exitcode=5:history_size=7, color="no such:colour" report_thread_leaks=1' run run ./race </dev/null
expect_code 5
expect_line err "heddle: TSAN_OPTIONS: without a meaning here: history_size, color"
TSAN_OPTIONS='exitcode=5 report_bugs=0' run run ./race </dev/null
expect_code 3
expect_empty err
sed 's/static volatile int/static _Atomic int/; s/^  shared = 2;/  *(volatile int *)\&shared = 2;/' race.c >mixed.c
"$heddle" cc -g -fheddle=run mixed.c -o mixed || fail "heddle cc -fheddle=run mixed.c"
run run ./mixed </dev/null
expect_line err "Heddle: 1 finding (data-race: 1)"
TSAN_OPTIONS=report_atomic_races=0 run run ./mixed </dev/null
expect_code 3
expect_empty err
TSAN_OPTIONS=halt_on_error=1:log_path=$work/of run run ./race </dev/null
expect_code 66
expect_empty err
expect_in "$(echo "$work"/of.*)" "race.c:9"
TSAN_OPTIONS=halt_on_error=perhaps run run ./race </dev/null
expect_code 2
expect_line err 'heddle: TSAN_OPTIONS: halt_on_error is 0 or 1, not "perhaps"'
run run --atexit-sleep-ms=1000001 ./race
expect_code 2

# Threads that were neither joined nor detached, and what the process has time for.
cat >leaks.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void *end(void *argument) { return argument; }
static void *sleeps(void *argument) {
  for (;;) pause();
  return argument;
}
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "report_thread_leaks=1:atexit_sleep_ms=100:verbosity=1"; }
int main(int argc, char **argv) {
  pthread_t t;
  (void)argv;
  pthread_create(&t, 0, end, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, end, 0);
  pthread_detach(t);
  if (argc < 2) return 0;
  pthread_create(&t, 0, end, 0); /* line 19 */
  pthread_create(&t, 0, sleeps, 0);
  usleep(10000);
  if (fork() == 0) return 0;
  wait(0);
  return 0;
}
END
gcc -g -O1 -fsanitize=thread leaks.c -o leaks
run run --log=leaked ./leaks
expect_code 0
expect_line err "heddle: __tsan_default_options(): without a meaning here: verbosity"
expect_empty leaked
run run --log=leaked ./leaks leak
expect_in leaked "leaks.c:19"
expect_in leaked "Nobody joined or detached thread T3, which has ended."
expect_in leaked "leaks.c:20"
expect_in leaked "Nobody joined or detached thread T4, which still runs."
expect_line leaked "Heddle: 2 findings (thread-leak: 2)"
echo thread:main >known
run run --log=known-leaks --suppressions=known ./leaks leak
expect_line known-leaks "  2 by thread:main ($work/known:1)"
rm leaked
TSAN_OPTIONS=report_thread_leaks=0 run run --log=leaked ./leaks leak
expect_empty leaked

run run --log=findings ./race --log=other </dev/null
expect_code 3
expect_empty err
expect_in findings "Location is global 'shared' of size 4"
expect_in findings "race.c:9"
rm findings
run run --children --exit-code=4 sh -c './race </dev/null'
expect_code 4
run run sh -c ./race
expect_code 2
expect_in err "--children"
LD_LIBRARY_PATH=$(dirname "$(readlink -f "$(ldd ./race | sed -n 's/.*=> \(.*libtsan[^ ]*\) .*/\1/p')")") HEDDLE_OPTIONS=exit_code=4 ./gcc-race </dev/null 2>err
code=$? ran='a program started without heddle run'
expect_code 4

strip -o stripped carried
run run --exit-code=66 ./stripped </dev/null
expect_code 66
run link -static race.o -o still
expect_code 2
expect_in err "a program that is linked with -static cannot be watched"
run cc -fheddle=run -static race.c -o still
expect_code 2
for sanitizer in address undefined,memory leak hwaddress; do
  run cc -fheddle=run -fsanitize=$sanitizer -c race.c -o clashes.o
  expect_complaint "-fheddle=run: a program that is watched cannot have -fsanitize=${sanitizer#*,} as well"
done
run cc -fheddle=run -fsanitize=address -fno-sanitize=all -c race.c -o clashes.o
expect_code 0
run link -fsanitize=thread,address race.o -o clashes
expect_complaint "link: a program that is watched cannot have -fsanitize=address as well"
run cc -g -fheddle=run -fsanitize=thread,undefined race.c -o undefined
expect_code 0
nm undefined | grep -q __ubsan_handle_type_mismatch || fail "-fsanitize=undefined is lost"
run run --exit-code=66 ./undefined </dev/null
expect_code 66
expect_in err "race.c:9"
run link
expect_code 2
run link --with=no-such-compiler race.o
expect_code 2
expect_in err "cannot run no-such-compiler"

# A library that is watched, in a program that is not.
cat >library.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int locked, unlocked;
static void *right(void *argument) {
  pthread_mutex_lock(&lock);
  locked++;
  pthread_mutex_unlock(&lock);
  return argument;
}
static void *wrong(void *argument) {
  unlocked = 1;
  return argument;
}
int go(int how);
int go(int how) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, how ? wrong : right, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return locked + unlocked;
}
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  int (*go)(int) = library ? (int (*)(int))dlsym(library, "go") : NULL;
  if (!go) puts(dlerror());
  return argc > 2 && go ? go(atoi(argv[2])) : -1;
}
END
gcc -g loads.c -o loads
gcc -g -fsanitize=thread -shared -fPIC library.c -o library-gcc.so
"$heddle" cc -g -fheddle=run -shared -fPIC library.c -o library-cc.so
for library in ./library-gcc.so ./library-cc.so; do
  run run --children ./loads $library 1
  expect_code 1
  expect_line err "heddle: nothing is watched: a library was built for it, but not the program that loads it: see heddle run --preload"
  run run --preload ./loads $library 0
  expect_code 2
  expect_empty err
  run run --preload --exit-code=66 ./loads $library 1
  expect_code 66
  expect_in err "library.c:11"
done
run run ./loads ./library-gcc.so 1
expect_code 2
expect_in err "--preload"
echo 'int go(int how); int main(void) { return go(0); }' >needs.c
gcc -g needs.c -o needs ./library-gcc.so
run run --children ./needs
expect_code 2
expect_line err "heddle: nothing is watched: a library was built for it, but not the program that loads it: see heddle run --preload"
cat >library.cc <<'END'
struct count {
  int *at;
  count() : at(new int(0)) {}
};
extern "C" int go(int how) {
  static count c;
  try {
    throw how;
  } catch (int by) {
    *c.at += by;
  }
  return *c.at;
}
END
g++ -g -fsanitize=thread -shared -fPIC library.cc -o library-cxx.so
gcc -g -fsanitize=thread loads.c -o loads-watched
run run --preload ./loads ./library-cxx.so 3
expect_code 3
expect_empty err
run run ./loads-watched ./library-cxx.so 3
expect_code 3
expect_empty err

run run ./plain
expect_code 2
expect_in err "./plain was not built to be watched"
expect_in err "heddle cc -fheddle=run"
run run ./clang-race
expect_code 2
expect_in err "contains ThreadSanitizer's own runtime"
run run
expect_code 2
expect_in err "no program given"
run run ./missing
expect_code 2
expect_in err "cannot run ./missing: No such file or directory"
run run --exit-code=300 ./race
expect_code 2
run run --nonsense ./race
expect_code 2
HEDDLE_OPTIONS=nonsense=1 "$heddle" run ./race >out 2>err </dev/null
code=$? ran='heddle run with a wrong option in the environment'
expect_code 2
expect_in err 'there is no option "nonsense"'
(ulimit -v 4000000 && exec "$heddle" run ./race) >out 2>err </dev/null
code=$? ran='heddle run under ulimit -v'
expect_code 2
expect_in err "ulimit -v"

done_testing

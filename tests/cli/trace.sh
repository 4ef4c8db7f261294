# heddle trace: programs of heddle cc are built again, run, and leave a trace.
. "$(dirname "$0")/lib.sh"

racy racy.c
"$heddle" cc -g -O1 racy.c -o racy -pthread || fail "racy.c does not compile"
run trace ./racy
expect_code 0
expect_in err "heddle: the trace is in racy.trace: "
[ -s racy.trace ] && [ ! -e racy.trace.live ] || fail "$ran: no whole trace"

# It names the program, and notices another build of it.
run show racy.trace
expect_in out "trace of $(realpath racy), process"
expect_not_in out "built again"
expect_not_in out "missing"
run show --check racy.trace
expect_code 0
expect_in out " events keep all rules"
run predict racy.trace
expect_code 1
expect_not_in out "built again"
grep -E '^data-race|^  thread' out >found
cp heddle-data-race-1.witness racy.witness
run show racy.witness
expect_code 0
expect_in out "witness of data-race, found by maximal, in $(realpath racy)"
grep -q '^  before: thread 0.[12] write at racy.c:[0-9]*:[0-9]*$' out || { fail "$ran: no places"; cat out; }
expect_not_in out "built again"
run show --std racy.trace
expect_code 0
expect_in err "have no word in the STD format"
mv out racy.std
run predict racy.std
expect_code 1
[ "$(grep -c '^data-race' out)" = "$(grep -c '^data-race' found)" ] || { fail "racy.std has other races than racy.trace"; cat found out; }
"$heddle" cc -g -O0 racy.c -o racy -pthread || fail "racy.c does not compile"
for command in show predict; do
  run $command racy.trace
  expect_in out "the program has been built again since"
done
run show racy.witness
expect_in out "the program has been built again since"
run replay --native racy.witness
expect_in err "heddle: note: the witness is of another build of the program"

# The program's exit code, output, input and arguments; -o.
cat >echo.c <<'END'
#include <stdio.h>
int main(int n, char **words) {
  printf("%s %d", words[n - 1], getchar());
  return 7;
}
END
"$heddle" cc echo.c -o echo || fail "echo.c does not compile"
ran="heddle trace echo"
echo A | "$heddle" trace -o out.trace ./echo -x --ring=3 >out 2>err
code=$?
expect_code 7
expect_line out "--ring=3 65"
expect_in err "in out.trace: "

# A trace is one whatever its first bytes look like.
"$heddle" trace -o words.trace ./echo 'T0|r(x)|1' "$(printf '%0300d' 0)" </dev/null >out 2>err
run show words.trace
expect_code 0
expect_in out "T0|r(x)|1"

# Objects, archives, an assembler source and the object of one, an object of another compiler, a C++ library: all at once, and objects
# that have bitcode may be gone.
mkdir -p build lib
cat >build/main.cc <<'END'
#include <string>
#include <thread>
#include <mutex>
extern "C" int from_archive(int), from_assembler(void), from_part(void), from_other(void), from_library(void);
static std::mutex m;
static std::string s;
int main() {
  std::thread t([] { std::lock_guard<std::mutex> l(m); s += "a"; });
  { std::lock_guard<std::mutex> l(m); s += "b"; }
  t.join();
  return from_archive(1) + from_assembler() + from_part() + from_other() + from_library() + (int)s.size();
}
END
echo 'int unused; int from_archive(int n) { return n; }' >build/archive.c
printf '.globl from_assembler\nfrom_assembler:\n  mov $2, %%eax\n  ret\n.section .note.GNU-stack,"",@progbits\n' >build/part.s
sed 's/from_assembler/from_part/' build/part.s >build/object.s
echo 'int from_other(void) { return 3; }' >build/other.c
echo 'static int calls; int from_library(void) { return ++calls + 3; }' >lib/lib.c
(
  cd build || exit 1
  "$heddle" cc -g -c archive.c && ar rc libarchive.a archive.o && gcc -c other.c -o other.o 2>/dev/null || clang-19 -c other.c -o other.o
  # Versioned, as libtool does it: the program asks for libpart.so.1.
  "$heddle" cc -g -shared -fPIC -Wl,-soname,libpart.so.1 ../lib/lib.c -o ../lib/libpart.so.1.0.2
  ln -s libpart.so.1.0.2 ../lib/libpart.so.1 && ln -s libpart.so.1 ../lib/libpart.so
  "$heddle" c++ -g -O2 -c main.cc -o main.o
  "$heddle" cc -c object.s -o object.o
  "$heddle" c++ -g main.o part.s object.o other.o -L. -larchive -L../lib -lpart -Wl,-rpath,'$ORIGIN/../lib' -o ../mixed -pthread
  rm main.o archive.o main.cc
) || fail "mixed does not build"
LD_LIBRARY_PATH=lib run trace --everything ./mixed
expect_code 14
expect_in err "heddle: not recorded: part.s is an assembler source"
expect_in err "heddle: not recorded: other.o was built by another compiler"
expect_in err "heddle: the trace is in mixed.trace"
run show mixed.trace
expect_in out "lib.c:1:"

# Ends of all kinds: what was recorded is there.
cat >ends.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument) {
  for (;;) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
  }
  return argument;
}
int main(int n, char **words) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  usleep(20000);
  switch (words[1][0]) {
    case 'a': abort();
    case 'e': exit(3);
    case '_': _exit(4);
    case 'k': raise(SIGKILL);
    case 's': *(volatile int *)(long)(n - 2) = 1;
    case 'f':
      if (fork() == 0) {
        pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
        m = own;
        pthread_create(&t, 0, work, 0);
        exit(5);
      }
      wait(&n);
      exit(WEXITSTATUS(n));
  }
  return 6;
}
END
"$heddle" cc -g ends.c -o ends -pthread || fail "ends.c does not compile"
for end in a:134 e:3 _:4 k:137 s:139 f:5 r:6; do
  rm -f ends.trace*
  run trace ./ends ${end%:*}
  expect_code ${end#*:}
  [ -s ends.trace ] || fail "$ran: no trace"
  case $end in
    [aks]*) expect_in err ", the newest events in ends.trace.live" ;;
    *) [ ! -e ends.trace.live ] || fail "$ran: ends.trace.live is left" ;;
  esac
  [ "$end" != f:5 ] || expect_in err "; ends.trace.PID: 1 of child processes"
done
run trace --ring=256K ./ends e
expect_code 3
[ "$(du -k ends.trace | cut -f1)" -lt 600 ] || fail "$ran: $(du -k ends.trace)"

# What cannot be.
run trace
expect_complaint "no program given"
run trace ./nowhere
expect_complaint "cannot run ./nowhere: No such file or directory"
run trace --ring=x ./echo
expect_complaint "--ring takes a size like 100M, not \"x\""
clang-19 echo.c -o bare || exit 77
run trace ./bare
expect_complaint "./bare carries no bitcode: it was built by another compiler, or stripped"
"$heddle" cc echo.c -o static -static 2>/dev/null && {
  run trace ./static
  expect_complaint "a program that is linked with -static cannot be watched: the runtime stands before the C library"
}
run trace -o /nowhere/x ./echo
expect_in err "heddle: cannot write the trace /nowhere/x: No such file or directory"
[ "$code" != 0 ] || fail "$ran: exit code 0"
mkdir gone && (cd gone && "$heddle" cc ../echo.c -o ../moved) && rmdir gone
run trace ./moved
expect_in err "where ../moved was linked, is not there any more"

# Two locks in two orders: a deadlock, but not if one thread only tries.
for second in lock trylock; do
  cat >orders.c <<END
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *unused) {
  pthread_mutex_lock(&b);
  if (pthread_mutex_$second(&a) == 0) pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  usleep(100000);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return pthread_join(t, 0);
}
END
  "$heddle" cc -g -O1 orders.c -o orders -pthread || fail "orders.c does not compile"
  run trace -o $second.trace ./orders
  run predict $second.trace
  case $second in
    lock) expect_code 1 && expect_in out "deadlock, found by maximal" ;;
    trylock) expect_code 0 && expect_in out "0 findings, 0 undecided" ;;
  esac
done

# Libraries without names of their own, so that they are needed by the paths of the link line: also one by another, and by a name.
mkdir -p paths/sub
cat >paths/deep.c <<'END'
int deep;
int deeper(void) { return deep++; }
END
cat >paths/near.c <<'END'
int deeper(void);
int nearer(void) { return deeper(); }
END
cat >paths/main.c <<'END'
#include <pthread.h>
int nearer(void), deeper(void);
static void *work(void *argument) {
  nearer();
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return deeper() != 1;
}
END
(
  cd paths || exit 1
  "$heddle" cc -g -shared -fPIC deep.c -o sub/libdeep.so
  echo 'VERSION_1 { global: nearer; };' >near.map
  "$heddle" cc -g -shared -fPIC near.c -Wl,--version-script=near.map ./sub/libdeep.so -o ./libnear.so
  "$heddle" cc -g main.c ./libnear.so ./sub/libdeep.so -o main -pthread
) || fail "paths/main does not build"
(cd paths && "$heddle" trace --everything -o main.trace ./main >../out 2>../err)
code=$? ran="heddle trace paths/main"
expect_code 0
expect_not_in err "not recorded"
run show paths/main.trace
expect_in out "deep.c:2:"
expect_in out "near.c:"

# Races in functions that shall not be watched are none, if the build for heddle run has kept that; what is done there is in the trace.
cat >unwatched.c <<'END'
#include <pthread.h>
static int counter, flag, data;
__attribute__((no_sanitize("thread"))) static void count(void) { counter++; }
__attribute__((no_sanitize("thread"))) static int is_set(void) { return *(volatile int *)&flag; }
static void *work(void *argument) {
  data = 1;
  flag = 1;
  count();
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  while (!is_set()) continue;
  count();
  data++;
  return pthread_join(t, 0);
}
END
"$heddle" cc -g -O1 -fheddle=run unwatched.c -o unwatched -pthread || fail "unwatched.c does not compile"
run trace ./unwatched
expect_code 0
run predict --no-witness unwatched.trace
expect_code 0
expect_line out '2 data races left out, in functions with no_sanitize("thread")'
expect_line out "0 findings, 0 undecided"
"$heddle" cc -g -O1 unwatched.c -o unwatched -pthread || fail "unwatched.c does not compile"
run trace ./unwatched
run predict --no-witness unwatched.trace
expect_code 1
expect_line out "2 findings, 0 undecided"
echo 'race:is_set' >wanted
echo 'race:count' >>wanted
run predict --no-witness --suppressions=wanted unwatched.trace
expect_code 0
expect_line out "2 findings suppressed"

# A program that was built in another folder, by a relative path: its source is found.
mkdir -p project/source project/build
cp racy.c project/source/far.c
(cd project/build && "$heddle" cc -g -O1 ../source/far.c -o far -pthread) || fail "far.c does not compile"
run trace project/build/far
run predict --no-witness far.trace
expect_code 1
expect_in out " at project/build/../source/far.c:"
grep -q ' writes at project/build/../source/far.c:[0-9]*:[0-9]*: .' out || { fail "$ran: no text of the source"; cat out; }

# A library of heddle cc that is opened by dlopen() is not recorded, and that is said.
echo 'int shared; void work(void) { shared++; }' >plugin.c
cat >opens.c <<'END'
#include <dlfcn.h>
int main(int n, char **words) {
  void *library = dlopen("./plugin.so", RTLD_NOW);
  void (*work)(void) = library ? (void (*)(void))dlsym(library, "work") : 0;
  if (!work) return 1;
  work();
  if (words[n - 1][0] == 'c') dlclose(library);
  return 0;
}
END
"$heddle" cc -g -shared -fPIC plugin.c -o plugin.so || fail "plugin.c does not compile"
"$heddle" cc -g opens.c -o opens -ldl || fail "opens.c does not compile"
for way in stays closes; do
  run trace ./opens $way
  expect_code 0
  expect_line err "heddle: not recorded: ./plugin.so, which the program opened by dlopen(); link the program with it"
  run predict opens.trace
  expect_code 3
  expect_line out "not recorded: ./plugin.so, opened by dlopen(): what is said is about the rest"
done

# Other runtimes: refused. And a program that leaves no trace.
echo 'int main(void) { return 0; }' >other.c
for sanitizer in thread address; do
  "$heddle" cc -g -fsanitize=$sanitizer other.c -o other || fail "other.c does not compile"
  run trace ./other
  expect_code 2
  expect_in err " -fsanitize=$sanitizer"
done
printf '#include <stdio.h>\nint main(void) { return remove("removes.trace"); }' >removes.c
"$heddle" cc -g removes.c -o removes || fail "removes.c does not compile"
run trace ./removes
expect_complaint "the program has left no trace in removes.trace"

# A child of fork() knows its places, and a lock that the forking thread held.
cat >child.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void before(void) { pthread_mutex_lock(&m); }
static void behind(void) { pthread_mutex_unlock(&m); }
static void *work(void *unused) {
  x++;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_atfork(before, behind, behind);
  if (fork() != 0) return wait(0) < 0;
  pthread_create(&t, 0, work, 0);
  x++;
  pthread_join(t, 0);
  return 0;
}
END
"$heddle" cc -g -O1 child.c -o child -pthread || fail "child.c does not compile"
run trace ./child
expect_code 0
for trace in child.trace child.trace.*; do
  run show --check "$trace"
  expect_code 0
done
run predict --no-witness "$trace"
expect_code 1
expect_in out "s at child.c:9:4: x++;"
expect_in out "s at child.c:17:4: x++;"

# Assembler code that changes memory by an address in a register.
cat >hidden.c <<'END'
int main(void) {
  static long from[4], to[4];
  long *source = from, *target = to, n = 4;
#ifdef __x86_64__
  __asm__ volatile("rep movsq" : "+S"(source), "+D"(target), "+c"(n) : : "memory");
#endif
  __asm__ volatile("" : : "r"(source) : "memory");
  return to[3] != 0;
}
END
if [ "$(uname -m)" = x86_64 ]; then
  "$heddle" cc -g hidden.c -o hidden || fail "hidden.c does not compile"
  for nth in first cached; do
    run trace ./hidden
    expect_code 0
    expect_line err "heddle: not recorded: what assembler code changes by an address in a register, at hidden.c:5"
  done
fi
done_testing

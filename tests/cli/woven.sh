# heddle cc -fheddle=run: stacks behind exceptions, and accesses that clang's own pass does not see.
. "$(dirname "$0")/lib.sh"

# More frames are passed by than the runtime keeps.
cat >thrown.cc <<'END'
#include <pthread.h>
static volatile int shared, last;
__attribute__((noinline)) static void touch(int v) { shared = v; }
struct guard {
  ~guard() { last = 2; }
};
__attribute__((noinline)) static void thrower(int n) {
  guard g;
  if (n == 0) throw 7;
  thrower(n - 1);
  last = 1;
}
__attribute__((noinline)) static void catcher() {
  try {
    thrower(20);
  } catch (int) {
    last = 3;
  }
}
static void *work(void *argument) {
  for (int i = 0; i < 5000; i++) catcher();
  try {
    thrower(3);
  } catch (int) {
    touch(1);
  }
  return argument;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  touch(2);
  pthread_join(t, 0);
}
END
for level in -O0 -O2; do
  "$heddle" c++ -g $level -fheddle=run thrown.cc -o thrown || fail "heddle c++ $level"
  run run ./thrown
  expect_code 0
  expect_in err 'Heddle: 1 finding (data-race: 1)'
  for frame in '#0 touch(int) .*thrown\.cc:3:' '#1 work(void\*) .*thrown\.cc:25:' '#1 main .*thrown\.cc:32:'; do
    grep -q "$frame" err || fail "$level: no $frame"
  done
  expect_not_in err '    #2'
done

# An instruction that is of no line.
cat >nowhere.c <<'END'
#include <pthread.h>
static int shared;
static void *work(void *argument) {
#line 0
  shared++; return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  shared--;
  pthread_join(t, 0);
  return 0;
}
END
"$heddle" cc -w -g -O1 -fheddle=run nowhere.c -o nowhere || fail "heddle cc nowhere.c"
run run ./nowhere
expect_in err 'Heddle: 1 finding (data-race: 1)'
grep -q '#0 work .*nowhere\.c (nowhere+' err && ! grep -q 'nowhere\.c:0' err || fail "line 0: $(cat err)"

# Builds $1, without and with optimisation, and expects the findings `$3` of it with the flags `$2`.
finds() {
  for level in -O0 -O2; do
    "$heddle" c++ -g $level -I"$root/tests/run" -fheddle=run "$1" $2 -o program || fail "heddle c++ $level $1"
    run run ./program
    expect_code 0
    if [ "$3" = nothing ]; then
      [ ! -s err ] || fail "$1 $2 $level: $(cat err)"
    else
      grep -q "Heddle: $3" err || fail "$1 $2 $level: no $3, but $(cat err)"
    fi
  done
}

# Atomic operations order others also in functions that shall not be watched.
cat >unwatched.cc <<'END'
#include <pthread.h>
static int data, ready;
#ifdef FIXED
enum { RELEASE = __ATOMIC_RELEASE, ACQUIRE = __ATOMIC_ACQUIRE };
#else
enum { RELEASE = __ATOMIC_RELAXED, ACQUIRE = __ATOMIC_RELAXED };
#endif
__attribute__((no_sanitize("thread"), noinline)) static void set() { __atomic_store_n(&ready, 1, RELEASE); }
__attribute__((no_sanitize("thread"), noinline)) static int get() { return __atomic_load_n(&ready, ACQUIRE); }
static void *work(void *argument) {
  data = 1;
  set();
  return argument;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  while (!get()) continue;
  data++;
  pthread_join(t, 0);
}
END
finds unwatched.cc '' '1 finding (data-race: 1)'
finds unwatched.cc -DFIXED nothing

# Inline assembler orders by its operands in memory.
cat >assembler.cc <<'END'
#include <pthread.h>
static int data, ready;
#ifdef __x86_64__
static void set() { asm volatile("movl $1, %0" : "=m"(ready) : : "memory"); }
static int get() {
  int value;
  asm volatile("movl %1, %0" : "=r"(value) : "m"(ready) : "memory");
  return value;
}
#else
static void set() { __atomic_store_n(&ready, 1, __ATOMIC_RELEASE); }
static int get() { return __atomic_load_n(&ready, __ATOMIC_ACQUIRE); }
#endif
static void *work(void *argument) {
#ifdef FIXED
  data = 1;
  set();
#else
  set();
  data = 1;
#endif
  return argument;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  while (!get()) continue;
  data++;
  pthread_join(t, 0);
}
END
finds assembler.cc '' '1 finding (data-race: 1)'
finds assembler.cc -DFIXED nothing

# A structure given by value is read by its caller.
cat >by-value.cc <<'END'
#include "fixed.h"
struct big {
  long parts[9];
};
static struct big shared;
__attribute__((noinline)) static long second(struct big b) { return b.parts[1]; }
static void *work(void *argument) {
  lock();
  shared.parts[7] = 1;
  unlock();
  return argument;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  lock();
  volatile long n = second(shared);
  unlock();
  pthread_join(t, 0);
  return n != 0;
}
END
finds by-value.cc '' '1 finding (data-race: 1)'
finds by-value.cc -DFIXED nothing

# The address of a local goes to a function that promises to forget it, and gives it to a thread meanwhile.
cat >meanwhile.cc <<'END'
#include <pthread.h>
static void *work(void *argument) {
  ++*(int *)argument;
  return argument;
}
void start(int *p, pthread_t *t) noexcept { pthread_create(t, 0, work, p); }
extern void begin(__attribute__((noescape)) int *p, pthread_t *t) __asm__("_Z5startPiPm");
__attribute__((noinline)) static void hand_on(int *p, pthread_t *t) { begin(p, t); }
int main() {
  pthread_t t;
  int n = 0;
  hand_on(&n, &t);
#ifdef FIXED
  pthread_join(t, 0);
  n++;
#else
  n++;
  pthread_join(t, 0);
#endif
  return n < 0;
}
END
finds meanwhile.cc '' '1 finding (data-race: 1)'
finds meanwhile.cc -DFIXED nothing

# Blocks of memory of all lengths, known and unknown: each line of EACH races in another one.
cat >blocks.cc <<'END'
#include <string.h>

#include "fixed.h"
#define EACH(DO)                                                              \
  DO(a, 8, memcpy(a, from, unknown)) DO(b, 8, memset(b, 1, unknown))          \
  DO(c, 8, memmove(c, from, unknown)) DO(d, 21, memcpy(d, from, 21))          \
  DO(e, 21, memset(e, 1, 21)) DO(f, 100, memmove(f, from, 100))               \
  DO(g, 128, memset(g, 1, 128)) DO(h, 129, memcpy(h, from, 129))              \
  DO(i, 999, memset(i, 1, 999)) DO(j, 999, memmove(j, from, 999))
static volatile unsigned long unknown = 8;
char from[1000];
#define DEFINE(name, length, call) char name[length];
#define BLOCK(name, length, call) call;
#define BYTE(name, length, call) name[length - 1] = 7;
EACH(DEFINE)
static void *work(void *argument) {
  lock();
  EACH(BLOCK)
  unlock();
  return argument;
}
int main() {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  lock();
  EACH(BYTE)
  unlock();
  pthread_join(t, 0);
}
END
finds blocks.cc '' '10 findings (data-race: 10)'
finds blocks.cc -DFIXED nothing

# Loops that the compiler makes of vectors, of which not all elements are accessed.
cat >masked.cc <<'END'
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int some[64], at[64], to[64], far[64];
long sum;
__attribute__((noinline)) static void work_on(int n) {
  for (int i = 0; i < n; i++)
    if (some[i]) to[i] = i;
  for (int i = 0; i < n; i++)
    if (some[i]) sum += far[at[i]];
}
static void *work(void *argument) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
  work_on(64);
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
#endif
  return argument;
}
int main() {
  pthread_t t;
  for (int i = 0; i < 64; i++) some[i] = i & 1, at[i] = 63 - i;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&mutex);
  to[33] = 5;
  far[30] = 5;
  pthread_mutex_unlock(&mutex);
  to[32] = far[31] = 6; /* nobody else is here */
  pthread_join(t, 0);
}
END
if grep -q avx2 /proc/cpuinfo; then
  finds masked.cc -mavx2 '2 findings (data-race: 2)'
  finds masked.cc '-mavx2 -DFIXED' nothing
fi

# What a list says is not watched.
cat >listed.cc <<'END'
#include <pthread.h>
int global;
static void *adds(void *argument) { return global++, argument; }
static void *takes_off(void *argument) { return global--, argument; }
int main() {
  pthread_t t[2];
  pthread_create(&t[0], 0, adds, 0);
  pthread_create(&t[1], 0, takes_off, 0);
  for (pthread_t one : t) pthread_join(one, 0);
}
END
echo 'fun:*takes_off*' >list
finds listed.cc '' '1 finding (data-race: 1)'
finds listed.cc '-fsanitize-ignorelist=list' nothing

# Code that may lie anywhere.
finds listed.cc '-mcmodel=large' '1 finding (data-race: 1)'

# The check of an access in a loop is in the code, but a function of thousands of them would take very long to compile: there it is called.
cat >long.c <<'END'
#include <pthread.h>
#define TEN(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
static volatile int shared, times = 10;
static void *work(void *argument) {
  for (int i = times; i > 0; i--) { MANY(shared = i;) }
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
}
END
for many in 'TEN(TEN(TEN(__VA_ARGS__)))=beyond' 'TEN(TEN(TEN(TEN(__VA_ARGS__))))=near'; do
  "$heddle" cc -g -O2 -fheddle=run "-DMANY(...)=${many%=*}" long.c -o long || fail "heddle cc $many"
  nm long | grep -q "__heddle_${many#*=}_write4" || fail "$many: the check is another"
  run run ./long
  expect_in err 'data race'
done

done_testing

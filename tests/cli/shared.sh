# heddle cc -fheddle=run compiles once: the bitcode for heddle check is the module that the native compilation begins with.
. "$(dirname "$0")/lib.sh"

compiler=$(command -v clang-19 || command -v clang)
cat >counting <<END
#!/bin/sh
case \$1 in -dM | -dumpversion) ;; *) echo run >>"$PWD/runs" ;; esac
exec "$compiler" "\$@"
END
chmod +x counting
HEDDLE_CLANG=$PWD/counting
export HEDDLE_CLANG

# Expects that clang runs $1 times for the rest of the arguments.
compiles() {
  times=$1 && shift
  : >runs
  "$heddle" cc -fheddle=run "$@" || fail "heddle cc $*"
  [ "$(wc -l <runs)" = "$times" ] || fail "clang ran $(wc -l <runs) times, not $times: $*"
}
# Expects that heddle check has the program's bitcode, and the exit code $2.
checks() {
  run check "$1"
  expect_code "$2"
}

cat >pair.c <<'END'
#include <assert.h>
#include <pthread.h>
static int a, b;
static void *work(void *argument) {
  a++; /* races with main() */
  return argument;
}
int main(int count, char **words) {
  pthread_t t;
  (void)words;
  b = count;
  pthread_create(&t, 0, work, 0);
#ifndef FIXED
  a++;
#endif
  pthread_join(t, 0);
#ifdef FIXED
  a++;
#endif
  assert(a == 2 && b == 1);
}
END
for level in -O0 -O2 -Os; do
  compiles 1 -g $level pair.c -o pair
  checks ./pair 1
  expect_in out 'pair.c:5'
  compiles 1 -g $level -DFIXED -c pair.c
  compiles 1 pair.o -o pair
  checks ./pair 0
  run run ./pair
  expect_code 0
  expect_empty err
done

# What heddle check would not see as it should: functions that are fortified, no or little debug information, modules that hold more.
sed 's/main(/other(/; s/work/working/; s/^  assert.*/&\n  return 0;/' pair.c >other.c
compiles 2 -g -O2 -D_FORTIFY_SOURCE=2 -c pair.c
compiles 2 -g -O2 -Wp,-D_FORTIFY_SOURCE=2 -c pair.c
compiles 2 -O2 -c pair.c
compiles 2 -g -O2 -gline-tables-only -c pair.c
compiles 2 -g -g0 -O2 -c pair.c
compiles 2 -g -O2 -fprofile-instr-generate -c pair.c
compiles 2 -g -O2 -finstrument-functions -c pair.c
compiles 3 -g -O2 pair.c other.c -o pair
checks ./pair 1

# What a program says to ThreadSanitizer, it does not say to heddle check.
cat >annotated.c <<'END'
#include <pthread.h>
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SAYS
void __tsan_acquire(void *), __tsan_release(void *);
#endif
#endif
static int x;
static void *work(void *argument) {
  x = 1;
#ifdef SAYS
  __tsan_release(&x);
#endif
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
#ifdef SAYS
  __tsan_acquire(&x);
#endif
  return x - 1;
}
END
compiles 2 -g -O2 annotated.c -o annotated
checks ./annotated 0
run run ./annotated
expect_code 0

# Errors are told once, and nothing is left behind.
printf 'int main(void) { return nothing; }\n' >wrong.c
: >runs
run cc -fheddle=run -g -c wrong.c
expect_code 1
[ "$(wc -l <runs)" = 1 ] && [ "$(grep -c 'error:' err)" = 1 ] && [ ! -e wrong.o ] || fail "wrong.c: $(cat err)"
done_testing

# Libraries that a program opens while it runs: as natively, and explored.
. "$(dirname "$0")/lib.sh"
cp "$root"/tests/cli/loads/*.c .

# From a source, and from a library with bitcode; the program prints what it prints natively.
"$heddle" cc -g -shared -fPIC plugin.c -o plugin.so || fail "the library is not built"
cc -rdynamic -w program.c -o program -ldl -pthread && ./program >native || fail "the program does not run natively"
run exec --loads=plugin.c program.c
expect_code 0
expect_same out native
run check --no-schedule --loads=./plugin.so program.c
expect_code 0
expect_in out "a library that dlopen() asked for was not there (--loads=FILE gives one): at program.c:29:3"
expect_empty err
mv plugin.c other.c
run check --no-schedule --loads=plugin.so=other.c program.c
expect_code 0

# What is not given is not there: dlopen() says so, and so does the verdict.
run check --no-schedule program.c
expect_code 1
expect_in out "assertion \`h && program_value == 2' failed"
expect_in out "at program.c:29:3 and program.c:32:13"

# A race in the library, its schedule, and its replay; with a lock there is none.
cat >main.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int (*add)(int);
int program_value;
static void *run(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  add(1);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  add = (int (*)(int))dlsym(dlopen("plugin.so", RTLD_NOW), "add");
  pthread_create(&t, 0, run, 0);
  run(0);
  pthread_join(t, 0);
  return 0;
}
END
for strategy in naive dpor maximal; do
  run check --strategy=$strategy -o s --loads=plugin.so main.c
  expect_code 1
  expect_in out "data-race: write and read of hidden are not ordered"
  run check --strategy=$strategy --no-schedule --loads=plugin.so -DFIXED main.c
  expect_code 0
done
expect_in s "loads plugin.so"
run replay s
expect_code 1
expect_in out "data-race: write and read of hidden are not ordered"
expect_in out ":13:10 in add"
run check --loads=nothing.so main.c
expect_complaint "cannot open nothing.so: No such file or directory"
done_testing

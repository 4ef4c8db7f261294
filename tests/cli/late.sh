# heddle run: libraries that come late and go, at the same addresses, with threads that their constructors start.
. "$(dirname "$0")/lib.sh"

cat >library.c <<'END'
#include <pthread.h>
#include <unistd.h>
int counter;
static int counted;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t own;
static __thread int mine;
static void *count(void *argument) {
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&mutex);
    counted++;
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}
__attribute__((constructor)) static void begin(void) {
  counter = 1;
  pthread_create(&own, 0, count, 0);
}
__attribute__((destructor)) static void end(void) {
  if (counted != 100) _exit(9);
}
int work(int n) {
  if (n == 0) return pthread_join(own, 0) + counted;
#ifndef BROKEN
  pthread_mutex_lock(&mutex);
#endif
  counter += n;
#ifndef BROKEN
  pthread_mutex_unlock(&mutex);
#endif
  return ++mine;
}
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
static int (*work)(int);
static void *works(void *argument) {
  for (int i = 0; i < 50; i++) work(1);
  return argument;
}
static void *once(void *name) {
  pthread_t t[2];
  void *library = dlopen(name, RTLD_NOW);
  if (!library) _exit(3);
  work = (int (*)(int))dlsym(library, "work");
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, works, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  if (work(0) != 100) _exit(4);
  dlclose(library);
  return name;
}
int main(int argc, char **argv) {
  for (int round = 0; round < 4; round++)
    for (int i = 1; i < argc; i++) {
      pthread_t t;
      once(argv[i]);
      pthread_create(&t, 0, once, argv[i]);
      pthread_join(t, 0);
    }
  return 0;
}
END
"$heddle" cc -g -O1 -fheddle=run loads.c -o loads || fail "heddle cc loads.c"
"$heddle" cc -g -O1 -fheddle=run -static-libsan -rdynamic loads.c -o carried || fail "heddle cc -static-libsan loads.c"
"$heddle" cc -g -O1 -fheddle=run -fPIC -shared library.c -o ours.so || fail "heddle cc library.c"
"$heddle" cc -g -O1 -fheddle=run -fPIC -shared -DBROKEN library.c -o broken.so || fail "heddle cc -DBROKEN library.c"
gcc -g -O1 -fsanitize=thread -fPIC -shared library.c -o gcc.so || fail "gcc library.c"
gcc -g -O1 -fPIC -shared library.c -o unwatched.so || fail "gcc library.c, without flags"
for program in ./loads ./carried; do
  run run "$program" ./ours.so ./gcc.so ./unwatched.so
  expect_code 0
  expect_empty err
  run run "$program" ./unwatched.so ./broken.so
  expect_code 0
  expect_in err "WARNING: Heddle: data race"
  expect_in err "library.c:"
done

done_testing

# heddle cc -fheddle=run: stacks behind exceptions.
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
  for frame in '#0 touch(int) .*thrown\.cc:3 ' '#1 work(void\*) .*thrown\.cc:25 ' '#1 main .*thrown\.cc:32 '; do
    grep -q "$frame" err || fail "$level: no $frame"
  done
  expect_not_in err '    #2'
done

done_testing

// std::call_once, with a first attempt that throws, and a function-local static that two threads reach.
// verdict: SAFE
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int calls;

struct expensive {
  int value;
  expensive() : value(++calls) {}
};

static expensive &instance() {
  static expensive object;
  return object;
}

static int value;

static void use() {
  std::call_once(flag, [] { value = 5; });
  assert(value == 5);
  assert(instance().value == 1);
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  assert(calls == 1);
  return 0;
}

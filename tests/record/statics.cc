/* Static variables of functions, which are made when first asked for, by whichever thread: their guards are read as atomics by compiled code,
 * and written by the library. */
#include <cassert>
#include <thread>
#include <vector>

struct counter {
  int value, *at;
  counter() : value(1), at(new int(2)) { }
  ~counter() { delete at; }
};

static counter &shared() {
  static counter c;
  return c;
}
static const std::vector<int> &table() {
  static const std::vector<int> t(100, 7);
  return t;
}
template <int N> static int part() {
  static counter c;
  return *c.at + N;
}

static void work() {
  int sum = shared().value;
  for (int n : table()) sum += n;
  assert(sum == 701 && part<1>() == 3 && part<2>() == 4);
}

int main() {
  shared();
  std::thread first(work), second(work);
  work();
  first.join(), second.join();
}

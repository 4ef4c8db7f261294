// std::async, std::future, std::promise, exceptions through a future.
// verdict: SAFE
#include <cassert>
#include <future>
#include <stdexcept>

static int square(int n) {
  if (n < 0) throw std::invalid_argument("negative");
  return n * n;
}

int main() {
  auto a = std::async(std::launch::async, square, 5);
  auto b = std::async(std::launch::async, square, -1);
  assert(a.get() == 25);
  bool thrown = false;
  try {
    b.get();
  } catch (const std::invalid_argument &) {
    thrown = true;
  }
  assert(thrown);
  std::promise<int> p;
  auto f = p.get_future();
  p.set_value(3);
  assert(f.get() == 3);
  return 0;
}

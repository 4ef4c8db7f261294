// A std::vector filled by two std::threads under a std::mutex; without the mutex it is a race.
// verdict: SAFE
// case: racy -DRACY
// verdict: BUG
// options: --stop-at-first
// finding: data-race|use-after-free|double-free|out-of-bounds
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> values;
static std::mutex lock;

static void add(int n) {
#ifndef RACY
  std::lock_guard<std::mutex> guard(lock);
#endif
  values.push_back(n);
}

int main() {
  std::thread a(add, 1), b(add, 2);
  a.join();
  b.join();
  assert(values.size() == 2 && values[0] + values[1] == 3);
  return 0;
}

// std::atomic: counting is safe, load and store is not.
// verdict: SAFE
// options: --strategy=dpor
// executions: 2
// case: split -DSPLIT
// verdict: BUG
// finding: assertion A
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> count{0};

static void add() {
#ifdef SPLIT
  count = count + 1;
#else
  ++count;
#endif
}

int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  assert(count == 2);  // @A
  return 0;
}

// An exception that no handler takes, in one interleaving.
// verdict: BUG
// finding: uncaught-exception A
// case: fixed -DFIXED
// verdict: SAFE
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> state{0};

static void close_it() { state.store(2); }

static void check() {
  if (state.load() == 2) throw std::runtime_error("closed");  // @A
}

int main() {
  std::thread closer(close_it);
#ifdef FIXED
  try {
    check();
  } catch (const std::exception &) {
    state.store(3);
  }
  closer.join();
#else
  check();
  closer.join();
#endif
  return 0;
}

// std::scoped_lock and std::lock take several mutexes without a deadlock, whatever their order: who finds one taken gives all back and begins
// with that. In step two threads could do so for ever, which is no finding. One mutex after the other is a deadlock.
// verdict: SAFE
// case: dpor
// options: --strategy=dpor
// verdict: SAFE
// case: lock -DLOCK
// verdict: SAFE
// case: one-by-one -DONE_BY_ONE
// verdict: BUG
// finding: deadlock
#include <mutex>
#include <thread>

static std::mutex a, b;
static int n;

static void both(std::mutex &first, std::mutex &second) {
#if defined ONE_BY_ONE
  std::lock_guard<std::mutex> one(first), other(second);
#elif defined LOCK
  std::lock(first, second);
  std::lock_guard<std::mutex> one(first, std::adopt_lock), other(second, std::adopt_lock);
#else
  std::scoped_lock locks(first, second);
#endif
  n++;
}

int main() {
  std::thread t([] { both(a, b); });
  both(b, a);
  t.join();
  return n == 2 ? 0 : 1;
}

// std::shared_ptr: copies in two threads are safe, the object is destroyed once; a plain pointer into it is not.
// verdict: SAFE
// case: raw -DRAW
// verdict: BUG
// options: --stop-at-first
// finding: use-after-free|data-race
#include <memory>
#include <thread>

struct config {
  int limit = 10;
};

int main() {
  auto current = std::make_shared<config>();
#ifdef RAW
  config *mine = current.get();
  std::thread t([mine] { return mine->limit; });
#else
  std::thread t([mine = current] { return mine->limit; });
#endif
  current.reset();
  t.join();
  return 0;
}

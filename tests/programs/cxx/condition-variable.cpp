// std::condition_variable with a predicate; without one the notification can be lost.
// verdict: SAFE
// case: lost -DLOST
// verdict: BUG
// finding: lost-wakeup|deadlock A
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static bool ready;

static void producer() {
  {
    std::lock_guard<std::mutex> guard(lock);
    ready = true;
  }
  changed.notify_one();
}

int main() {
  std::thread t(producer);
  {
    std::unique_lock<std::mutex> guard(lock);
#ifdef LOST
    changed.wait(guard);  // @A
#else
    changed.wait(guard, [] { return ready; });
#endif
  }
  t.join();
  return !ready;
}

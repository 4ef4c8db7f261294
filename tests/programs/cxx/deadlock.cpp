// Two std::mutexes: scoped_lock against lock_guards in opposite order.
// verdict: SAFE
// case: opposite -DOPPOSITE
// verdict: BUG
// finding: deadlock
#include <mutex>
#include <thread>

static std::mutex a, b;
static int balance;

static void forward() {
#ifdef OPPOSITE
  std::lock_guard<std::mutex> first(a);
  std::lock_guard<std::mutex> second(b);
#else
  std::scoped_lock both(a, b);
#endif
  balance++;
}

static void backward() {
#ifdef OPPOSITE
  std::lock_guard<std::mutex> first(b);
  std::lock_guard<std::mutex> second(a);
#else
  std::scoped_lock both(a, b);
#endif
  balance--;
}

int main() {
  std::thread t(forward), u(backward);
  t.join();
  u.join();
  return balance;
}

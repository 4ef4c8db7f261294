// An exception leaves a thread's function.
// verdict: BUG
// finding: uncaught-exception A
// case: fixed -DFIXED
// verdict: SAFE
#include <mutex>
#include <thread>

static std::mutex lock;
static int value;

static void work(int n) {
  std::lock_guard<std::mutex> guard(lock);
  value += n;
  if (value == 3) throw value;  // @A
}

static void safely(int n) {
#ifdef FIXED
  try {
    work(n);
  } catch (int) {
  }
#else
  work(n);
#endif
}

int main() {
  std::thread a(safely, 1), b(safely, 2);
  a.join();
  b.join();
  return 0;
}

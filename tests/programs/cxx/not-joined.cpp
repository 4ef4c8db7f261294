// A std::thread that is destroyed while joinable ends the program.
// verdict: BUG
// finding: abort|uncaught-exception
// case: fixed -DFIXED
// verdict: SAFE
#include <thread>

int main() {
  std::thread t([] {});
#ifdef FIXED
  t.join();
#endif
  return 0;
}

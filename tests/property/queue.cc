/* property: queue.property
 * found: stolen
 * checked
 * Methods of C++, inlined or not: another thread may come between looking and taking. */
#include <unistd.h>

#include <mutex>
#include <thread>
struct Queue {
  std::mutex lock;
  int n = 2;
  bool empty() {
    std::lock_guard<std::mutex> hold(lock);
    return n == 0;
  }
  __attribute__((noinline)) int take() {
    std::lock_guard<std::mutex> hold(lock);
    if (n == 0) throw 1;
    return n--;
  }
};
static Queue queue;
static void taker() {
  try {
    if (!queue.empty()) queue.take();
  } catch (int) {
  }
}
int main() {
  std::thread a(taker);
  usleep(300 * 1000);
  std::thread b(taker);
  a.join(), b.join();
}

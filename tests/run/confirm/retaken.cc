/* confirms: use after free A B; fixed: nothing. The use is in a section that begins when a wait ends. */
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool ready;
static int *p = new int(1), sum;

static void works() {
  std::unique_lock<std::mutex> l(m);
  c.wait(l, [] { return ready; });
#ifdef FIXED
  if (p)
#endif
    sum += *p; /* @A */
}

int main() {
  std::thread t(works);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  {
    std::lock_guard<std::mutex> l(m);
    ready = true;
  }
  c.notify_one();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  {
    std::lock_guard<std::mutex> l(m);
    delete p; /* @B */
#ifdef FIXED
    p = nullptr;
#endif
  }
  t.join();
}

// C++ threads, locks and containers: a count beside a map that is under a lock.
// confirms: data-race 1 atomicity-violation 1
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::map<std::string, int> words;
static int lookups;

static void fill() {
  for (const char *w : {"warp", "weft", "heddle"}) {
    std::lock_guard<std::mutex> held(lock);
    words[w]++;
  }
  lookups++;
}
static void look() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::lock_guard<std::mutex> held(lock);
  int n = words.count("weft") ? 1 : 0;
  (void)n;
  lookups++;
}

int main() {
  std::thread a(fill), b(look);
  a.join();
  b.join();
  return 0;
}

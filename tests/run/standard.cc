/* finds: data race A A; fixed: nothing. C++ threads, locks, shared pointers, static variables, containers. */
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {
std::mutex lock;
std::condition_variable changed;
std::map<std::string, int> table;
volatile int plain;

const std::vector<int> &constants() {
  static const std::vector<int> v = {1, 2, 3};
  return v;
}

void work(std::shared_ptr<int> p) {
#ifndef FIXED
  plain = plain + 1; /* @A */
#endif
  for (int i = 0; i < 100; i++) {
    std::lock_guard<std::mutex> guard(lock);
    table["key" + std::to_string(i % 7)] += *p + constants()[1];
  }
#ifdef FIXED
  std::lock_guard<std::mutex> guard(lock);
  plain = plain + 1;
  changed.notify_all();
#endif
}
} // namespace

int main() {
  auto p = std::make_shared<int>(5);
  auto q = p; /* copied before the threads begin: counting references orders */
  std::thread a(work, std::move(p)), b(work, std::move(q));
#ifdef FIXED
  {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [] { return plain == 2; });
  }
#endif
  a.join();
  b.join();
  return table.size() != 7;
}

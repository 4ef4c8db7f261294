// A cache under std::shared_mutex: found by readers, filled by a writer who looks once more; how often it helped is counted by atomics.
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
static std::shared_mutex m;
static std::unordered_map<int, std::string> cache;
static std::atomic<int> hits;
static std::size_t length(int key) {
  {
    std::shared_lock<std::shared_mutex> l(m);
    auto found = cache.find(key);
    if (found != cache.end()) {
      hits.fetch_add(1, std::memory_order_relaxed);
      return found->second.size();
    }
  }
#ifdef RACY
  std::shared_lock<std::shared_mutex> l(m);
#else
  std::unique_lock<std::shared_mutex> l(m);
#endif
  auto [at, added] = cache.try_emplace(key, std::string(key % 30 + 1, 'x'));
  return at->second.size();
}
int main() {
  std::vector<std::thread> all;
  std::atomic<long> sum{0};
  for (int i = 0; i < 3; i++)
    all.emplace_back([&sum, i] {
      for (int k = 0; k < 60; k++) sum += static_cast<long>(length((k * 7 + i) % 40));
    });
  for (auto &t : all) t.join();
  return sum == 0;
}

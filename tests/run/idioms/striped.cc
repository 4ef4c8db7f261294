// A hash map in stripes, each with its lock; its size by one atomic; all stripes are locked, in order, to add up.
#include <array>
#include <atomic>
#include <forward_list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
class Map {
  struct Stripe {
    std::mutex m;
    std::forward_list<std::pair<int, int>> entries;
  };
  std::array<Stripe, 4> stripes;
  std::atomic<int> count{0};

 public:
  void add(int key, int value) {
    Stripe &s = stripes[static_cast<unsigned>(key) % stripes.size()];
    std::lock_guard<std::mutex> l(s.m);
    for (auto &[k, v] : s.entries)
      if (k == key) {
        v += value;
        return;
      }
    s.entries.emplace_front(key, value);
    count.fetch_add(1, std::memory_order_relaxed);
  }
  long sum() {
    long all = 0;
#ifdef RACY
    for (auto &s : stripes)
      for (auto &e : s.entries) all += e.second;
#else
    for (auto &s : stripes) s.m.lock();
    for (auto &s : stripes)
      for (auto &e : s.entries) all += e.second;
    for (auto &s : stripes) s.m.unlock();
#endif
    return all;
  }
  int size() const { return count; }
};
int main() {
  Map m;
  std::atomic<long> sums{0};
  std::vector<std::thread> all;
  for (int i = 0; i < 3; i++)
    all.emplace_back([&m, &sums, i] {
      for (int k = 0; k < 40; k++) {
        m.add(k * (i + 1) % 23, 1);
        if (k % 10 == 0) sums += m.sum();
      }
    });
  for (auto &t : all) t.join();
  return m.sum() != 120 || sums < 3 || m.size() > 23;
}

// Settings that are copied to be changed: readers keep the version that they have, by a shared_ptr under a lock.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
using Settings = std::map<std::string, int>;
static std::mutex m;
static std::shared_ptr<const Settings> current = std::make_shared<Settings>();
static std::shared_ptr<const Settings> get() {
#ifndef RACY
  std::lock_guard<std::mutex> l(m);
#endif
  return current;
}
static void set(const std::string &key, int value) {
  std::lock_guard<std::mutex> l(m);
  auto next = std::make_shared<Settings>(*current);
  (*next)[key] = value;
  current = next;
}
int main() {
  std::vector<std::thread> all;
  long sums[2] = {0, 0};
  for (int i = 0; i < 2; i++)
    all.emplace_back([&sums, i] {
      for (int k = 0; k < 50; k++) {
        auto settings = get();
        for (auto &[key, value] : *settings) sums[i] += value;
      }
    });
  for (int i = 0; i < 30; i++) set("key" + std::to_string(i % 5), i);
  for (auto &t : all) t.join();
  return get()->size() != 5;
}

// A subject and its observers: weak pointers under a lock, called without it; who is gone is taken out.
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
struct Observer {
  std::atomic<int> seen{0};
  int last = 0;
  std::mutex m;
  void notify(int value) {
#ifndef RACY
    std::lock_guard<std::mutex> l(m);
#endif
    last = std::max(last, value);
    seen.fetch_add(1, std::memory_order_relaxed);
  }
};
class Subject {
  std::mutex m;
  std::vector<std::weak_ptr<Observer>> observers;

 public:
  void add(const std::shared_ptr<Observer> &o) {
    std::lock_guard<std::mutex> l(m);
    observers.push_back(o);
  }
  void notify(int value) {
    std::vector<std::shared_ptr<Observer>> now;
    {
      std::lock_guard<std::mutex> l(m);
      observers.erase(std::remove_if(observers.begin(), observers.end(), [](auto &w) { return w.expired(); }), observers.end());
      for (auto &w : observers)
        if (auto o = w.lock()) now.push_back(o);
    }
    for (auto &o : now) o->notify(value);
  }
};
int main() {
  Subject s;
  auto stays = std::make_shared<Observer>();
  s.add(stays);
  std::vector<std::thread> all;
  for (int i = 0; i < 3; i++)
    all.emplace_back([&s, i] {
      for (int k = 0; k < 20; k++) {
        auto brief = std::make_shared<Observer>();
        s.add(brief);
        s.notify(i * 100 + k);
      }
    });
  for (auto &t : all) t.join();
  return stays->seen != 60;
}

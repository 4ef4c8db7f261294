/* unexplained: 200
 * The C++ library's threads, locks, futures and containers (what is not inlined is not recorded); exceptions, virtual functions. */
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>
struct shape {
  virtual ~shape() = default;
  virtual int area() const = 0;
};
struct square : shape {
  int side;
  explicit square(int s) : side(s) {}
  int area() const override { return side * side; }
};
static std::mutex m;
static std::shared_mutex readers;
static std::condition_variable ready;
static std::queue<std::unique_ptr<shape>> shapes;
static std::map<std::string, int> areas;
static std::atomic<int> total;
static bool over;
static void measure() {
  for (;;) {
    std::unique_lock<std::mutex> lock(m);
    ready.wait(lock, [] { return over || !shapes.empty(); });
    if (shapes.empty()) return;
    std::unique_ptr<shape> s = std::move(shapes.front());
    shapes.pop();
    lock.unlock();
    total += s->area();
    std::unique_lock<std::shared_mutex> writing(readers);
    areas["area " + std::to_string(s->area() % 5)]++;
  }
}
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back(measure);
  for (int i = 0; i < 20; i++) {
    std::lock_guard<std::mutex> lock(m);
    shapes.push(std::make_unique<square>(i));
    ready.notify_one();
  }
  {
    std::lock_guard<std::mutex> lock(m);
    over = true;
  }
  ready.notify_all();
  for (auto &t : threads) t.join();
  std::future<int> f = std::async(std::launch::async, [] { return total.load(); });
  try {
    throw f.get();
  } catch (int n) {
    assert(n == 2470);
  }
  int count = 0;
  std::shared_lock<std::shared_mutex> reading(readers);
  for (auto &[name, n] : areas) count += n;
  assert(count == 20);
}

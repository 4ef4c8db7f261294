// A pool of threads: packaged tasks in a queue, futures for who asks, tasks that make further tasks.
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
class Pool {
 public:
  explicit Pool(int n) {
    for (int i = 0; i < n; i++) threads.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> l(m);
      over = true;
    }
    some.notify_all();
    for (auto &t : threads) t.join();
  }
  template <class F>
  auto submit(F f) {
    auto task = std::make_shared<std::packaged_task<decltype(f())()>>(std::move(f));
    auto result = task->get_future();
#ifdef RACY
    std::unique_lock<std::mutex> l(m, std::defer_lock);
#else
    std::lock_guard<std::mutex> l(m);
#endif
    tasks.emplace_back([task] { (*task)(); });
    some.notify_one();
    return result;
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock<std::mutex> l(m);
      some.wait(l, [this] { return over || !tasks.empty(); });
      if (tasks.empty()) return;
      auto f = std::move(tasks.front());
      tasks.pop_front();
      l.unlock();
      f();
    }
  }
  std::mutex m;
  std::condition_variable some;
  std::deque<std::function<void()>> tasks;
  bool over = false;
  std::vector<std::thread> threads;
};
int main() {
  std::vector<int> squares(40);
  int sum = 0;
  {
    Pool pool(3);
    std::vector<std::future<int>> results;
    for (int i = 0; i < 40; i++)
      results.push_back(pool.submit([&squares, i] {
        squares[i] = i * i;
        return squares[i];
      }));
    for (auto &r : results) sum += r.get();
  }
  for (int s : squares) sum -= s;
  return sum != 0;
}

// finds: data race A A; fixed: nothing. analysis: ovp. quickly. Coroutines that go on in another thread of a pool each time; and a generator.
#include <condition_variable>
#include <coroutine>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "fixed.h"
#include "moment.h"

class pool {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::coroutine_handle<>> ready;
  std::vector<std::thread> threads;
  bool stop = false;

  void work() {
    for (;;) {
      std::unique_lock l(mutex);
      changed.wait(l, [this] { return stop || !ready.empty(); });
      if (ready.empty()) return;
      auto next = ready.front();
      ready.pop_front();
      l.unlock();
      next.resume();
    }
  }

 public:
  explicit pool(int n) {
    for (int i = 0; i < n; i++) threads.emplace_back([this] { work(); });
  }
  void put(std::coroutine_handle<> h) {
    std::lock_guard guard(mutex);
    ready.push_back(h);
    changed.notify_one();
  }
  ~pool() {
    {
      std::lock_guard guard(mutex);
      stop = true;
    }
    changed.notify_all();
    for (auto &t : threads) t.join();
  }
};

struct elsewhere {
  pool &in;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { in.put(h); }
  void await_resume() {}
};
struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

static std::mutex mutex;
static std::condition_variable finished;
static int over, unguarded;

// The first two jobs meet, in two threads.
static task job(pool &p, int n, int number) {
  std::vector<int> seen;
  for (int i = 0; i < n; i++) {
    co_await elsewhere{p};
    seen.push_back(i);
    if (i == 1 && number == 1) moment_await(0);
    lock();
    unguarded++; // @A
    unlock();
    if (i == 1 && number < 2) moment_reach(number);
    if (i == 1 && number == 0) moment_await(1);
    try {
      if (i == 3) throw i;
    } catch (int thrown) {
      seen.back() = thrown;
    }
  }
  if ((int)seen.size() != n || seen[3] != 3) std::abort();
  std::lock_guard guard(mutex);
  over++;
  finished.notify_one();
}

struct numbers {
  struct promise_type {
    int value;
    numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) { return value = v, std::suspend_always(); }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
  ~numbers() { handle.destroy(); }
};
static numbers upto(int n) {
  for (int i = 0; i < n; i++) co_yield i;
}

int main() {
  enum { JOBS = 20 };
  int sum = 0;
  {
    pool p(3);
    for (int i = 0; i < JOBS; i++) job(p, 6, i);
    std::unique_lock l(mutex);
    finished.wait(l, [] { return over == JOBS; });
  }
  numbers n = upto(100);
  for (n.handle.resume(); !n.handle.done(); n.handle.resume()) sum += n.handle.promise().value;
  return sum != 4950;
}

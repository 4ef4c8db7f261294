// A pool that runs jobs and gives futures for what they return; the twin stops it without its lock.
// verdict: SAFE
// case: two-waiters -DTWO_WAITERS
// verdict: SAFE
// case: racy -DRACY
// verdict: BUG
// finding: data-race
// finding?: lost-wakeup
// finding?: data-race
// finding?: deadlock
#include <heddle.h>

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>

class Pool {
 public:
  Pool() : worker([this] { run(); }) {}
  std::future<int> submit(int (*f)()) {
    auto task = std::make_shared<std::packaged_task<int()>>(f);
    auto result = task->get_future();
    {
      std::lock_guard<std::mutex> hold(lock);
      jobs.push([task] { (*task)(); });
    }
    changed.notify_one();
    return result;
  }
  ~Pool() {
    {
#ifndef RACY
      std::lock_guard<std::mutex> hold(lock);
#endif
      stop = true;
    }
    changed.notify_all();
    worker.join();
  }

 private:
  void run() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock<std::mutex> hold(lock);
        changed.wait(hold, [this] { return stop || !jobs.empty(); });
        if (jobs.empty()) return;
        job = std::move(jobs.front());
        jobs.pop();
      }
      job();
    }
  }
  std::queue<std::function<void()>> jobs;
  std::mutex lock;
  std::condition_variable changed;
  bool stop = false;
  std::thread worker;
};

int main() {
#ifdef TWO_WAITERS
  std::promise<int> promise;
  std::shared_future<int> result = promise.get_future().share();
  std::thread other([result] { hd_assert(result.get() == 7); });
  std::thread giver([&] { promise.set_value(7); });
  hd_assert(result.get() == 7);
  other.join();
  giver.join();
#else
  Pool pool;
  std::future<int> answer = pool.submit([] { return 42; });
  hd_assert(answer.get() == 42);
#endif
}

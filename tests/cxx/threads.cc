// Threads, mutexes, condition variables, once, futures. Prints only what does not depend on the schedule.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <thread>
#include <vector>

static void mutexes() {
  std::mutex m;
  std::recursive_mutex r;
  std::timed_mutex t;
  std::shared_mutex s;
  int sum = 0, reads = 0;
  std::atomic<int> atomic{0};
  auto work = [&](int n) {
    for (int i = 0; i < n; i++) {
      std::scoped_lock both(m, r);
      std::lock_guard again(r);
      sum += i;
    }
    if (std::unique_lock lock(t, std::chrono::seconds(100)); lock.owns_lock()) atomic++;
    {
      std::unique_lock lock(s);
      reads++;
    }
    std::shared_lock lock(s);
    atomic += reads > 0;
  };
  std::thread a(work, 3), b(work, 4);
  a.join();
  b.join();
  std::printf("%d %d %d\n", sum, atomic.load(), reads);
  std::recursive_timed_mutex rt;
  std::shared_timed_mutex st;
  std::printf("%d %d\n", rt.try_lock_for(std::chrono::milliseconds(1)), st.try_lock_shared_for(std::chrono::milliseconds(1)));
  rt.unlock();
  st.unlock_shared();
}

static void conditions() {
  std::mutex m;
  std::condition_variable ready;
  std::condition_variable_any any;
  bool go = false, done = false;
  std::thread t([&] {
    std::unique_lock lock(m);
    ready.wait(lock, [&] { return go; });
    done = true;
    std::notify_all_at_thread_exit(ready, std::move(lock));
  });
  {
    std::lock_guard lock(m);
    go = true;
  }
  ready.notify_one();
  std::unique_lock lock(m);
  ready.wait(lock, [&] { return done; });
  any.notify_all();
  bool in_time = any.wait_for(lock, std::chrono::milliseconds(1), [&] { return done; });
  lock.unlock();
  t.join();
  std::printf("%d %d\n", done, in_time);
}

static void onces() {
  std::once_flag flag, retried;
  int calls = 0, tries = 0;
  auto once = [&] { std::call_once(flag, [&] { calls++; }); };
  std::thread a(once), b(once);
  a.join();
  b.join();
  for (int i = 0; i < 2; i++) {
    try {
      std::call_once(retried, [&] {
        if (tries++ == 0) throw 1;
      });
    } catch (int) {
    }
  }
  std::printf("%d %d\n", calls, tries);
}

static void futures() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread t([](std::promise<int> p) { p.set_value(42); }, std::move(promise));
  std::printf("%d\n", future.get());
  t.join();
  auto task = std::async(std::launch::async, [](int i) -> int { throw std::runtime_error("task " + std::to_string(i)); }, 5);
  try {
    task.get();
  } catch (const std::exception &e) {
    std::printf("%s\n", e.what());
  }
  std::packaged_task<int(int)> package([](int i) { return i * i; });
  auto result = package.get_future();
  package(7);
  std::printf("%d %d\n", result.get(), static_cast<int>(std::async(std::launch::deferred, [] { return 1; }).wait_for(std::chrono::seconds(0))));
  try {
    std::promise<void> broken;
    auto left = broken.get_future();
    { std::promise<void> gone = std::move(broken); }
    left.get();
  } catch (const std::future_error &e) {
    std::printf("%s %s\n", e.what(), e.code().category().name());
  }
  std::promise<int> late;
  auto shared = late.get_future().share();
  std::thread at_exit([&] { late.set_value_at_thread_exit(3); });
  std::printf("%d\n", shared.get());
  at_exit.join();
  std::promise<int> timed;
  std::thread setter([&] { timed.set_value(4); });
  auto f = timed.get_future();
  while (f.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready) std::this_thread::yield();
  std::printf("%d\n", f.get());
  setter.join();
}

static int initialised;
static int &local_static() {
  static int value = ++initialised;
  return value;
}
static thread_local std::unique_ptr<int> own;

static void statics() {
  std::thread a([] { own = std::make_unique<int>(local_static()); }), b([] { own = std::make_unique<int>(local_static()); });
  a.join();
  b.join();
  struct unlucky {
    explicit unlucky(int i) {
      if (i == 0) throw i;
    }
  };
  int thrown = 0;
  for (int i = 0; i < 3; i++) {
    try {
      static unlucky object(i);
    } catch (int) {
      thrown++;
    }
  }
  std::printf("%d %d\n", initialised, thrown);
}

static void pointers() {
  auto shared = std::make_shared<int>(5);
  std::weak_ptr<int> weak = shared;
  std::thread t([copy = shared] { (void)*copy; });
  std::shared_ptr<int> atomic = std::atomic_load(&shared);
  std::atomic_store(&shared, std::make_shared<int>(6));
  t.join();
  std::printf("%d %d %ld\n", *atomic, *shared, weak.use_count());
}

int main() {
  mutexes();
  conditions();
  onces();
  futures();
  statics();
  pointers();
  std::thread nobody;
  try {
    nobody.join();
  } catch (const std::system_error &e) {
    std::printf("%s %d\n", e.what(), e.code().value());
  }
  std::this_thread::sleep_for(std::chrono::microseconds(1));
  std::printf("%d %d\n", std::thread::hardware_concurrency() > 0, std::chrono::steady_clock::now() <= std::chrono::steady_clock::now());
  std::thread detached([] {});
  detached.detach();
}

// finds: data race A A; fixed: nothing. analysis: ovp. quickly. std::jthread, stop_token, latch, barrier, semaphores, waiting atomics, futures, shared_mutex and others, used as books show them.
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <latch>
#include <map>
#include <memory>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "fixed.h"

static int unguarded;
static void expect(bool holds) {
  if (!holds) std::abort();
}
static std::vector<std::jthread> threads(int n, auto f) {
  std::vector<std::jthread> t;
  for (int i = 0; i < n; i++) t.emplace_back(f, i);
  return t;
}

static void latches() {
  std::latch l(3);
  std::vector<int> filled(3);
  threads(3, [&](int i) {
    lock();
    unguarded++; // @A
    unlock();
    filled[i] = 1;
    l.arrive_and_wait();
    expect(filled[0] + filled[1] + filled[2] == 3);
  });
}
static void barriers() {
  int phase = 0;
  auto next = [&]() noexcept { phase++; };
  std::barrier b(3, next);
  threads(3, [&](int) {
    for (int k = 1; k <= 20; k++) {
      b.arrive_and_wait();
      expect(phase == 2 * k - 1);
      b.arrive_and_wait();
    }
  });
}
static void phases() {
  int phase = 0;
  std::barrier b(2);
  threads(2, [&](int i) {
    for (int k = 0; k < 20; k++) {
      if (k % 2 == i) phase++;
      b.arrive_and_wait();
      expect(phase == k + 1);
      b.arrive_and_wait();
    }
  });
}
static void semaphores() {
  std::counting_semaphore<3> s(0);
  std::binary_semaphore done(0);
  int result = 0;
  std::jthread t([&] {
    for (int i = 0; i < 10; i++) s.acquire();
    result = 1;
    done.release();
  });
  for (int i = 0; i < 10; i++) s.release();
  done.acquire();
  expect(result == 1);
}
static void stopping() {
  std::condition_variable_any changed;
  std::mutex m;
  int jobs = 0, handled = 0;
  bool told = false;
  std::jthread t([&](std::stop_token stop) {
    std::unique_lock l(m);
    while (changed.wait(l, stop, [&] { return jobs > 0; })) jobs--, handled++;
  });
  std::stop_callback callback(t.get_stop_token(), [&] { told = true; });
  for (int i = 0; i < 10; i++) {
    std::lock_guard guard(m);
    jobs++;
    changed.notify_one();
  }
  t.request_stop();
  t.join();
  expect(told && handled + jobs == 10);
}
static void sharing() {
  std::shared_mutex m;
  std::map<std::string, int> counts;
  threads(3, [&](int i) {
    for (int k = 0; k < 40; k++)
      if (k % 5 == 0) {
        std::unique_lock l(m);
        counts[std::to_string(k * i)]++;
      } else {
        std::shared_lock l(m);
        auto found = counts.find(std::to_string(k));
        expect(found == counts.end() || found->second > 0);
      }
  });
}
static void futures() {
  auto later = std::async(std::launch::async, [] { return std::string(100, 'x'); });
  auto lazily = std::async(std::launch::deferred, [] { return 4; });
  std::packaged_task<int(int)> task([](int x) { return x + 1; });
  auto result = task.get_future();
  std::jthread runs(std::move(task), 4);
  std::promise<int> promise;
  auto shared = promise.get_future().share();
  auto both = threads(2, [shared](int) { expect(shared.get() == 3); });
  promise.set_value(3);
  expect(later.get().size() == 100 && lazily.get() == 4 && result.get() == 5);
}
static void pointers() {
  auto p = std::make_shared<std::vector<int>>(100, 1);
  auto t = threads(3, [p](int) { expect(p->size() == 100 && (*p)[7] == 1); });
  p.reset();
}
static void atomics() {
  std::atomic<int> a{0};
  std::atomic_flag flag;
  int data = 0;
  std::jthread waits([&] {
    a.wait(0);
    flag.wait(false);
    expect(a == 1 && data == 2);
  });
  a = 1, a.notify_all();
  data = 2;
  flag.test_and_set();
  flag.notify_one();
}
static void locks() {
  std::timed_mutex timed;
  std::mutex a, b;
  std::once_flag once;
  int n = 0, made = 0, both = 0;
  threads(2, [&](int i) {
    std::call_once(once, [&] { made = 1; });
    expect(made == 1);
    for (int k = 0; k < 20; k++) {
      if (timed.try_lock_for(std::chrono::seconds(30))) n++, timed.unlock();
      std::scoped_lock l(i ? a : b, i ? b : a);
      both++;
    }
  });
  expect(n == 40 && both == 40);
}

int main() {
  latches(), barriers(), phases(), semaphores(), stopping(), sharing(), futures(), pointers(), atomics(), locks();
  return 0;
}

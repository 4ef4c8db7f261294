// std::jthread, stop tokens with a callback, and condition_variable_any that waits for them, too.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>
static std::mutex m;
static std::condition_variable_any some;
static std::deque<int> queue;
static long sum;
static int stops;
int main() {
  {
    std::jthread worker([](std::stop_token stop) {
      std::stop_callback called(stop, [] {
        std::lock_guard<std::mutex> l(m);
        stops++;
      });
      for (;;) {
        std::unique_lock<std::mutex> l(m);
        if (!some.wait(l, stop, [] { return !queue.empty(); })) return;
        sum += queue.front();
        queue.pop_front();
      }
    });
    for (int i = 0; i < 50; i++) {
#ifndef RACY
      std::lock_guard<std::mutex> l(m);
#endif
      queue.push_back(i);
      some.notify_one();
    }
  }
#ifdef RACY
  return 0;
#else
  for (int i : queue) sum += i;
  return sum != 1225 || stops != 1;
#endif
}

// Two std::threads fill a std::vector. With the lock it is right; without it, push_back() may move the elements under the other thread.
//
//     heddle check handoff.cpp
//     heddle check -DRACY handoff.cpp
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> results;
static std::mutex lock;

static void compute(int from) {
#ifndef RACY
  std::lock_guard<std::mutex> guard(lock);
#endif
  results.push_back(from * from);
}

int main() {
  std::thread a(compute, 2), b(compute, 3);
  a.join();
  b.join();
  assert(results.size() == 2 && results[0] + results[1] == 13);
  return 0;
}

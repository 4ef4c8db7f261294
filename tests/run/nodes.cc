// finds: nothing. analysis: ovp. Elements of containers whose nodes the C++ library links in code of its own.
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "moment.h"

static std::mutex m;
static std::condition_variable c;
static std::list<int> numbers{1, 2, 3};
static std::map<int, int> squares{{1, 1}, {2, 4}, {3, 9}};
static std::set<int> known;
static int sum;

static void reads() {
  std::lock_guard<std::mutex> lock(m);
  for (int n : numbers) sum += n;
  auto found = squares.find(2);
  if (found != squares.end()) sum += found->second;
  moment_reach(1);
}

static void erases() {
  moment_await(1);
  std::lock_guard<std::mutex> lock(m);
  numbers.erase(numbers.begin());
  squares.erase(2);
}

static void waits() {
  std::unique_lock<std::mutex> lock(m);
  while (known.begin() == known.end()) moment_reach(2), c.wait(lock);
}

static void adds() {
  moment_await(2);
  {
    std::lock_guard<std::mutex> lock(m);
    known.insert(1);
  }
  c.notify_one();
}

int main() {
  std::thread reader(reads), eraser(erases);
  reader.join(), eraser.join();
  std::thread waiter(waits), adder(adds);
  waiter.join(), adder.join();
  return sum != 10;
}

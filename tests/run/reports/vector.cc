/* An element of a container. */
#include "launch.h"
#include <mutex>
#include <thread>
#include <vector>
static std::vector<int> numbers;
static std::mutex m;

int main() {
  numbers.push_back(1);
  std::thread t([] {
    std::lock_guard<std::mutex> guard(m);
    numbers[0] = 2;
    moment_reach(0);
  });
  await(0);
  numbers[0] = 3;
  t.join();
}

/* A local that a thread of the C++ library has a reference to. */
#include "launch.h"
#include <thread>

int main() {
  int x = 0;
  std::thread t([&x] { x++, moment_reach(0); });
  await(0);
  x = 2;
  t.join();
  return x & 0;
}

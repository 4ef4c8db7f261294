/* std::recursive_mutex does not say that a thread does not hold it, and leaves it undefined. */
#include <mutex>
#include <thread>

static std::recursive_mutex m;

int main() {
  m.lock();
  std::thread other([] { m.unlock(); });
  other.join();
  m.unlock();
}

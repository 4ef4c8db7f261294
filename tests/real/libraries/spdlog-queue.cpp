// spdlog's blocking queue, with a wait that may end early.
#include <cassert>
#include <chrono>
#include <thread>

#define SPDLOG_NOEXCEPT noexcept
#define SPDLOG_ASSERT(x) assert(x)
#include "spdlog/details/mpmc_blocking_q.h"

struct item {
  int value = 0;
};
static spdlog::details::mpmc_blocking_queue<item> queue(2);

int main() {
  std::thread producer([] {
    queue.enqueue(item{1});
    queue.enqueue(item{2});
  });
  item x;
  int got = queue.dequeue_for(x, std::chrono::milliseconds(100)); // it may be too early
  assert(!got || x.value == 1);
  producer.join();
  while (got < 2) {
    bool more = queue.dequeue_for(x, std::chrono::milliseconds(0));
    assert(more && x.value == got + 1);
    got++;
  }
  assert(queue.size() == 0);
}

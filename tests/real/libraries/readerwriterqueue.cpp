// One producer and one consumer, who waits by trying again.
#include <cassert>
#include <thread>

#include "readerwriterqueue.h"

static moodycamel::ReaderWriterQueue<int> queue(1);

int main() {
  std::thread producer([] {
    for (int i = 1; i <= COUNT; i++)
      queue.enqueue(i);
  });
  int x, got = 0;
  while (got < COUNT)
    if (queue.try_dequeue(x))
      assert(x == ++got);
  producer.join();
  assert(!queue.try_dequeue(x));
}

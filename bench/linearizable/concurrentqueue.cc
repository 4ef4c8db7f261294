// moodycamel::ConcurrentQueue, which says of itself that it is not linearizable: elements of different producers have no order.
#include <heddle.h>

#include <concurrentqueue/concurrentqueue.h>

static moodycamel::ConcurrentQueue<int> *queue;

HD_BEGIN(void) { queue = new moodycamel::ConcurrentQueue<int>(4); }
HD_OPERATION(put, int x) { return queue->enqueue(x); }
HD_OPERATION(get) {
  int x;
  return queue->try_dequeue(x) ? x : -1;
}
HD_END(void) { delete queue; }

// A std::queue behind a std::mutex. To ask whether it is empty and then to take the front, in two sections of the lock, is no way to take an
// element.
// verdict: SAFE
// options: --linearizable
// case: idiom -DIDIOM
// options: --linearizable --arguments=1
// verdict: BUG
// finding: not-linearizable
#include <heddle.h>

#include <mutex>
#include <queue>

namespace {
class Queue {
 public:
  void put(int x) {
    std::lock_guard<std::mutex> guard(lock);
    elements.push(x);
  }
  bool empty() {
    std::lock_guard<std::mutex> guard(lock);
    return elements.empty();
  }
  int take() {
    std::lock_guard<std::mutex> guard(lock);
    if (elements.empty()) return -1;
    int x = elements.front();
    elements.pop();
    return x;
  }
  int front() {
    std::lock_guard<std::mutex> guard(lock);
    return elements.empty() ? -2 : elements.front();
  }

 private:
  std::mutex lock;
  std::queue<int> elements;
};

Queue *queue;
}  // namespace

HD_BEGIN(void) { queue = new Queue; }
HD_OPERATION(put, int x) {
  queue->put(x);
  return 0;
}
HD_OPERATION(take) {
#ifdef IDIOM
  if (queue->empty()) return -1;
  int x = queue->front();
  queue->take();
  return x;
#else
  return queue->take();
#endif
}
HD_END(void) { delete queue; }

// Cancellation unwinds: handlers and destructors run from the inside out, in one order.
// verdict: SAFE
// executions: 2
// case: leak -DLEAK
// verdict: BUG
// finding: leak
#include <pthread.h>

#include <cassert>
#include <memory>
#include <vector>

static std::vector<int> order;

struct noted {
  int number;
  explicit noted(int n) : number(n) {}
  ~noted() { order.push_back(number); }
};

static void handler(void *number) { order.push_back(*static_cast<int *>(number)); }

static void *work(void *unused) {
  noted outer(1);
  int two = 2;
#ifdef LEAK
  int *owned = new int(4);
#else
  std::unique_ptr<int> owned(new int(4));
#endif
  pthread_cleanup_push(handler, &two);
  noted inner(3);
  try {
    pthread_testcancel();
  } catch (int) {
    assert(false);
  }
  pthread_cleanup_pop(0);
#ifdef LEAK
  delete owned;
#endif
  return unused;
}

int main() {
  pthread_t t;
  void *result;
  pthread_create(&t, nullptr, work, nullptr);
  pthread_cancel(t);
  pthread_join(t, &result);
  if (result == PTHREAD_CANCELED)
    assert((order == std::vector<int>{3, 2, 1}));
  else
    assert((order == std::vector<int>{3, 1}));
  return 0;
}

// An exception ends the lives of the locals of all functions that it leaves, between their destructors.
// verdict: BUG
// options: --strategy=maximal
// finding: use-after-free A
// finding?: data-race
// case: dpor-sc
// verdict: BUG
// options: --strategy=dpor
// finding: use-after-free A
// finding?: data-race
// case: naive-sc
// verdict: BUG
// options: --strategy=naive
// finding: use-after-free A
// finding?: data-race
// case: fixed-maximal-sc -DFIXED
// verdict: SAFE
// options: --strategy=maximal
// case: fixed-dpor-sc -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// case: fixed-naive-sc -DFIXED
// verdict: SAFE
// options: --strategy=naive
#include <atomic>
#include <pthread.h>

static std::atomic<int *> box;
static std::atomic<int> steps;

static void *worker(void *) {
  int *x = box;
  if (x) __atomic_store_n(x, 1, __ATOMIC_SEQ_CST);  // @A
  return nullptr;
}

struct guard {
  ~guard() { steps++; }
};

static void inner() {
#ifdef FIXED
  static int flag = 0;
#else
  int flag = 0;
#endif
  box = &flag;
  throw 1;
}

static void outer() {
  guard g;
  inner();
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, worker, nullptr);
  try {
    outer();
  } catch (int) {
    steps++;
  }
  pthread_join(t, nullptr);
}

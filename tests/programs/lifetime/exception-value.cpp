// What was read before the throw is used in the handler alone.
// verdict: BUG
// options: --strategy=maximal
// finding: assertion A
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
#include <atomic>
#include <cassert>
#include <pthread.h>

static std::atomic<int> x, ready;

static void *writer(void *) {
  x = 1;
  ready = 1;
  return nullptr;
}

static int look() {
  int seen = ready;
  if (seen < 2) throw seen;
  return seen;
}

static void *reader(void *) {
  int before = x;
  try {
    before = look();
  } catch (int seen) {
#ifdef FIXED
    before = x;
#endif
    assert(before == 1 || seen == 0);  // @A
  }
  return nullptr;
}

int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, writer, nullptr);
  pthread_create(&u, nullptr, reader, nullptr);
  pthread_join(t, nullptr);
  pthread_join(u, nullptr);
}

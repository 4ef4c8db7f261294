// Boost.Lockfree: one or two (-DTWO) producers and a consumer.
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <thread>
#include <cassert>
#if defined QUEUE
static boost::lockfree::queue<int, boost::lockfree::capacity<4>> q;
#elif defined DYNAMIC
static boost::lockfree::queue<int> q(2);
#elif defined STACK
static boost::lockfree::stack<int, boost::lockfree::capacity<4>> q;
#else
static boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> q;
#endif
int main() {
  std::thread t([] {
    for (int i = 1; i <= COUNT; i++)
      while (!q.push(i))
        ;
  });
#ifdef TWO
  std::thread u([] {
    for (int i = 1; i <= COUNT; i++)
      while (!q.push(i * 10))
        ;
  });
#endif
  int sum = 0, got = 0, x;
#ifdef TWO
  u.join();
  const int all = 2 * COUNT, want = 11 * COUNT * (COUNT + 1) / 2;
#else
  const int all = COUNT, want = COUNT * (COUNT + 1) / 2;
#endif
  while (got < all)
    if (q.pop(x))
      sum += x, got++;
  assert(sum == want);
  t.join();
  assert(q.empty());
}

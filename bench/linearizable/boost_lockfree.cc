// Boost.Lockfree's queue (the default) and stack (-DSTACK), of a fixed capacity.
#include <heddle.h>

#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>

#ifdef STACK
using container = boost::lockfree::stack<int, boost::lockfree::capacity<4>>;
#else
using container = boost::lockfree::queue<int, boost::lockfree::capacity<4>>;
#endif
static container *elements;

HD_BEGIN(void) { elements = new container; }
HD_OPERATION(push, int x) { return elements->push(x); }
HD_OPERATION(pop) {
  int x;
  return elements->pop(x) ? x : -1;
}
HD_END(void) { delete elements; }

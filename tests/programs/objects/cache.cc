// A cache behind a std::shared_mutex: who does not find an element computes it and keeps it. If another one has kept one meanwhile, that
// counts, or two threads are told that they were first.
// verdict: SAFE
// options: --linearizable --arguments=1
// case: late -DLATE
// options: --linearizable --arguments=1
// verdict: BUG
// finding: not-linearizable
#include <heddle.h>

#include <map>
#include <mutex>
#include <shared_mutex>

namespace {
std::shared_mutex lock;
std::map<int, int> *known;

// Was it this call that has computed it?
bool look_up(int key) {
  {
    std::shared_lock<std::shared_mutex> guard(lock);
    if (known->count(key)) return false;
  }
  std::unique_lock<std::shared_mutex> guard(lock);
#ifdef LATE
  (*known)[key] = key * key;
  return true;
#else
  return known->emplace(key, key * key).second;
#endif
}
}  // namespace

HD_BEGIN(void) { known = new std::map<int, int>; }
HD_OPERATION(look_up, int key) { return look_up(key); }
HD_OPERATION(forget, int key) {
  std::unique_lock<std::shared_mutex> guard(lock);
  return static_cast<long>(known->erase(key));
}
HD_END(void) { delete known; }

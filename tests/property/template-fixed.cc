/* property: template.property
 * found:
 * checked
 * Methods of a template in an anonymous namespace, and its virtual destructor. */
#include <unistd.h>

#include <atomic>
#include <new>
#include <thread>
namespace {
template <typename T>
struct Cache {
  std::atomic<T> value{1};
  virtual ~Cache() { value = 0; }
  template <typename U>
  __attribute__((noinline)) T get(U plus) {
    return value + plus;
  }
};
struct Named : Cache<long> {
  std::atomic<int> name{2};
};
}  // namespace
static Named stays;
static Cache<int> *cache;
int main() {
  alignas(Cache<int>) static char place[sizeof(Cache<int>)];
  cache = new (place) Cache<int>;
  std::thread user([] { return cache->get(1l) + stays.get(1); });
  user.join();
  cache->~Cache();
  delete new Named;
}

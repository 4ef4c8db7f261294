/* Names of templates. */
#include "launch.h"
#include <string>
#include <thread>
namespace shop {
template <class K, class V>
struct Cache {
  V last{};
  static int hits;
  void put(const K &, V v) {
    last = v;
    hits++;
  }
};
template <class K, class V>
int Cache<K, V>::hits;
} // namespace shop

int main() {
  auto *c = new shop::Cache<std::string, long>;
  std::thread t([c] { c->put("a", 1), moment_reach(0); });
  await(0);
  c->put("b", 2);
  t.join();
  delete c;
}

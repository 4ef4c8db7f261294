// Singletons: a static local, std::call_once, and a registry that each object's constructor adds itself to.
#include <mutex>
#include <string>
#include <thread>
#include <vector>
struct Registry {
  std::mutex m;
  std::vector<const void *> objects;
  static Registry &get() {
    static Registry r;
    return r;
  }
  void add(const void *o) {
#ifndef RACY
    std::lock_guard<std::mutex> l(m);
#endif
    objects.push_back(o);
  }
};
struct Object {
  std::string name;
  explicit Object(int n) : name("object " + std::to_string(n)) { Registry::get().add(this); }
};
static std::once_flag flag;
static Object *shared;
static const Object &get_shared() {
  std::call_once(flag, [] { shared = new Object(0); });
  return *shared;
}
static thread_local std::string mine;
int main() {
  std::vector<std::thread> all;
  std::vector<std::size_t> lengths(4);
  for (int i = 0; i < 4; i++)
    all.emplace_back([&lengths, i] {
      Object own(i + 1);
      mine = own.name + get_shared().name;
      lengths[static_cast<std::size_t>(i)] = mine.size();
    });
  for (auto &t : all) t.join();
  std::size_t n = Registry::get().objects.size();
  delete shared;
  return lengths[3] != 16 || n > 5;
}

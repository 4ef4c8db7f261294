// operator new in all forms, replaced class members, memory resources, arrays with constructors.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <memory_resource>
#include <new>
#include <random>
#include <string>
#include <vector>

struct alignas(64) wide {
  char bytes[64];
};
struct counted {
  static int alive;
  int id;
  counted() : id(alive++) {
    if (alive == 7) throw alive;
  }
  ~counted() { alive--; }
};
int counted::alive;

struct counting_resource : std::pmr::memory_resource {
  size_t blocks = 0, total = 0;
  void *do_allocate(size_t bytes, size_t alignment) override {
    blocks++;
    total += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void *block, size_t bytes, size_t alignment) override {
    blocks--;
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  bool do_is_equal(const memory_resource &other) const noexcept override { return this == &other; }
};

int main() {
  auto *w = new wide[3];
  std::printf("%d\n", reinterpret_cast<uintptr_t>(w) % 64 == 0);
  delete[] w;
  auto n = std::unique_ptr<wide>(new (std::nothrow) wide);
  auto *c = new counted[5];
  std::printf("%d\n", counted::alive);
  delete[] c;
  try {
    c = new counted[10];
  } catch (int i) {
    std::printf("%d %d\n", i, counted::alive);
  }
  std::set_new_handler([] {
    std::printf("handler\n");
    std::set_new_handler(nullptr);
  });
  try {
    volatile size_t huge = SIZE_MAX / 4;
    ::operator delete(::operator new(huge));
  } catch (const std::bad_alloc &e) {
    std::printf("%s\n", e.what());
  }
  counting_resource counting;
  {
    std::pmr::monotonic_buffer_resource arena(&counting);
    std::pmr::vector<std::pmr::string> strings(&arena);
    for (int i = 0; i < 40; i++) strings.emplace_back("a string that does not fit the small buffer");
    std::printf("%d %s\n", counting.blocks > 0, strings.back().c_str());
  }
  std::printf("%zu\n", counting.blocks);
  {
    std::pmr::unsynchronized_pool_resource pool(&counting);
    std::pmr::synchronized_pool_resource shared(&counting);
    std::pmr::vector<int> a({1, 2, 3}, &pool), b({4, 5}, &shared);
    (void)shared.allocate(100);
    std::printf("%d %zu\n", a[2] + b[1], pool.options().max_blocks_per_chunk * 0);
  }
  std::printf("%zu\n", counting.blocks);
  std::pmr::set_default_resource(std::pmr::null_memory_resource());
  try {
    std::pmr::vector<int> v(10);
  } catch (const std::bad_alloc &e) {
    std::printf("%s\n", e.what());
  }
  std::random_device device;
  std::mt19937 engine(1);
  std::printf("%d %u\n", device() == device() && device() == device(), static_cast<unsigned>(engine()));
}

// finds: data race A A; fixed: nothing. everywhere. A program with an allocator of its own, which libraries use before main() begins, and
// that is used by the analyses' reports while it is locked.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <pthread.h>
#include <thread>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char arena[1 << 22];
static std::size_t used;
static volatile long blocks;
struct block {
  std::size_t size;
  block *next;
};
static block *volatile unused[32];

namespace own {
static void count() { blocks = blocks + 1; } // @A

static void *take(std::size_t size) {
  unsigned sort = 5;
  while ((std::size_t)1 << sort < size + sizeof(block)) sort++;
#ifndef FIXED
  count();
#endif
  pthread_mutex_lock(&lock);
  count();
  block *b = unused[sort];
  if (b) {
    unused[sort] = b->next;
  } else {
    b = (block *)(void *)(arena + used), used += (std::size_t)1 << sort;
    if (used > sizeof arena) std::abort();
    b->size = size;
  }
  pthread_mutex_unlock(&lock);
  return b + 1;
}

static void give(void *p) {
  block *b = (block *)p - 1;
  unsigned sort = 5;
  if (!p) return;
  if ((char *)p < arena || (char *)p >= arena + sizeof arena) std::abort(); // of another allocator
  while ((std::size_t)1 << sort < b->size + sizeof(block)) sort++;
  pthread_mutex_lock(&lock);
  b->next = unused[sort], unused[sort] = b;
  pthread_mutex_unlock(&lock);
}
} // namespace own

extern "C" {
void *malloc(std::size_t size) noexcept { return own::take(size); }
void free(void *p) noexcept { own::give(p); }
void *calloc(std::size_t n, std::size_t size) noexcept {
  volatile char *p = (volatile char *)own::take(n * size);
  for (std::size_t i = 0; i < n * size; i++) p[i] = 0;
  return (void *)p;
}
void *realloc(void *p, std::size_t size) noexcept {
  void *to = own::take(size);
  std::size_t had = p ? ((block *)p - 1)->size : 0;
  std::memcpy(to, p ? p : to, had < size ? had : size);
  own::give(p);
  return to;
}
void *aligned_alloc(std::size_t alignment, std::size_t size) noexcept { // nothing asks for more than 16
  return alignment <= 16 ? own::take(size) : nullptr;
}
}

static void work(int n) {
  std::map<int, int> numbers;
  for (int i = 0; i < 20; i++) numbers[i] = n;
  for (int i = 0; i < 20; i += 3) numbers.erase(i);
  char *copy = strdup("text");
  std::free(std::realloc(copy, 100));
}

int main() {
  std::thread threads[3];
  for (auto &t : threads)
    t = std::thread([] {
      for (int i = 0; i < 20; i++) work(i);
    });
  for (auto &t : threads) t.join();
  return 0;
}

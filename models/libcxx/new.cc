/* operator new and delete, over malloc and free. Programs may replace each of them. */
#include <stdlib.h>

#include <new>

using std::align_val_t;
using std::nothrow_t;
using std::size_t;

namespace std {
const nothrow_t nothrow{};

static new_handler on_failure;

new_handler get_new_handler() noexcept { return __atomic_load_n(&on_failure, __ATOMIC_ACQUIRE); }
new_handler set_new_handler(new_handler handler) noexcept { return __atomic_exchange_n(&on_failure, handler, __ATOMIC_ACQ_REL); }
}  // namespace std

/* Out of memory: asks the program's handler for more, or throws. */
static void make_room() {
  std::new_handler handler = std::get_new_handler();
  if (handler == nullptr) throw std::bad_alloc();
  handler();
}

void *operator new(size_t size) {
  for (;;) {
    void *memory = malloc(size != 0 ? size : 1);
    if (memory != nullptr) return memory;
    make_room();
  }
}

void *operator new(size_t size, align_val_t alignment) {
  size_t align = static_cast<size_t>(alignment);
  size_t rounded = (size + align - 1) & ~(align - 1);
  for (;;) {
    void *memory = rounded < size ? nullptr : aligned_alloc(align, rounded != 0 ? rounded : align);
    if (memory != nullptr) return memory;
    make_room();
  }
}

void *operator new(size_t size, const nothrow_t &) noexcept {
  try {
    return operator new(size);
  } catch (...) {
    return nullptr;
  }
}

void *operator new(size_t size, align_val_t alignment, const nothrow_t &) noexcept {
  try {
    return operator new(size, alignment);
  } catch (...) {
    return nullptr;
  }
}

void *operator new[](size_t size) { return operator new(size); }
void *operator new[](size_t size, align_val_t alignment) { return operator new(size, alignment); }
void *operator new[](size_t size, const nothrow_t &) noexcept {
  try {
    return operator new[](size);
  } catch (...) {
    return nullptr;
  }
}
void *operator new[](size_t size, align_val_t alignment, const nothrow_t &) noexcept {
  try {
    return operator new[](size, alignment);
  } catch (...) {
    return nullptr;
  }
}

void operator delete(void *memory) noexcept { free(memory); }
void operator delete(void *memory, size_t) noexcept { operator delete(memory); }
void operator delete(void *memory, align_val_t) noexcept { free(memory); }
void operator delete(void *memory, size_t, align_val_t alignment) noexcept { operator delete(memory, alignment); }
void operator delete(void *memory, const nothrow_t &) noexcept { operator delete(memory); }
void operator delete(void *memory, align_val_t alignment, const nothrow_t &) noexcept { operator delete(memory, alignment); }
void operator delete[](void *memory) noexcept { operator delete(memory); }
void operator delete[](void *memory, size_t) noexcept { operator delete[](memory); }
void operator delete[](void *memory, align_val_t alignment) noexcept { operator delete(memory, alignment); }
void operator delete[](void *memory, size_t, align_val_t alignment) noexcept { operator delete[](memory, alignment); }
void operator delete[](void *memory, const nothrow_t &) noexcept { operator delete[](memory); }
void operator delete[](void *memory, align_val_t alignment, const nothrow_t &) noexcept { operator delete[](memory, alignment); }

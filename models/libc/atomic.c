/* Atomic accesses of any size, which compilers call where they know no instruction: up to 16 bytes they are as those of instructions, and
 * larger ones are atomic sections. All are sequentially consistent. */
#include "internal.h"

/* Defines a function that the compiler has a builtin for by its name in the library. */
#define LIBCALL(type, name, ...)                                    \
  type __hd_generic_##name(__VA_ARGS__) __asm__("__atomic_" #name); \
  __attribute__((used)) type __hd_generic_##name(__VA_ARGS__)

#define EACH_SIZE(X) X(1, uint8_t) X(2, uint16_t) X(4, uint32_t) X(8, uint64_t)

static bool fits(const void *at, size_t n, size_t size) { return n == size && ((uintptr_t)at & (size - 1)) == 0; }

LIBCALL(void, load, size_t n, void *at, void *to, int order) {
  (void)order;
#define X(size, type) \
  if (fits(at, n, size)) return (void)(*(type *)to = __atomic_load_n((type *)at, __ATOMIC_SEQ_CST));
  EACH_SIZE(X)
#undef X
  if (fits(at, n, 16)) return (void)(*(hd_wide *)to = __hd_atomic16_load(at, HD_ORDER_SEQ_CST));
  __hd_atomic_begin();
  __builtin_memcpy(to, at, n);
  __hd_atomic_end();
}

LIBCALL(void, store, size_t n, void *at, void *from, int order) {
  (void)order;
#define X(size, type) \
  if (fits(at, n, size)) return __atomic_store_n((type *)at, *(type *)from, __ATOMIC_SEQ_CST);
  EACH_SIZE(X)
#undef X
  if (fits(at, n, 16)) return __hd_atomic16_store(at, *(hd_wide *)from, HD_ORDER_SEQ_CST);
  __hd_atomic_begin();
  __builtin_memcpy(at, from, n);
  __hd_atomic_end();
}

LIBCALL(void, exchange, size_t n, void *at, void *from, void *to, int order) {
  (void)order;
#define X(size, type) \
  if (fits(at, n, size)) return (void)(*(type *)to = __atomic_exchange_n((type *)at, *(type *)from, __ATOMIC_SEQ_CST));
  EACH_SIZE(X)
#undef X
  if (fits(at, n, 16)) return (void)(*(hd_wide *)to = __hd_atomic16_rmw(at, *(hd_wide *)from, HD_ORDER_SEQ_CST, HD_RMW_XCHG));
  __hd_atomic_begin();
  __builtin_memcpy(to, at, n);
  __builtin_memcpy(at, from, n);
  __hd_atomic_end();
}

static bool exchange_wide_if(void *at, hd_wide *expected, hd_wide wanted) {
  hd_wide before = __hd_atomic16_exchange_if(at, *expected, wanted, HD_ORDER_SEQ_CST, HD_ORDER_SEQ_CST);
  if (before == *expected) return true;
  *expected = before;
  return false;
}

LIBCALL(bool, compare_exchange, size_t n, void *at, void *expected, void *wanted, int success, int failure) {
  (void)success, (void)failure;
#define X(size, type)    \
  if (fits(at, n, size)) \
    return __atomic_compare_exchange_n((type *)at, (type *)expected, *(type *)wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  EACH_SIZE(X)
#undef X
  if (fits(at, n, 16)) return exchange_wide_if(at, expected, *(hd_wide *)wanted);
  __hd_atomic_begin();
  bool same = hd_memcmp(at, expected, n) == 0;
  if (same)
    __builtin_memcpy(at, wanted, n);
  else
    __builtin_memcpy(expected, at, n);
  __hd_atomic_end();
  return same;
}

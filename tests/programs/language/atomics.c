// output: native
// Every C11 atomic operation on every size, one thread.
#include <stdatomic.h>
#include <stdio.h>

#define TRY(type, start)                                                                                       \
  {                                                                                                            \
    _Atomic(type) a = (start);                                                                                 \
    type old = atomic_fetch_add(&a, 5);                                                                        \
    printf("%lld %lld ", (long long)old, (long long)atomic_load(&a));                                          \
    printf("%lld ", (long long)atomic_fetch_sub(&a, 7));                                                       \
    printf("%lld ", (long long)atomic_fetch_or(&a, 0x30));                                                     \
    printf("%lld ", (long long)atomic_fetch_xor(&a, 0x55));                                                    \
    printf("%lld ", (long long)atomic_fetch_and(&a, 0x7e));                                                    \
    printf("%lld ", (long long)atomic_exchange(&a, 11));                                                       \
    type expected = 12;                                                                                        \
    printf("%d %lld ", atomic_compare_exchange_strong(&a, &expected, 13), (long long)expected);                \
    printf("%d ", atomic_compare_exchange_strong(&a, &expected, 14));                                          \
    atomic_store_explicit(&a, (type)(atomic_load_explicit(&a, memory_order_acquire) * 2), memory_order_release); \
    printf("%lld\n", (long long)a);                                                                            \
  }

int main(void) {
  TRY(signed char, 120)
  TRY(unsigned char, 250)
  TRY(short, -3)
  TRY(unsigned, 4294967290u)
  TRY(long, -1)
  TRY(unsigned long long, 1ull << 60)
  _Atomic(int *) p;
  static int array[4] = {1, 2, 3, 4};
  atomic_init(&p, array);
  int *first = atomic_fetch_add(&p, 2);
  printf("%d %d\n", *first, *atomic_load(&p));
  atomic_flag flag = ATOMIC_FLAG_INIT;
  printf("%d%d", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  printf("%d\n", atomic_flag_test_and_set(&flag));
  _Atomic double d = 1.5;
  d += 2;
  atomic_thread_fence(memory_order_seq_cst);
  printf("%g %d %d\n", d, __sync_fetch_and_add(&array[0], 4), __sync_bool_compare_and_swap(&array[1], 2, 9));
  printf("%d %d\n", array[0], __atomic_fetch_nand(&array[1], 8, __ATOMIC_SEQ_CST));
  return array[1] == ~8 ? 0 : 1;
}

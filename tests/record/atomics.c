/* Atomic operations of all sizes and kinds, fences, and a flag that is waited for. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static _Atomic uint8_t a8;
static _Atomic uint16_t a16;
static _Atomic uint32_t a32;
static _Atomic uint64_t a64;
static _Atomic double fraction;
static int data, most;
static atomic_int flag;
static void *work(void *argument) {
  for (int i = 0; i < 20; i++) {
    a8++, a16 += 2, a32 ^= (uint32_t)i, atomic_fetch_add_explicit(&a64, 3, memory_order_relaxed);
    fraction += 0.5;
    __atomic_fetch_max(&most, i, __ATOMIC_SEQ_CST);
    uint64_t seen = a64;
    while (!atomic_compare_exchange_weak(&a64, &seen, seen + 1)) continue;
  }
  while (!atomic_load_explicit(&flag, memory_order_relaxed)) continue;
  atomic_thread_fence(memory_order_acquire);
  assert(data == 5);
  return argument;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  data = 5;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(a8 == 40 && a16 == 80 && a64 == 160 && fraction == 20 && most == 19);
  return 0;
}

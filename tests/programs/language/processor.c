// The processor is asked in all the ways that programs do; the machine's has no optional features. Code alignment and prefetching do nothing.
// verdict: SAFE
// case: optimised -O2
// verdict: SAFE
#include <assert.h>
#include <cpuid.h>
#include <stdint.h>
#include <string.h>

static uint64_t twice(uint64_t x) {
  uint64_t y = x;
  __asm__ volatile("" : "+r"(y) : : "memory");
  __asm__ volatile(".p2align 5\n\tnop");
  __asm__ volatile("prefetcht0 %0" : : "m"(y));
  return y * 2;
}

int main(void) {
  unsigned a, b, c, d, most;
  __asm__("cpuid" : "=a"(most) : "a"(0) : "ebx", "ecx", "edx");
  assert(most == 1 && most == __get_cpuid_max(0, 0));
  __cpuid(0, a, b, c, d);
  char vendor[13] = {0};
  memcpy(vendor, &b, 4), memcpy(vendor + 4, &d, 4), memcpy(vendor + 8, &c, 4);
  assert(a == 1 && strcmp(vendor, "HeddleHeddle") == 0);
  __asm__("cpuid" : "=c"(c), "=d"(d), "=a"(a) : "a"(1) : "ebx");
  assert((d & bit_SSE2) && !(c & (bit_SSE3 | bit_AVX | bit_OSXSAVE)));
  assert(!__get_cpuid_count(7, 0, &a, &b, &c, &d));
  __cpuid_count(7, 0, a, b, c, d);
  assert(b == 0 && c == 0);
  assert(__get_cpuid(0x80000001, &a, &b, &c, &d) && (d >> 29 & 1));
  __builtin_cpu_init();
  assert(__builtin_cpu_supports("sse2") && !__builtin_cpu_supports("avx2"));
  assert(twice(21) == 42);
  return 0;
}

// output: native
// Widths, signs, wrap-around, shifts, conversions.
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

static volatile int8_t c = -128;
static volatile uint8_t uc = 255;
static volatile int16_t s = -32768;
static volatile uint16_t us = 65535;
static volatile int32_t i = INT32_MIN;
static volatile uint32_t u = 0xdeadbeef;
static volatile int64_t l = INT64_MIN;
static volatile uint64_t ul = 0x0123456789abcdef;

int main(void) {
  printf("%d %d %d %d\n", (int8_t)(c - 1), (uint8_t)(uc + 1), (int16_t)(s - 1), (uint16_t)(us + 1));
  printf("%d %u %ld %lu\n", c >> 3, u >> 5, l >> 17, ul << 9);
  printf("%" PRId64 " %" PRIu64 "\n", (int64_t)i * 3, (uint64_t)u * u);
  for (int k = 0; k < 32; k += 5) printf("%d:%x:%d ", k, u << k, (int32_t)u >> k);
  printf("\n%d %d %d\n", (int)(c < uc), (int)(i < u), (int)((long)i < (long)u));
  printf("%ld %ld %lu %lu\n", l / 7, l % 7, ul / 1000003, ul % 1000003);
  printf("%d %d %d %d\n", -7 / 2, -7 % 2, (int)(uint8_t)c, (int)(int8_t)uc);
  printf("%d %d %d\n", __builtin_popcountll(ul), __builtin_clzll(ul), __builtin_ctz(u));
  printf("%x %lx %x\n", __builtin_bswap32(u), __builtin_bswap64(ul), __builtin_bswap16(us - 3));
  int sum, overflow = __builtin_add_overflow(INT_MAX - (i == INT32_MIN), 2, &sum);
  long product;
  int overflow2 = __builtin_mul_overflow((long)ul, (long)3, &product);
  printf("%d %d %d %ld\n", overflow, sum, overflow2, product);
  unsigned rotated = (u << 7) | (u >> 25);
  printf("%x %d\n", rotated, __builtin_parity(u));
  _Bool b = c;
  printf("%d %d\n", b, !b);
  return 0;
}

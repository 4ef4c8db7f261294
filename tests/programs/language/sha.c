// output: native
// SHA-256 of a few messages, CRC-32 and a xorshift generator: shifts and rotations in quantity.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static uint32_t k[64];

static int is_prime(int n) {
  for (int i = 2; i * i <= n; i++)
    if (n % i == 0) return 0;
  return 1;
}

static uint32_t root_bits(int n, int cube) {
  long double low = 1, high = 20;
  for (int i = 0; i < 80; i++) {
    long double mid = (low + high) / 2;
    if ((cube ? mid * mid * mid : mid * mid) < n) low = mid;
    else high = mid;
  }
  return (uint32_t)((low - (long double)(int)low) * 4294967296.0L);
}

static void block(uint32_t h[8], const uint8_t *p) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; i++) w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
  for (int i = 16; i < 64; i++)
    w[i] = w[i - 16] + w[i - 7] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
           (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
  memcpy(s, h, sizeof s);
  for (int i = 0; i < 64; i++) {
    uint32_t a = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
    uint32_t b = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += a;
    s[0] = a + b;
  }
  for (int i = 0; i < 8; i++) h[i] += s[i];
}

static void sha256(const char *text) {
  uint32_t h[8];
  for (int n = 2, i = 0, j = 0; j < 64; n++) {
    if (!is_prime(n)) continue;
    if (i < 8) h[i++] = root_bits(n, 0);
    k[j++] = root_bits(n, 1);
  }
  uint8_t last[128] = {0};
  size_t n = strlen(text), rest = n % 64;
  for (size_t i = 0; i + 64 <= n; i += 64) block(h, (const uint8_t *)text + i);
  memcpy(last, text + n - rest, rest);
  last[rest] = 0x80;
  size_t end = rest < 56 ? 64 : 128;
  for (int i = 0; i < 8; i++) last[end - 1 - (size_t)i] = (uint8_t)((uint64_t)n * 8 >> (8 * i));
  block(h, last);
  if (end == 128) block(h, last + 64);
  for (int i = 0; i < 8; i++) printf("%08x", h[i]);
  printf("\n");
}

int main(void) {
  sha256("");
  sha256("abc");
  sha256("The quick brown fox jumps over the lazy dog, and the loom goes on weaving until the heddle lifts another thread of the warp.");
  uint32_t crc = ~0u;
  for (const char *c = "123456789"; *c; c++) {
    crc ^= (uint8_t)*c;
    for (int i = 0; i < 8; i++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  printf("%08x\n", ~crc);
  uint64_t x = 88172645463325252ull;
  for (int i = 0; i < 1000; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  printf("%lu\n", x);
  return 0;
}

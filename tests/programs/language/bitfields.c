// output: native
// Bit-fields: signed, unsigned, straddling, zero width, in unions.
#include <stdio.h>
#include <string.h>

struct flags {
  unsigned a : 1;
  signed b : 3;
  unsigned c : 12;
  unsigned : 0;
  unsigned long d : 40;
  long e : 24;
  _Bool f : 1;
};

struct packed {
  unsigned char x : 3;
  unsigned char y : 7;
  unsigned short z : 9;
} __attribute__((packed));

union view {
  struct {
    unsigned low : 4, mid : 12, high : 16;
  } parts;
  unsigned word;
};

int main(void) {
  struct flags s;
  memset(&s, 0, sizeof s);
  s.a = 3;
  s.b = 5;
  s.c = 0xfff + 7;
  s.d = 0x123456789abcdef;
  s.e = -5;
  s.f = 42;
  printf("%u %d %u %lx %d %d %zu\n", s.a, s.b, s.c, (unsigned long)s.d, (int)s.e, s.f, sizeof s);
  for (int i = 0; i < 10; i++) s.b++, s.c += 1000, s.e *= 3;
  printf("%d %u %d\n", s.b, s.c, (int)s.e);
  struct packed p = {5, 100, 300};
  p.y += 40;
  p.z ^= 0x1ff;
  printf("%u %u %u %zu\n", p.x, p.y, p.z, sizeof p);
  union view v = {.word = 0xcafebabe};
  printf("%x %x %x\n", v.parts.low, v.parts.mid, v.parts.high);
  v.parts.mid = 0x123;
  printf("%x\n", v.word);
  return 0;
}

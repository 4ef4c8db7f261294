/* Accesses of all sizes to one place, unaligned and overlapping; arrays, structures and bit-fields; recursion and function pointers. */
#include "generator.h"

static const char declarations[] =
    "#include <string.h>\n"
    "static struct mixed { char c0; short s; int i; long l; } mx; static union { char b[16]; short s[8]; int i[4]; long l[2]; } un;\n"
    "static struct { unsigned f : 3, g : 5; unsigned char k; } bits; static struct __attribute__((packed)) { char x; int y; long z; } "
    "tight;\n"
    "static int list[4]; static int plus(int x) { a++; return x + 1; } static int minus(int x) { return b - x; }\n"
    "static int (*_Atomic way)(int); static int (*plain_way)(int) = plus;\n"
    "static union { double d; float f[2]; } real; static struct wide { long x, y, z; } wide; static int (*table[2])(int) = {plus, minus};\n"
    "static int down(int n, int *from) { int l[2] = {n, *from}; if (n <= 0) return l[1]; a = n; return down(n - 1, l) + l[0]; }\n"
    "static int even(int n); static int odd(int n) { return n <= 0 ? 0 : even(n - 1); } static int even(int n) { return n <= 0 ? 1 + b : "
    "odd(n - 1); }\n";

static const struct statement_kind kinds[] = {
    {2, .text = "un.b[#] = #;"},
    {2, .text = "un.s[#] = #;"},
    {2, .text = "un.i[#] = #;"},
    {2, .text = "un.l[# & 1] = #;"},
    {1, .text = "*(int *)(un.b + #) = #;"},
    {1, .text = "*(long *)(un.b + #) = 5;"},
    {1, .text = "*(short *)(un.b + # + 4) = 7;"},
    {1, .text = "r = un.b[#]; LOG(r);"},
    {1, .text = "r = un.s[#]; LOG(r);"},
    {1, .text = "r = un.i[#]; LOG(r);"},
    {1, .text = "LOG(un.l[# & 1] >> 8 * #);"},
    {1, .text = "r = *(int *)(un.b + #); LOG(r);"},
    {1, .text = "__atomic_store_n(&un.i[#], #, __ATOMIC_SEQ_CST);"},
    {1, .text = "LOG(__atomic_load_n(&un.s[#], __ATOMIC_RELAXED));"},
    {1, .text = "LOG(__atomic_fetch_add(&un.b[#], 1, __ATOMIC_SEQ_CST));"},
    {1, .text = "LOG(__atomic_exchange_n(&un.l[0], #, __ATOMIC_ACQ_REL));"},
    {1, .text = "{ a = #; __atomic_store_n(&un.b[#], 1, __ATOMIC_RELEASE); }"},
    {1, .text = "{ b = #; __atomic_store_n(&un.i[0], 0x0101, __ATOMIC_RELEASE); }"},
    {1, .text = "if (__atomic_load_n(&un.b[#], __ATOMIC_RELAXED)) __atomic_store_n(&un.l[0], 0x0200, __ATOMIC_RELAXED);"},
    {1, .text = "if (__atomic_load_n(&un.l[0], __ATOMIC_ACQUIRE)) { r = a; LOG(r); }"},
    {1, .text = "if (__atomic_load_n(&un.b[#], __ATOMIC_ACQUIRE)) b = 1;"},
    {1, .text = "LOG(__atomic_fetch_add(&un.s[#], 1, __ATOMIC_RELAXED));"},
    {1, .text = "memcpy(un.b + #, &mx, sizeof mx - 4);"},
    {1, .text = "memset(un.b + #, #, 4 + #);"},
    {1, .text = "memmove(un.b + 1, un.b, 8);"},
    {1, .text = "LOG(memcmp(un.b, un.b + 8, 8) != 0);"},
    {1, .text = "{ struct mixed l = mx; LOG(l.s + l.i); }"},
    {1, .text = "{ struct mixed l = {1, 2, #, 4}; mx = l; }"},
    {1, .text = "mx.s = #;"},
    {1, .text = "mx.i++;"},
    {1, .text = "bits.f = #;"},
    {1, .text = "bits.g = #;"},
    {1, .text = "LOG(bits.f);"},
    {1, .text = "bits.k++;"},
    {1, .text = "tight.y = #;"},
    {1, .text = "LOG(tight.z);"},
    {1, .text = "tight.z = 1L << 40;"},
    {1, .text = "list[r & 3] = #;"},
    {1, .text = "list[$] = 1;"},
    {1, .text = "LOG(list[$ + #]);"},
    {1, .text = "for (int i = 0; i < 4; i++) LOG(list[i]);"},
    {1, .text = "{ int l = 1; r = down($ & 3, &l); LOG(r); }"},
    {1, .text = "LOG(even($ & 3));"},
    {1, .text = "way = plus;"},
    {1, .text = "way = minus;"},
    {1, .text = "way = 0;"},
    {2, .text = "r = way(r); LOG(r);"},
    {1, .text = "if (way) r = way(#);"},
    {1, .text = "r = plain_way(1);"},
    {1, .text = "plain_way = minus;"},
    {1, .text = "real.d = # / 2.0;"},
    {1, .text = "real.f[# & 1] = #;"},
    {1, .text = "LOG(real.d * 4);"},
    {1, .text = "{ struct wide l = wide; LOG(l.x + l.y + l.z); }"},
    {1, .text = "wide = (struct wide){#, 2, 3};"},
    {1, .text = "wide.y = #;"},
    {1, .text = "{ int l[$ % 3 + 3]; l[#] = #; LOG(l[#]); }"},
    {1, .text = "{ int l[4] = {1, 2, 3, 4}; int *n = &l[$]; LOG(*n); }"},
    {1, .text = "table[# & 1] = minus;"},
    {1, .text = "r = table[$ & 1](r); LOG(r);"},
    {1, .text = "a = #;"},
    {1, .text = "b = #;"},
    {1, .text = "LOG($ / $);"},
};
const struct statement_family family_values = {declarations, NULL, kinds, sizeof kinds / sizeof *kinds};

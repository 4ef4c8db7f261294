// Integers of more than 64 bits have expressions: halves of products, sums with their carries, comparisons, counters, time.
// verdict: SAFE
// executions: 6
// case: hash
// verdict: BUG
// cflags: -DHASH
// finding: assertion A
// case: sum
// verdict: BUG
// cflags: -DSUM
// finding: assertion B
// case: sum-right
// verdict: SAFE
// cflags: -DSUM -DRIGHT
// executions: 2
// case: counter
// verdict: BUG
// cflags: -DCOUNTER
// finding: assertion C
// case: counter-right
// verdict: SAFE
// cflags: -DCOUNTER -DRIGHT
// executions: 1
// case: time
// verdict: BUG
// cflags: -DTIME
// finding: assertion D
// case: time-right
// verdict: SAFE
// cflags: -DTIME -DRIGHT
// executions: 2
// case: product
// verdict: BUG
// cflags: -DPRODUCT
// finding: assertion E
// case: product-right
// verdict: SAFE
// cflags: -DPRODUCT -DRIGHT
// executions: 2
// case: fields
// verdict: BUG
// cflags: -DFIELDS
// finding: assertion F
// case: fields-right
// verdict: SAFE
// cflags: -DFIELDS -DRIGHT
// case: divide
// verdict: BUG
// cflags: -DDIVIDE
// finding: division-by-zero G
#include <heddle.h>

typedef unsigned __int128 u128;
typedef __int128 i128;
typedef unsigned long long u64;

#ifdef RIGHT
#define OFF 1
#else
#define OFF 0
#endif

/* As in wyhash. */
static u64 mum(u64 a, u64 b) {
  u128 r = (u128)a * b;
  return (u64)r ^ (u64)(r >> 64);
}

int main(void) {
#ifdef HASH
  unsigned short x;
  hd_symbolic(&x, sizeof x, "x");
  hd_assert(mum(x ^ 0xa0761d6478bd642full, 0xe7037ed1a0b428dbull) != 0x9464b9a34b58ce58ull); /* @A */
#elif defined SUM /* an average that does not wrap; or does, where the sum was cut */
  u64 a, b;
  hd_symbolic(&a, sizeof a, "a");
  hd_symbolic(&b, sizeof b, "b");
  u64 middle = OFF ? (u64)(((u128)a + b) / 2) : (a + b) / 2;
  hd_assert(middle >= (a < b ? a : b) && middle <= (a < b ? b : a)); /* @B */
#elif defined COUNTER
  u128 n;
  hd_symbolic(&n, sizeof n, "n");
  hd_assume(n < ((u128)1 << 100) - OFF);
  for (int i = 0; i < 20; i++) n++, n--;
  n++;
  hd_assert(n != (u128)1 << 100); /* @C */
#elif defined TIME /* nanoseconds since 1970 */
  struct { long long seconds; int nanoseconds; } t;
  hd_symbolic(&t, sizeof t, "time");
  hd_assume(t.nanoseconds >= 0 && t.nanoseconds < 1000000000);
  i128 ns = (i128)t.seconds * 1000000000 + t.nanoseconds;
  if (OFF && (ns < -0x8000000000000000ll || ns > 0x7fffffffffffffffll)) return 1;
  hd_assert((long long)ns == ns); /* @D */
#elif defined PRODUCT
  long long a, b, r;
  hd_symbolic(&a, sizeof a, "a");
  b = 3037000500;
  i128 wide;
  int overflows = __builtin_mul_overflow((i128)a, (i128)b, &wide), narrow = __builtin_mul_overflow(a, b, &r);
  hd_assert(!overflows);
  hd_assert(narrow == (wide < -0x7fffffffffffffffll - 1 || wide > 0x7fffffffffffffffll - (OFF ? 0 : 1ll << 32))); /* @E */
#elif defined FIELDS
  struct { u128 low : 70, high : 58; } f;
  hd_symbolic(&f, sizeof f, "fields");
  u128 low = f.low;
  f.high++;
  hd_assert(f.low == low);
  hd_assert(f.low >> 60 != 0x3a5 + OFF * 1024); /* @F */
#elif defined DIVIDE
  u128 a, b;
  hd_symbolic(&a, sizeof a, "a");
  hd_symbolic(&b, sizeof b, "b");
  hd_assume(a < 1000);
  if (b < a) return 1;
  return a / (b - ((u128)77 << 70)) == 5; /* @G */
#else
  u128 a, b;
  hd_symbolic(&a, sizeof a, "a");
  hd_symbolic(&b, sizeof b, "b");
  u64 low = (u64)a + (u64)b, carry = low < (u64)a, high = (u64)(a >> 64) + (u64)(b >> 64) + carry;
  u128 sum = (u128)high << 64 | low;
  hd_assert(sum == a + b);
  if ((i128)a < (i128)b && (i128)b < 0) hd_assert(a < b);
  hd_assert((a > b ? a - b : b - a) == (b < a ? a : b) - (a < b ? a : b));
#endif
  return 0;
}

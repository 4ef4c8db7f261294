// Values that nobody has defined may be copied, computed with and stored, as long as nothing depends on them: padding, bit-fields, members of
// unions, parts of structs that are copied as a whole, locals that are only defined where they are used.
// verdict: SAFE
// case: O1 -O1
// verdict: SAFE
// case: O2 -O2
// verdict: SAFE
// case: optimised -O2 -fheddle-optimised
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct padded {
  char c;
  int i;
  short s;
  double d;
};
struct small {
  char c;
  int i;
};
struct fields {
  unsigned a : 3, b : 5, c : 12, d : 1;
  signed e : 4;
};
union variant {
  int i;
  double d;
  char bytes[24];
};

static int failures;
static void check(int condition) {
  if (!condition) failures++;
}

static struct padded pass(struct padded p) { return p; }
static struct small pass_small(struct small p) { return p; }
static union variant pass_variant(union variant v) { return v; }

static void copies(void) {
  struct padded p, q, *heap = malloc(sizeof *heap);
  if (!heap) return;
  p.c = 1, p.i = 2, p.d = 3; /* p.s is not set */
  q = p;
  *heap = pass(q);
  q = *heap;
  check(q.c == 1 && q.i == 2 && q.d == 3);
  struct small s = {.c = 1}, t;
  s.i = 7;
  t = pass_small(s);
  check(t.i == 7 && t.c == 1);
  union variant v, w;
  v.i = 5;
  w = pass_variant(v);
  check(w.i == 5);
  memcpy(heap, &p, sizeof p);
  check(heap->i == 2);
  free(heap);
}

static void bits(void) {
  struct fields f, *g = malloc(sizeof *g);
  if (!g) return;
  f.b = 9, f.e = -2;
  check(f.b == 9 && f.e == -2 && f.e < 0);
  f.a = 5;
  *g = f;
  g->d = 1, g->c = 100;
  check(g->a == 5 && g->d && g->c == 100 && g->b == 9);
  free(g);
  unsigned mask;
  mask &= 0;
  check(mask == 0);
  unsigned low;
  low = (low & ~0xffu) | 7;
  check((low & 0xff) == 7);
  check((low | 0xff) >= 0xff);
  int zero;
  zero ^= zero; /* all of it is undefined, and nobody asks */
}

/* `best` is defined whenever it is looked at; LLVM's phi nodes have an undefined value on the way in. */
static int best_of(const int *values, int n) {
  int best, have = 0;
  for (int i = 0; i < n; i++) {
    if (!have || values[i] > best) best = values[i], have = 1;
  }
  return have ? best : -1;
}

static int late(int a) {
  int result;
  if (a > 1) result = a * 2;
  if (a > 3) return result;
  return 0;
}

static int never(int a) {
  int y;
  int z = a ? a : y + 1;
  if (a) return z;
  return 0;
}

static void *worker(void *argument) {
  int unset;
  struct padded *p = argument;
  int copy = unset;
  p->i += 1;
  p->s = (short)copy;
  return argument;
}

int main(void) {
  int values[] = {3, 9, 2};
  copies();
  bits();
  check(best_of(values, 3) == 9);
  check(best_of(values, 0) == -1);
  check(late(2) == 0 && late(4) == 8);
  check(never(3) == 3 && never(0) == 0);
  int partly[4], copied[4];
  partly[2] = 4;
  for (int i = 0; i < 4; i++) copied[i] = partly[i];
  check(copied[2] == 4);
  pthread_t t;
  struct padded p = {.i = 1};
  void *result;
  pthread_create(&t, 0, worker, &p);
  pthread_join(t, &result);
  check(result == &p && p.i == 2);
  long double x;
  __int128 wide;
  x = 1, wide = 2;
  check(x + (long double)wide == 3);
  return failures;
}

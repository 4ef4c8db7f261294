/* Writes a random object for `heddle check --linearizable`: two words, a lock and a condition variable; three operations of a few accesses
 * each, some of them within the lock and some not, so that many objects are wrong. usage: objects_generate SEED */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed;
static unsigned below(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((seed >> 33) % n);
}

static void access(void) {
  unsigned i = below(2), by = 1 + below(3);
  switch (below(6)) {
    case 0:
      printf("  r = r * 4 + x[%u];\n", i);
      break;
    case 1:
      printf("  x[%u] = (r + %u) %% 4;\n", i, by);
      break;
    case 2:
      printf("  r = r * 4 + atomic_fetch_add(&x[%u], %u);\n", i, by);
      break;
    case 3:
      printf("  { int was = x[%u]; x[%u] = was + %u; r = r * 4 + was; }\n", i, i, by);
      break;
    case 4:
      printf("  { int was = r %% 4; r = r * 2 + atomic_compare_exchange_strong(&x[%u], &was, %u); }\n", i, by);
      break;
    case 5:
      printf("  x[%u] = x[%u];\n", i, 1 - i);
      break;
  }
}

static void operation(char name) {
  unsigned n = 1 + below(2), from = below(n + 1), to = from + below(n + 1 - from);
  bool whole = below(2), locks = whole || to > from, waits = locks && below(4) == 0;
  printf("HD_OPERATION(%c) {\n  int r = 0;\n", name);
  for (unsigned i = 0; i <= n; i++) {
    if (locks && i == (whole ? 0 : from)) {
      printf("  pthread_mutex_lock(&lock);\n");
      if (waits) printf("  while (x[%u] == 0) pthread_cond_wait(&changed, &lock);\n", below(2));
    }
    if (i < n) access();
    if (locks && i == (whole ? n : to)) printf("  pthread_cond_signal(&changed);\n  pthread_mutex_unlock(&lock);\n");
  }
  printf("  return r;\n}\n");
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  seed = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15u;
  printf("#include <heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\n");
  printf("static atomic_int x[2];\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n");
  printf("static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;\nHD_BEGIN(void) {}\n");
  for (char name = 'a'; name <= 'c'; name++) operation(name);
  if (below(2)) printf("HD_STATE { return (unsigned long)(x[0] + 256 * x[1]); }\n");
  return 0;
}

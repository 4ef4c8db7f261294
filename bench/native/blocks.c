/* A block sorter: threads take blocks of a text in turn, sort their rotations (Burrows and Wheeler, 1994), and add up what moving to the
 * front makes of the last column. Private data, byte by byte; one lock, which is rarely taken. */
#include <string.h>

#include "native.h"

enum { BLOCK = 100000, BLOCKS = 16, FEW = 12 };
static unsigned nblocks, next_block;
static uint64_t sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct block {
  uint8_t text[BLOCK];
  uint32_t order[BLOCK];
  uint32_t count[65537];
};

static void make(struct block *b, uint64_t seed) {
  static const char *const words[] = {"the ", "warp ", "and ", "weft ", "of a ", "loom ", "lifts ", "threads ", "between ", "passes ", "\n", "shuttle "};
  for (size_t at = 0; at < BLOCK;) {
    const char *word = words[native_next(&seed) % (sizeof words / sizeof *words)];
    for (; *word && at < BLOCK; word++) b->text[at++] = (uint8_t)*word;
  }
}

/* Which of two rotations comes first, by what is behind their first `depth` bytes. */
static int before(const struct block *b, uint32_t x, uint32_t y, unsigned depth) {
  x += depth, y += depth;
  for (unsigned n = 0; n < BLOCK; n++) {
    if (x >= BLOCK) x -= BLOCK;
    if (y >= BLOCK) y -= BLOCK;
    if (b->text[x] != b->text[y]) return b->text[x] < b->text[y];
    x++, y++;
  }
  return 0;
}

static unsigned byte_at(const struct block *b, uint32_t rotation, unsigned depth) {
  uint32_t at = rotation + depth;
  return b->text[at < BLOCK ? at : at - BLOCK];
}

/* Quicksort with three parts, byte by byte (Bentley and Sedgewick, 1997). */
static void sort(struct block *b, uint32_t *a, long n, unsigned depth) {
  while (n > FEW && depth < BLOCK) {
    unsigned pivot = byte_at(b, a[n / 2], depth);
    long less = 0, i = 0, more = n;
    while (i < more) {
      unsigned c = byte_at(b, a[i], depth);
      uint32_t t = a[i];
      if (c < pivot)
        a[i++] = a[less], a[less++] = t;
      else if (c > pivot)
        a[i] = a[--more], a[more] = t;
      else
        i++;
    }
    sort(b, a, less, depth);
    sort(b, a + more, n - more, depth);
    a += less, n = more - less, depth++;
  }
  for (long i = 1; i < n; i++) {
    uint32_t x = a[i];
    long k = i;
    for (; k > 0 && before(b, x, a[k - 1], depth); k--) a[k] = a[k - 1];
    a[k] = x;
  }
}

static void sort_block(struct block *b) {
  memset(b->count, 0, sizeof b->count);
  for (uint32_t i = 0; i < BLOCK; i++) b->count[(b->text[i] << 8 | byte_at(b, i, 1)) + 1]++;
  for (unsigned i = 1; i < 65537; i++) b->count[i] += b->count[i - 1];
  for (uint32_t i = 0; i < BLOCK; i++) b->order[b->count[b->text[i] << 8 | byte_at(b, i, 1)]++] = i;
  for (unsigned i = 0; i < 65536; i++) {
    uint32_t from = i ? b->count[i - 1] : 0;
    sort(b, b->order + from, (long)(b->count[i] - from), 2);
  }
}

static uint64_t move_to_front(const struct block *b) {
  uint8_t front[256];
  uint64_t total = 0;
  for (unsigned i = 0; i < 256; i++) front[i] = (uint8_t)i;
  for (uint32_t i = 0; i < BLOCK; i++) {
    uint8_t c = b->text[b->order[i] ? b->order[i] - 1 : BLOCK - 1];
    unsigned at = 0;
    while (front[at] != c) at++;
    memmove(front + 1, front, at);
    front[0] = c, total += at;
  }
  return total;
}

static void work(unsigned me, unsigned threads) {
  (void)me, (void)threads;
  struct block *b = malloc(sizeof *b);
  for (;;) {
    pthread_mutex_lock(&lock);
    unsigned mine = next_block < nblocks ? next_block++ : nblocks;
    pthread_mutex_unlock(&lock);
    if (mine == nblocks) break;
    make(b, mine);
    sort_block(b);
    uint64_t total = move_to_front(b);
    pthread_mutex_lock(&lock);
    sum += total;
    pthread_mutex_unlock(&lock);
  }
  free(b);
}

/* blocks [THREADS [BLOCKS]] */
int main(int argc, char **argv) {
  nblocks = argc > 2 ? (unsigned)atoi(argv[2]) : BLOCKS;
  native_run(work, native_threads(argc, argv));
  return sum == 0;
}

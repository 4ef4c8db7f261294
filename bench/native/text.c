/* Bytes: words of a text are counted in a table for each thread, with the C library's functions on short strings. */
#include <string.h>

#include "native.h"

enum { LENGTH = 1 << 21, BUCKETS = 4096, WORD = 24 };
struct entry {
  struct entry *next;
  unsigned count;
  char word[WORD];
};
static char *text;

static void count(struct entry **table, const char *word, size_t n) {
  unsigned hash = 5381;
  for (size_t i = 0; i < n; i++) hash = hash * 33 + (unsigned char)word[i];
  struct entry **bucket = &table[hash % BUCKETS], *e = *bucket;
  while (e && (strncmp(e->word, word, n) != 0 || e->word[n])) e = e->next;
  if (!e) {
    e = calloc(1, sizeof *e);
    memcpy(e->word, word, n);
    e->next = *bucket, *bucket = e;
  }
  e->count++;
}

static void work(unsigned me, unsigned threads) {
  struct entry **table = calloc(BUCKETS, sizeof *table);
  const char *at = text + LENGTH / threads * me, *end = at + LENGTH / threads;
  while (at < end) {
    size_t n = 0;
    while (at + n < end && at[n] != ' ' && n < WORD - 1) n++;
    if (n) count(table, at, n);
    at += n + 1;
  }
  for (unsigned i = 0; i < BUCKETS; i++)
    for (struct entry *e = table[i], *next; e; e = next) next = e->next, free(e);
  free(table);
}

int main(int argc, char **argv) {
  text = malloc(LENGTH);
  for (long i = 0; i < LENGTH; i++) text[i] = native_random() % 6 ? (char)('a' + native_random() % 5) : ' ';
  native_run(work, native_threads(argc, argv));
  return 0;
}

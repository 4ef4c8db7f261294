#include "predict/recorded/memory/blocks.h"

/* Allocators hand out multiples of a granule. Blocks of more than SMALL bytes are kept by chunks, those of more than LARGE all together. */
#define GRANULE 16u
#define PAGE    1024u
#define SMALL   (1u << 16)
#define CHUNK   (1u << 16)
#define LARGE   (1ull << 32)

struct blocks_page {
  uint32_t numbers[PAGE / GRANULE];
};

static struct blocks_page *page_at(struct blocks *b, uint64_t number) {
  bool is_new = false;
  uint64_t *at = hashmap_at(&b->pages, number, b->store.count, &is_new);
  if (is_new) *vec_push(&b->store) = mem_alloc(sizeof(struct blocks_page));
  return b->store.data[*at];
}

static void begin_small(struct blocks *b, uint64_t from, uint64_t to, uint64_t number) {
  for (uint64_t granule = from / GRANULE; granule <= (to - 1) / GRANULE;) {
    struct blocks_page *p = page_at(b, granule * GRANULE / PAGE);
    do {
      p->numbers[granule % (PAGE / GRANULE)] = (uint32_t)number;
    } while (++granule <= (to - 1) / GRANULE && granule % (PAGE / GRANULE));
  }
}

void blocks_begin(struct blocks *b, const struct event *alloc, uint64_t number) {
  uint64_t from = alloc->object, to = alloc->object + alloc->size;
  if (alloc->size == 0) return;
  if (alloc->size <= SMALL) {
    begin_small(b, from, to, number);
  } else if (alloc->size <= LARGE) {
    for (uint64_t chunk = from / CHUNK; chunk <= (to - 1) / CHUNK; chunk++) *hashmap_at(&b->chunks, chunk, 0, NULL) = number;
  } else {
    b->from = b->last && b->from < from ? b->from : from;
    b->to = b->to > to ? b->to : to;
    b->last = number;
  }
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

uint64_t blocks_at(const struct blocks *b, uint64_t address) {
  const uint64_t *page = hashmap_find(&b->pages, address / PAGE), *chunk = hashmap_find(&b->chunks, address / CHUNK);
  uint64_t number = page ? b->store.data[*page]->numbers[address % PAGE / GRANULE] : 0;
  if (chunk) number = later(number, *chunk);
  return address >= b->from && address < b->to ? later(number, b->last) : number;
}

void blocks_clear(struct blocks *b) {
  for (size_t i = 0; i < b->store.count; i++) mem_free(b->store.data[i], sizeof(struct blocks_page));
  vec_clear(&b->store);
  hashmap_clear(&b->pages);
  hashmap_clear(&b->chunks);
  b->from = b->to = b->last = 0;
}

void blocks_release(struct blocks *b) {
  blocks_clear(b);
  vec_release(&b->store);
  hashmap_release(&b->pages);
  hashmap_release(&b->chunks);
}

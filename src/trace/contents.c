#include "trace/contents.h"

#include <string.h>

enum { PAGE = 1024 };

struct contents_page {
  unsigned char known[PAGE / 8]; /* a bit for each byte */
  unsigned char bytes[PAGE];
};

static struct contents_page *page_of(struct contents *m, uint64_t address, bool make) {
  uint64_t number = address / PAGE;
  if (m->last_number == number + 1) return m->last;
  uint64_t *at = make ? hashmap_at(&m->pages, number, m->store.count, NULL) : hashmap_find(&m->pages, number);
  if (!at) return NULL;
  if (*at == m->store.count) *vec_push(&m->store) = mem_alloc(sizeof(struct contents_page));
  m->last_number = number + 1;
  m->last = m->store.data[*at];
  return m->last;
}

/* A word within a page: bits of `known` may be in two bytes. */
static struct contents_word read_part(const struct contents_page *p, unsigned at, unsigned size) {
  struct contents_word w = {0};
  unsigned bits = p->known[at / 8] >> at % 8;
  if (at % 8 + size > 8) bits |= (unsigned)p->known[at / 8 + 1] << (8 - at % 8);
  w.known = (uint8_t)(bits & ((1u << size) - 1));
  memcpy(&w.value, p->bytes + at, size);
  return w;
}

static void write_part(struct contents_page *p, unsigned at, unsigned size, struct contents_word w) {
  unsigned mask = ((1u << size) - 1) << at % 8, bits = (unsigned)w.known << at % 8 & mask;
  memcpy(p->bytes + at, &w.value, size);
  p->known[at / 8] = (unsigned char)((p->known[at / 8] & ~mask) | bits);
  if (mask >> 8) p->known[at / 8 + 1] = (unsigned char)((p->known[at / 8 + 1] & ~(mask >> 8)) | bits >> 8);
}

/* Bytes that are not known are zero, so that words can be compared. */
static struct contents_word cleaned(struct contents_word w) {
  for (unsigned i = 0; i < 8; i++) {
    if (!(w.known >> i & 1)) w.value &= ~(0xffull << 8 * i);
  }
  return w;
}

struct contents_word contents_read(struct contents *m, uint64_t address, unsigned size) {
  unsigned at = address % PAGE, first = at + size > PAGE ? PAGE - at : size;
  const struct contents_page *p = page_of(m, address, false);
  struct contents_word w = p ? read_part(p, at, first) : (struct contents_word){0};
  if (first < size && (p = page_of(m, address + first, false))) {
    struct contents_word rest = read_part(p, 0, size - first);
    w.value |= rest.value << 8 * first;
    w.known |= (uint8_t)(rest.known << first);
  }
  return w.known == (1u << size) - 1 ? w : cleaned(w);
}

void contents_write(struct contents *m, uint64_t address, unsigned size, struct contents_word w) {
  unsigned at = address % PAGE, first = at + size > PAGE ? PAGE - at : size;
  write_part(page_of(m, address, true), at, first, w);
  if (first < size)
    write_part(page_of(m, address + first, true), 0, size - first, (struct contents_word){w.value >> 8 * first, w.known >> first});
}

static void forget_part(struct contents_page *p, unsigned from, unsigned to) {
  for (; from < to && from % 8; from++) p->known[from / 8] &= (unsigned char)~(1u << from % 8);
  for (; from + 8 <= to; from += 8) p->known[from / 8] = 0;
  for (; from < to; from++) p->known[from / 8] &= (unsigned char)~(1u << from % 8);
}

void contents_forget(struct contents *m, uint64_t address, uint64_t size) {
  uint64_t first = address / PAGE, last = (address + size - 1) / PAGE;
  if (size == 0) return;
  if (last - first >= m->store.count) { /* fewer pages are there than are named */
    for (size_t i = 0; i < m->pages.cap; i++) {
      uint64_t number = m->pages.used[i] ? m->pages.keys[i] : 0;
      if (!m->pages.used[i] || number < first || number > last) continue;
      forget_part(m->store.data[m->pages.values[i]], number == first ? address % PAGE : 0,
                  number == last ? (address + size - 1) % PAGE + 1 : PAGE);
    }
    return;
  }
  for (uint64_t number = first; number <= last; number++) {
    struct contents_page *p = page_of(m, number * PAGE, false);
    if (p) forget_part(p, number == first ? address % PAGE : 0, number == last ? (address + size - 1) % PAGE + 1 : PAGE);
  }
}

void contents_release(struct contents *m) {
  for (size_t i = 0; i < m->store.count; i++) mem_free(m->store.data[i], sizeof(struct contents_page));
  vec_release(&m->store);
  hashmap_release(&m->pages);
}

#include "trace/contents.h"

#include <string.h>

enum { PAGE = 1024 };

struct contents_page {
  unsigned char known[PAGE / 8]; /* a bit for each byte */
  unsigned char bytes[PAGE];
};

static bool is_zero(const struct contents *m, uint64_t number) {
  for (size_t i = 0; i < m->zeros.count; i++)
    if (number >= m->zeros.data[i].from && number < m->zeros.data[i].to) return true;
  return false;
}

/* The pages [from, to) are no longer among those that are all zeros. */
static void cut_zeros(struct contents *m, uint64_t from, uint64_t to) {
  for (size_t i = 0; i < m->zeros.count; i++) {
    struct contents_zeros *x = &m->zeros.data[i], old = *x;
    if (old.to <= from || old.from >= to) continue;
    x->to = old.from < from ? from : old.from; /* may become empty */
    if (old.to > to) *vec_push(&m->zeros) = (struct contents_zeros){to, old.to};
  }
  size_t kept = 0;
  for (size_t i = 0; i < m->zeros.count; i++)
    if (m->zeros.data[i].from < m->zeros.data[i].to) m->zeros.data[kept++] = m->zeros.data[i];
  m->zeros.count = kept;
}

static struct contents_page *page_of(struct contents *m, uint64_t address, bool make) {
  uint64_t number = address / PAGE;
  if (m->last_number == number + 1) return m->last;
  uint64_t *at = hashmap_find(&m->pages, number);
  bool zero = !at && m->zeros.count && is_zero(m, number);
  if (!at && (make || zero)) at = hashmap_at(&m->pages, number, m->store.count, NULL);
  if (!at) return NULL;
  if (*at == m->store.count) *vec_push(&m->store) = mem_alloc(sizeof(struct contents_page));
  m->last_number = number + 1;
  m->last = m->store.data[*at];
  if (zero) memset(m->last->known, 0xff, sizeof m->last->known);
  return m->last;
}

/* A word within a page: bits of `known` may be in two bytes. */
static struct contents_word read_part(const struct contents_page *p, unsigned at, unsigned size) {
  struct contents_word w = {0};
  unsigned bits = (unsigned)p->known[at / 8] >> at % 8;
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
    write_part(page_of(m, address + first, true), 0, size - first,
               (struct contents_word){w.value >> 8 * first, (uint8_t)(w.known >> first)});
}

/* Bytes of a page are known or not; those that are known are zero. */
static void set_part(struct contents_page *p, unsigned from, unsigned to, bool known) {
  if (known) memset(p->bytes + from, 0, to - from);
  for (; from < to; from++) {
    unsigned char bit = (unsigned char)(1u << from % 8);
    if (from % 8 == 0 && from + 8 <= to) {
      p->known[from / 8] = known ? 0xff : 0;
      from += 7;
    } else {
      p->known[from / 8] = (unsigned char)(known ? p->known[from / 8] | bit : p->known[from / 8] & ~bit);
    }
  }
}

static void set(struct contents *m, uint64_t address, uint64_t size, bool known) {
  uint64_t first = address / PAGE, last = (address + size - 1) / PAGE;
  if (size == 0) return;
  for (uint64_t number = first; m->zeros.count || known; number = last) { /* the ends are in `store`: they have other bytes, too */
    if (known || is_zero(m, number)) (void)page_of(m, number * PAGE, true);
    if (number == last) break;
  }
  if (m->zeros.count) cut_zeros(m, first, last + 1);
  bool few = last - first < m->store.count; /* else fewer pages are there than are named */
  for (size_t i = 0; i < (few ? last - first + 1 : m->pages.cap); i++) {
    if (!few && !m->pages.used[i]) continue;
    uint64_t number = few ? first + i : m->pages.keys[i];
    struct contents_page *p = number < first || number > last ? NULL : page_of(m, number * PAGE, false);
    if (p) set_part(p, number == first ? address % PAGE : 0, number == last ? (address + size - 1) % PAGE + 1 : PAGE, known);
  }
  if (known && last - first > 1) *vec_push(&m->zeros) = (struct contents_zeros){first + 1, last};
}

void contents_zero(struct contents *m, uint64_t address, uint64_t size) { set(m, address, size, true); }
void contents_forget(struct contents *m, uint64_t address, uint64_t size) { set(m, address, size, false); }

void contents_begin(struct contents *m, const struct event *initial) {
  unsigned size = (unsigned)initial->size;
  if (initial->value)
    contents_write(m, initial->object, size, contents_word_of(initial->value, size));
  else
    contents_zero(m, initial->object, initial->size);
}

void contents_clear(struct contents *m) {
  for (size_t i = 0; i < m->store.count; i++) mem_free(m->store.data[i], sizeof(struct contents_page));
  vec_clear(&m->store);
  vec_clear(&m->zeros);
  hashmap_clear(&m->pages);
  m->last_number = 0, m->last = NULL;
}

void contents_release(struct contents *m) {
  contents_clear(m);
  vec_release(&m->store);
  vec_release(&m->zeros);
  hashmap_release(&m->pages);
}

#include "enforce/place.h"

#include "enforce/enforce.h"

enum { SITES_MOST = 1 << 24, NUMBER_MOST = 9 /* bytes */ };

static uint32_t *of_site; /* NULL: steps have numbers of sites */

void places_start(void) {
  if (enforced->places) of_site = rt_pages(SITES_MOST * sizeof *of_site);
}

uint32_t place_of(uint32_t site) {
  if (!of_site) return site;
  return site < SITES_MOST ? __atomic_load_n(&of_site[site], __ATOMIC_RELAXED) : 0;
}

/* A string of a module. */
struct name {
  const unsigned char *bytes;
  uint64_t size;
};

struct reader {
  const unsigned char *at, *end;
};

/* The last bytes are copied, as reading looks at those behind a number. */
static uint64_t next(struct reader *r) {
  unsigned char last[NUMBER_MOST] = {0};
  size_t left = (size_t)(r->end - r->at);
  uint64_t n = 0;
  if (left >= NUMBER_MOST) {
    r->at = trace_get_number(r->at, &n);
    return n;
  }
  rt_copy(last, r->at, left);
  size_t used = (size_t)(trace_get_number(last, &n) - last);
  r->at += used < left ? used : left;
  return n;
}

static bool is_file(const struct name *whole, const char *part) {
  size_t n = rt_length(part);
  if (whole->size < n || (whole->size > n && whole->bytes[whole->size - n - 1] != '/')) return false;
  return __builtin_memcmp(whole->bytes + whole->size - n, part, n) == 0;
}

static uint32_t find(const struct name *file, uint64_t line, uint64_t column) {
  for (uint32_t i = 0; i < enforced->places; i++) {
    const struct enforce_place *p = &enforce_places(enforced)[i];
    if (p->line == line && p->column == column && is_file(file, p->file)) return i + 1;
  }
  return 0;
}

void places_of_module(const void *names, size_t size, uint32_t first) {
  struct trace_names_head head;
  if (!of_site || size < sizeof head) return;
  rt_copy(&head, names, sizeof head);
  struct reader r = {(const unsigned char *)names + sizeof head, (const unsigned char *)names + size};
  size_t bytes = (head.strings + 1) * sizeof(struct name);
  struct name *strings = rt_pages(bytes);
  for (uint32_t i = 1; i <= head.strings; i++) {
    uint64_t n = next(&r);
    if (n > (uint64_t)(r.end - r.at)) n = (uint64_t)(r.end - r.at);
    strings[i] = (struct name){r.at, n};
    r.at += n;
  }
  for (uint32_t i = 0; i < head.sites && first + i < SITES_MOST; i++) {
    uint64_t file = next(&r), function = next(&r), line = next(&r), column = next(&r);
    (void)function;
    uint32_t place = line == 0 ? PLACE_UNKNOWN : file <= head.strings ? find(&strings[file], line, column) : 0;
    __atomic_store_n(&of_site[first + i], place, __ATOMIC_RELAXED);
  }
  rt_pages_free(strings, bytes);
}

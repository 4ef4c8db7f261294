#include "trace/names.h"

#include <string.h>

#include "trace/encoding.h"
#include "trace/intern.h"

/* What is left of a payload. Numbers are read from a copy at its end, since reading one looks at 9 bytes. */
struct rest {
  const unsigned char *at, *end;
  bool bad;
};

static uint64_t number(struct rest *r) {
  unsigned char last[16] = {0};
  uint64_t v = 0;
  size_t left = (size_t)(r->end - r->at);
  const unsigned char *from = r->at;
  if (left < 9) from = memcpy(last, r->at, left);
  size_t used = (size_t)(trace_get_number(from, &v) - from);
  r->bad |= used > left;
  if (r->bad) return 0;
  r->at += used;
  return v;
}

bool trace_names_reach(struct recorded_names *names, uint64_t method) {
  if (method >= TRACE_METHODS_MOST) return false;
  while (names->methods.count <= method) *vec_push(&names->methods) = 0;
  return true;
}

static bool read_strings(struct recorded_names *names, struct rest *r, uint32_t count, uint32_t *offsets) {
  offsets[0] = 0;
  for (uint32_t i = 1; i <= count; i++) {
    uint64_t n = number(r);
    if (r->bad || n > (size_t)(r->end - r->at) || names->strings.count + n >= UINT32_MAX || memchr(r->at, 0, n)) return false;
    offsets[i] = recorded_add_string(names, (const char *)r->at, n);
    r->at += n;
  }
  return true;
}

static uint32_t string_of(struct rest *r, const uint32_t *offsets, uint32_t count) {
  uint64_t n = number(r);
  r->bad |= n > count;
  return r->bad ? 0 : offsets[n];
}

static bool read_sites(struct recorded_names *names, struct rest *r, const struct trace_names_head *h, const uint32_t *offsets,
                       uint64_t first) {
  if (first == 0 || first + h->sites > TRACE_SITES_MOST) return false;
  while (names->sites.count < first + h->sites) *vec_push(&names->sites) = (struct recorded_site){0};
  for (uint32_t i = 0; i < h->sites && !r->bad; i++) {
    struct recorded_site s;
    s.file = string_of(r, offsets, h->strings);
    s.function = string_of(r, offsets, h->strings);
    s.line = (uint32_t)number(r);
    s.column = (uint32_t)number(r);
    names->sites.data[first + i] = s;
  }
  return !r->bad;
}

static bool read_methods(struct recorded_names *names, struct rest *r, const struct trace_names_head *h, const uint32_t *offsets,
                         uint64_t first) {
  if (first + h->methods > TRACE_METHODS_MOST || !trace_names_reach(names, first + h->methods - 1)) return false;
  for (uint32_t i = 0; i < h->methods && !r->bad; i++) names->methods.data[first + i] = string_of(r, offsets, h->strings);
  return !r->bad;
}

bool trace_names_read(struct recorded_names *names, const char *payload, size_t n, uint64_t first_site, uint64_t first_method,
                      uint64_t most) {
  struct trace_names_head h;
  if (n < sizeof h) return false;
  memcpy(&h, payload, sizeof h);
  struct rest r = {(const unsigned char *)payload + sizeof h, (const unsigned char *)payload + n, false};
  if ((h.sites && first_site + h.sites > most) || (h.methods && first_method + h.methods > most)) return false;
  /* Each has at least a byte. */
  if ((uint64_t)h.strings + h.sites + h.methods > n || first_site > TRACE_SITES_MOST || first_method > TRACE_METHODS_MOST) return false;
  uint32_t *offsets = mem_alloc((h.strings + 1ull) * sizeof *offsets);
  bool ok = read_strings(names, &r, h.strings, offsets) && (h.sites == 0 || read_sites(names, &r, &h, offsets, first_site)) &&
            (h.methods == 0 || read_methods(names, &r, &h, offsets, first_method));
  mem_free(offsets, (h.strings + 1ull) * sizeof *offsets);
  return ok;
}

static void put(struct text *out, uint64_t v) {
  unsigned char bytes[16];
  text_append(out, (const char *)bytes, (size_t)(trace_put_number(bytes, v) - bytes));
}

/* The number of a string in the payload, from 1 on; 0 of the empty one. */
static uint64_t string_number(struct intern *strings, const struct recorded_names *names, uint32_t offset) {
  const char *s = recorded_text(names, offset);
  return *s ? 1 + intern(strings, s, strlen(s), NULL) : 0;
}

void trace_names_write(struct text *out, const struct recorded_names *names, size_t from, size_t to, size_t from_method, size_t to_method) {
  struct intern strings = {0};
  struct text numbers = {0};
  for (size_t i = from; i < to; i++) {
    const struct recorded_site *s = &names->sites.data[i];
    put(&numbers, string_number(&strings, names, s->file));
    put(&numbers, string_number(&strings, names, s->function));
    put(&numbers, s->line);
    put(&numbers, s->column);
  }
  for (size_t i = from_method; i < to_method; i++) put(&numbers, string_number(&strings, names, names->methods.data[i]));
  struct trace_names_head h = {(uint32_t)strings.ends.count, (uint32_t)(to - from), (uint32_t)(to_method - from_method)};
  text_append(out, (const char *)&h, sizeof h);
  for (uint32_t i = 0; i < h.strings; i++) {
    size_t n;
    const char *s = intern_name(&strings, i, &n);
    put(out, n);
    text_append(out, s, n);
  }
  text_append(out, text_str(&numbers), numbers.count);
  intern_release(&strings);
  text_release(&numbers);
}

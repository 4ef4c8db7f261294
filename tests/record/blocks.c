#include "blocks.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/file.h"

enum { THREADS = 4096 };
#define UNKNOWN UINT64_MAX

static uint64_t number(const unsigned char **p) {
  uint64_t n;
  *p = trace_get_number(*p, &n);
  return n;
}

static void read_names(struct blocks *b, const struct trace_block *k, const unsigned char *p) {
  struct trace_names_head head;
  memcpy(&head, p, sizeof head);
  p += sizeof head;
  char **strings = calloc(head.strings + 1, sizeof *strings);
  strings[0] = strdup("");
  for (uint32_t i = 1; i <= head.strings; i++) {
    size_t n = number(&p);
    strings[i] = strndup((const char *)p, n);
    p += n;
  }
  for (uint32_t i = 0; i < head.sites; i++) {
    while (b->places.count <= k->first + i) *vec_push(&b->places) = (struct place){.file = strings[0]};
    struct place *place = &b->places.data[k->first + i];
    place->file = strings[number(&p)];
    number(&p);
    place->line = number(&p);
    place->column = number(&p);
  }
  free(strings);
}

static const char *read_events(struct blocks *b, const struct trace_block *k, const unsigned char *p) {
  static uint32_t blocks[THREADS];
  static uint64_t times[THREADS], counts[THREADS];
  static struct trace_coder coder;
  const unsigned char *end = p + k->raw;
  if (k->thread >= THREADS) return "too many threads";
  b->threads[k->thread] = strdup((const char *)p);
  b->missing += k->sequence != blocks[k->thread]++;
  p += strlen((const char *)p) + 1;
  memset(&coder, 0, sizeof coder);
  coder.time = k->time;
  if (times[k->thread] < k->time) times[k->thread] = k->time;
  uint64_t index = k->first;
  if (index != counts[k->thread] && !b->missing) return "the numbers of a block's events do not fit";
  while (p < end) {
    struct trace_event e;
    enum trace_record kind = trace_get(&coder, &p, &e);
    if (kind == TRACE_RECORD_BAD) return "an event cannot be decoded";
    if (kind == TRACE_RECORD_TIME && coder.time < times[k->thread]) return "a time is before an earlier one";
    if (kind == TRACE_RECORD_TIME)
      times[k->thread] = coder.time;
    else
      *vec_push(&b->events) = (struct timed){.event = e, .time = times[k->thread], .thread = k->thread, .index = index++};
  }
  counts[k->thread] = index;
  return index == k->first + k->count || k->count == UNKNOWN ? NULL : "a block has another number of events than it says";
}

static int earlier(const void *a, const void *b) {
  const struct timed *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  return x->index < y->index ? -1 : 1;
}

/* What no block has, of a process that did not end in order. */
static const char *read_slots(struct blocks *b, const char *path) {
  struct text name = {0}, bytes = {0};
  struct diag d = {0};
  struct trace_live live;
  const char *wrong = NULL;
  text_printf(&name, "%s.live", path);
  if (file_read(text_str(&name), FILE_TRACE, &bytes, &d) || bytes.count < sizeof live) return NULL;
  memcpy(&live, bytes.data, sizeof live);
  for (uint32_t i = 0; !wrong && i < live.slots; i++) {
    struct trace_slot s;
    const char *at = bytes.data + TRACE_LIVE_FIRST + (size_t)i * live.slot;
    memcpy(&s, at, sizeof s);
    const struct trace_block k = {
        .thread = s.thread, .sequence = s.sequence, .raw = (uint32_t)s.used, .first = s.first, .count = UNKNOWN, .time = s.time};
    if (s.used) wrong = read_events(b, &k, (const unsigned char *)at + sizeof s);
  }
  text_release(&name);
  text_release(&bytes);
  return wrong;
}

const char *blocks_read(const char *path, struct blocks *b) {
  struct text bytes = {0};
  struct diag d = {0};
  struct trace_header h;
  const char *wrong = NULL;
  if (file_read(path, FILE_TRACE, &bytes, &d)) return "it cannot be read";
  size_t n = bytes.count;
  memset(vec_push_n(&bytes, TRACE_EVENT_MOST), 0, TRACE_EVENT_MOST);
  memcpy(&h, bytes.data, sizeof h);
  if (h.magic != TRACE_MAGIC || h.check != trace_header_check(&h, bytes.data + sizeof h)) return "it has no header";
  *vec_push(&b->places) = (struct place){.file = strdup("")};
  for (size_t at = trace_padded(sizeof h + h.texts); !wrong && at + sizeof(struct trace_block) <= n;) {
    struct trace_block k;
    memcpy(&k, bytes.data + at, sizeof k);
    const unsigned char *payload = (const unsigned char *)bytes.data + at + sizeof k;
    at += 8;
    if (k.magic != TRACE_BLOCK_MAGIC) continue; /* a hole */
    if (k.check != trace_block_check(&k, payload)) return "a block is damaged";
    at += sizeof k - 8 + trace_padded(k.packed);
    if (k.kind == TRACE_NAMES) read_names(b, &k, payload);
    static unsigned char unpacked[TRACE_RAW_MOST + TRACE_EVENT_MOST];
    if (k.packing == TRACE_ZSTD && ZSTD_decompress(unpacked, TRACE_RAW_MOST, payload, k.packed) != k.raw) return "a block cannot be unpacked";
    if (k.kind == TRACE_EVENTS) wrong = read_events(b, &k, k.packing == TRACE_ZSTD ? unpacked : payload);
    if (k.kind == TRACE_END) b->ended = true;
  }
  if (!wrong && !b->ended) wrong = read_slots(b, path);
  qsort(b->events.data, b->events.count, sizeof *b->events.data, earlier);
  text_release(&bytes);
  return wrong;
}

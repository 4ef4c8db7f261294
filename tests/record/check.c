/* Reads a trace and checks what trace/recorded.h promises, as far as times tell the order: the order of threads, of sections, and that each
 * read returns what the write before it wrote. Prints how many events there are; with -s, a line for each thread is added to FILE, of how many
 * events it has and a sum over their operations and places, but for addresses and values. Up to MOST reads may be explained by no write: those that code
 * did that is not recorded, or a handler came between. usage: check [-u] [-s FILE] MOST TRACE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "trace/recorded.h"

enum { SLOTS = 1 << 22, THREADS = 4096 };

/* What is known of eight bytes of memory, or of a lock. */
struct word {
  uint64_t key, value;
  uint8_t known;
  uint32_t owner, readers; /* thread + 1 */
};
static struct word *words;
static VEC(uint32_t) used; /* words */
static struct {
  uint32_t events, forked, ended;
  uint64_t sum;
} threads[THREADS];
static struct blocks blocks;
static unsigned failures, unexplained;
static bool strangers; /* threads may be there that no thread has made */

static const struct place *place_of(const struct timed *e) { return &blocks.places.data[e->event.site < blocks.places.count ? e->event.site : 0]; }

static void show(const struct timed *e, const char *what) {
  printf("thread %s, event %u (operation %u of %llx at %s:%u): %s\n", blocks.threads[e->thread], (unsigned)e->index, e->event.op,
         (unsigned long long)e->event.object, place_of(e)->file, (unsigned)place_of(e)->line, what);
}
static void fail(const struct timed *e, const char *what) {
  if (failures++ < 10) show(e, what);
}

static struct word *word_at(uint64_t key) {
  uint64_t i = key * 0x9e3779b97f4a7c15ull >> 42;
  while (words[i].key && words[i].key != key) i = (i + 1) % SLOTS;
  if (!words[i].key) *vec_push(&used) = (uint32_t)i;
  words[i].key = key;
  return &words[i];
}

static void forget(uint64_t from, uint64_t to) {
  enum { LONG = 1024 };
  for (size_t k = 0; to - from > LONG && k < used.count; k++) {
    struct word *w = &words[used.data[k]];
    if ((w->key & 7) == 7 && (w->key & ~7ull) + 8 > from && w->key < to) w->known = 0;
  }
  for (uint64_t at = from; to - from <= LONG && at < to; at++) word_at(at | 7)->known &= (uint8_t) ~(1u << (at & 7));
}

static bool touch(const struct trace_event *e, uint64_t value, bool writes) {
  bool same = true;
  for (uint64_t i = 0; i < e->size; i++) {
    struct word *w = word_at((e->object + i) | 7);
    unsigned at = (unsigned)(e->object + i) & 7, byte = (unsigned)(value >> 8 * i) & 255;
    if (!writes && w->known >> at & 1 && (w->value >> 8 * at & 255) != byte) same = false;
    w->value = (w->value & ~(255ull << 8 * at)) | (uint64_t)byte << 8 * at;
    w->known |= (uint8_t)(1u << at);
  }
  return same;
}

static void access(const struct timed *t) {
  const struct trace_event *e = &t->event;
  bool writes = e->op != TRACE_EVENT_READ;
  if (e->flags & TRACE_NO_VALUE) {
    if (writes) forget(e->object, e->object + e->size);
    return;
  }
  if (e->flags & EVENT_OUTSIDE && e->op == TRACE_EVENT_READ) return;
  if (e->op != TRACE_EVENT_WRITE && !touch(e, e->value, false) && unexplained++ < 10) show(t, "another value was written");
  if (writes) touch(e, e->op == TRACE_EVENT_RMW ? e->value2 : e->value, true);
}

static void lock(const struct timed *t, uint64_t object, bool takes, bool shared) {
  struct word *w = word_at(object << 8 | 1);
  uint32_t me = t->thread + 1;
  if (takes ? w->owner || (!shared && w->readers) : shared ? !w->readers : w->owner && w->owner != me) fail(t, "the lock is another's");
  if (shared)
    w->readers += takes ? 1 : -1u;
  else
    w->owner = takes ? me : 0;
}

/* Events of an object have numbers, without gaps. */
static void count(const struct timed *t, uint64_t object, uint64_t sequence) {
  struct word *w = word_at(object << 8 | 3);
  if (sequence == 0 || w->value == UINT64_MAX) return;
  if (w->value == 0 && sequence > 1) fail(t, "it is not the object's first");
  if (w->value && w->value + 1 != sequence) fail(t, "it is not the next of the object's");
  w->value = sequence;
}

/* What its events leave of a semaphore's count is what who tried in vain has seen. */
static void semaphore(const struct timed *t) {
  const struct trace_event *e = &t->event;
  struct word *w = word_at(e->object << 8 | 5);
  count(t, e->object, e->sequence);
  if (e->op == TRACE_EVENT_TRYFAIL && w->value != 0) fail(t, "the count is not 0");
  if (e->op == TRACE_EVENT_SEM_POST) w->value++;
  if (e->op == TRACE_EVENT_SEM_WAIT && w->value > 0) w->value--;
}

static void other(const struct timed *t) {
  const struct trace_event *e = &t->event;
  bool shared = e->flags & EVENT_SHARED_LOCK;
  uint64_t child = e->object < THREADS ? e->object : 0;
  switch (e->op) {
    case TRACE_EVENT_BEGIN:
      if (!strangers && strcmp(blocks.threads[t->thread], "0") != 0 && !threads[t->thread].forked) fail(t, "nobody made it");
      break;
    case TRACE_EVENT_END:
      threads[t->thread].ended = 1;
      break;
    case TRACE_EVENT_FORK:
      threads[child].forked = 1;
      if (threads[child].events) fail(t, "it has begun");
      break;
    case TRACE_EVENT_JOIN:
      if (!threads[child].ended) fail(t, "it has not ended");
      break;
    case TRACE_EVENT_ACQUIRE:
    case TRACE_EVENT_RELEASE:
      lock(t, e->object, e->op == TRACE_EVENT_ACQUIRE, shared);
      if (shared) word_at(e->object << 8 | 3)->value = UINT64_MAX; /* those of several readers, times do not order */
      count(t, e->object, e->sequence);
      break;
    case TRACE_EVENT_WAIT_ENTER:
      lock(t, e->value2, false, false);
      count(t, e->value2, e->sequence2);
      break;
    case TRACE_EVENT_WAIT_LEAVE:
      if (e->flags & EVENT_TIMED_OUT) break;
      lock(t, e->value2, true, false);
      count(t, e->value2, e->sequence2);
      break;
    case TRACE_EVENT_SEM_POST:
    case TRACE_EVENT_SEM_WAIT:
      semaphore(t);
      break;
    case TRACE_EVENT_TRYFAIL:
      if (e->flags & RECORDED_COUNT) semaphore(t);
      break;
    case TRACE_EVENT_ALLOC:
    case TRACE_EVENT_FREE:
      forget(e->object, e->object + e->size);
      break;
    default:
      break;
  }
}

static void check(const struct timed *t) {
  const struct trace_event *e = &t->event;
  if (t->index != threads[t->thread].events && !blocks.missing) fail(t, "its number is wrong");
  if (threads[t->thread].ended) fail(t, "its thread has ended");
  if (e->op == TRACE_EVENT_READ || e->op == TRACE_EVENT_WRITE || e->op == TRACE_EVENT_RMW)
    access(t);
  else
    other(t);
  threads[t->thread].events = (uint32_t)t->index + 1;
  threads[t->thread].sum = threads[t->thread].sum * 31 + e->op + 64 * (place_of(t)->line + 4096 * place_of(t)->column) + e->flags * 3u;
}

int main(int n, char **arguments) {
  FILE *sequences = NULL;
  for (int i = 1; i < n - 2; i++) {
    if (strcmp(arguments[i], "-u") == 0) strangers = true;
    if (strcmp(arguments[i], "-s") == 0 && !(sequences = fopen(arguments[++i], "a"))) return perror(arguments[i]), 2;
  }
  words = calloc(SLOTS, sizeof *words);
  const char *wrong = blocks_read(arguments[n - 1], &blocks);
  if (wrong) return printf("%s: %s\n", arguments[n - 1], wrong), 2;
  for (size_t i = 0; i < blocks.events.count; i++) check(&blocks.events.data[i]);
  for (size_t t = 0; sequences && t < THREADS; t++)
    if (blocks.threads[t]) fprintf(sequences, "%s: %u events, sum %llx\n", blocks.threads[t], threads[t].events, (unsigned long long)threads[t].sum);
  printf("%zu events, %u reads that no write explains, %u blocks missing, %s\n", blocks.events.count, unexplained, blocks.missing,
         blocks.ended ? "ended" : "cut");
  if (sequences && fclose(sequences) != 0) return perror("check"), 2;
  return failures > 0 || unexplained > strtoul(arguments[n - 2], NULL, 10);
}

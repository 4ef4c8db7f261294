/* How many events a second the streaming analyses take: a trace that is made in memory, analysed again and again.
 *
 * usage: streaming [--events=N] [--threads=N] [--locks=N] [--words=N] [--shape=SHAPE] [NAME...]
 *        streaming --trace=FILE [NAME...]     a recorded run instead, with what is found in it
 *
 * Shapes: locked (sections of a lock around a few accesses to what it protects, and accesses of the thread's own), alone (nearly all accesses
 * are a thread's own), read (most accesses read what all share), handed (blocks go from one thread to another through a queue). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "streaming/streaming.h"
#include "trace/recorded.h"

enum { BLOCK = 1 << 14, OWN = 1 << 20 };

static struct {
  uint64_t events, random, made;
  uint32_t threads, locks, words;
  const char *shape, *path;
  struct recorded recorded;
  uint32_t index[256];
  int32_t holds[256]; /* lock, or -1 */
  uint32_t left[256]; /* of its section */
  bool taken[65536];
} g = {.events = 10000000, .random = 1, .threads = 8, .locks = 64, .words = 4096, .shape = "locked"};

static uint32_t pick(uint32_t n) { return (uint32_t)(hash_mix(g.random++) >> 32) % n; }

static void put(struct event *e, uint32_t t, enum event_op op, uint64_t object, uint32_t site) {
  *e = (struct event){.op = (uint8_t)op, .thread = t, .index = g.index[t]++, .site = site, .object = object, .size = 8};
}

static void own(struct event *e, uint32_t t) {
  uint32_t word = pick(g.words);
  put(e, t, pick(3) ? EVENT_READ : EVENT_WRITE, (uint64_t)(t + 2) * OWN + 8 * word, 1 + word % 64);
}

/* One of what the lock protects. */
static void protected(struct event *e, uint32_t t, uint32_t lock) {
  uint32_t word = pick(8);
  put(e, t, pick(3) ? EVENT_READ : EVENT_WRITE, 0x100000000u + lock * 64 + 8 * word, 100 + word);
}

static void locked(struct event *e, uint32_t t) {
  if (g.holds[t] >= 0) {
    uint32_t lock = (uint32_t)g.holds[t];
    if (g.left[t]-- > 0) {
      protected(e, t, lock);
      return;
    }
    put(e, t, EVENT_RELEASE, 64 * (uint64_t)(lock + 1), 200);
    g.holds[t] = -1, g.taken[lock] = false;
    return;
  }
  uint32_t lock = pick(g.locks);
  if (pick(8) || g.taken[lock]) {
    own(e, t);
    return;
  }
  put(e, t, EVENT_ACQUIRE, 64 * (uint64_t)(lock + 1), 201);
  g.holds[t] = (int32_t)lock, g.taken[lock] = true, g.left[t] = 1 + pick(8);
}

static void alone(struct event *e, uint32_t t) {
  if (pick(64) == 0 || g.holds[t] >= 0)
    locked(e, t);
  else
    own(e, t);
}

static void reading(struct event *e, uint32_t t) {
  if (pick(16) == 0 || g.holds[t] >= 0) {
    locked(e, t);
    return;
  }
  uint32_t word = pick(g.words);
  put(e, t, EVENT_READ, 0x200000000u + 8 * word, 300 + word % 64);
}

/* A thread fills a block, and tells of it by an atomic write that the next thread reads. */
static void handed(struct event *e, uint32_t t) {
  uint32_t turn = pick(32);
  if (turn > 1) {
    own(e, t);
    return;
  }
  put(e, t, turn ? EVENT_WRITE : EVENT_READ, 0x300000000u + 64 * (uint64_t)((t + turn) % g.threads), 400);
  e->order = turn ? ORDER_RELEASE : ORDER_ACQUIRE;
}

static void make(struct event *events, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t t = (uint32_t)(g.made++ / 16 % g.threads);
    if (strcmp(g.shape, "alone") == 0)
      alone(&events[i], t);
    else if (strcmp(g.shape, "read") == 0)
      reading(&events[i], t);
    else if (strcmp(g.shape, "handed") == 0)
      handed(&events[i], t);
    else
      locked(&events[i], t);
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_event(const struct streaming_event *e) {
  const struct recorded_names *names = &g.recorded.names;
  const struct recorded_site *site = e->site < names->sites.count ? &names->sites.data[e->site] : NULL;
  const char *thread = e->thread < names->threads.count ? recorded_text(names, names->threads.data[e->thread]) : "";
  printf(" %s %s#%u", recorded_op_text(e->op), thread, e->index);
  if (site) printf(" %s:%u", recorded_text(names, site->file), site->line);
}

static void print_findings(const struct streaming *s) {
  for (size_t i = 0; i < s->findings.count; i++) {
    const struct streaming_finding *f = &s->findings.data[i];
    printf("     %s%s:", finding_kind_text(f->kind), f->proof == PROOF_WHOLE ? ", proven" : "");
    print_event(&f->first);
    print_event(&f->second);
    printf(": %s\n", f->why);
  }
}

static void measure(const struct streaming_type *type, const struct event *trace) {
  size_t live = mem_live();
  double from = seconds();
  struct streaming *s = streaming_new(type);
  for (uint64_t i = 0; i < g.events; i += BLOCK) streaming_feed(s, trace + i, g.events - i < BLOCK ? g.events - i : BLOCK);
  streaming_end(s);
  double took = seconds() - from;
  printf("%-4s %5.1f million events a second, %6.1f MB, %zu findings\n", type->name, 1e-6 * (double)g.events / took,
         1e-6 * (double)(mem_live() - live), s->findings.count);
  if (g.path) print_findings(s);
  streaming_free(s);
}

static void option(const char *arg) {
  const char *value = strchr(arg, '=');
  if (!value) return;
  if (strncmp(arg, "--events", 8) == 0) g.events = strtoull(value + 1, NULL, 10);
  if (strncmp(arg, "--threads", 9) == 0) g.threads = (uint32_t)strtoul(value + 1, NULL, 10) % 256;
  if (strncmp(arg, "--locks", 7) == 0) g.locks = (uint32_t)strtoul(value + 1, NULL, 10) % 65536;
  if (strncmp(arg, "--words", 7) == 0) g.words = (uint32_t)strtoul(value + 1, NULL, 10) % (OWN / 8);
  if (strncmp(arg, "--shape", 7) == 0) g.shape = value + 1;
  if (strncmp(arg, "--trace", 7) == 0) g.path = value + 1;
}

static bool read_trace(void) {
  struct recorded_stream *from = NULL;
  struct diag d = {0};
  enum err e = recorded_open(g.path, &from, &d);
  if (!e) e = recorded_collect(from, &g.recorded);
  recorded_close(from);
  if (e) fprintf(stderr, "streaming: %s\n", text_str(&d.message));
  diag_release(&d);
  g.events = g.recorded.events.count;
  return !e;
}

int main(int argc, char **argv) {
  size_t n;
  const struct streaming_type *const *types = streaming_types(&n);
  bool named = false;
  for (int i = 1; i < argc; i++) option(argv[i]), named |= argv[i][0] != '-';
  if (!g.threads || !g.locks || !g.words) return 2;
  memset(g.holds, 0xff, sizeof g.holds);
  if (g.path && !read_trace()) return 2;
  struct event *trace = g.path ? g.recorded.events.data : mem_alloc(g.events * sizeof *trace);
  if (!g.path) make(trace, g.events);
  for (size_t k = 0; k < n; k++) {
    bool wanted = !named;
    for (int i = 1; i < argc; i++) wanted |= strcmp(argv[i], types[k]->name) == 0;
    if (wanted) measure(types[k], trace);
  }
  if (!g.path) mem_free(trace, g.events * sizeof *trace);
  recorded_release(&g.recorded);
  return 0;
}

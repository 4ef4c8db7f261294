#include "define.h"

#include <string.h>

enum { NOWHERE = -1 };
#define BIT(i) (1ull << (i))

struct section {
  uint64_t lock;
  uint32_t thread;
  int acquire, release;
  bool shared;
};

static struct {
  const struct event *e;
  uint32_t n;
  struct section sections[DEFINED_MOST];
  uint32_t count;
  uint64_t hard[DEFINED_MOST]; /* what comes before by program order and hard synchronisation, not closed */
  uint64_t free_releases;      /* of locks that their threads did not hold */
} g;

static bool reads(uint32_t i) { return g.e[i].op == EVENT_READ || g.e[i].op == EVENT_RMW; }
static bool writes(uint32_t i) { return g.e[i].op == EVENT_WRITE || g.e[i].op == EVENT_RMW; }
static bool frees(uint32_t i) { return g.e[i].op == EVENT_FREE; }
static bool is_access(uint32_t i) { return reads(i) || writes(i) || frees(i); }
static bool is_atomic(uint32_t i) { return g.e[i].order != ORDER_PLAIN && !frees(i); }
static bool acquires(uint32_t i) { return g.e[i].order == ORDER_ACQUIRE || g.e[i].order >= ORDER_ACQ_REL; }
static bool releases(uint32_t i) { return g.e[i].order == ORDER_RELEASE || g.e[i].order >= ORDER_ACQ_REL; }
static bool touches(uint32_t i, uint64_t byte) { return g.e[i].object <= byte && byte - g.e[i].object < g.e[i].size; }
static bool same_thread(uint32_t a, uint32_t b) { return g.e[a].thread == g.e[b].thread; }

/* Both touch the byte, in one life of it. */
static bool share_byte(uint32_t a, uint32_t b, uint64_t byte) {
  if (!touches(a, byte) || !touches(b, byte)) return false;
  for (uint32_t i = a + 1; i < b; i++)
    if (g.e[i].op == EVENT_ALLOC && touches(i, byte)) return false;
  return true;
}
static bool overlap(uint32_t a, uint32_t b) {
  for (uint64_t byte = g.e[a].object; byte < g.e[a].object + g.e[a].size; byte++)
    if (share_byte(a, b, byte)) return true;
  return false;
}

/* The lock that an event takes or gives back. */
static bool takes(uint32_t i, uint64_t *lock) {
  const struct event *e = &g.e[i];
  *lock = e->op == EVENT_ACQUIRE ? e->object : e->value2;
  return e->op == EVENT_ACQUIRE || (e->op == EVENT_WAIT_LEAVE && !(e->flags & EVENT_TIMED_OUT) && e->value2);
}
static bool gives(uint32_t i, uint64_t *lock) {
  const struct event *e = &g.e[i];
  *lock = e->op == EVENT_RELEASE ? e->object : e->value2;
  return e->op == EVENT_RELEASE || (e->op == EVENT_WAIT_ENTER && e->value2);
}
static bool is_shared(uint32_t i) {
  return (g.e[i].op == EVENT_ACQUIRE || g.e[i].op == EVENT_RELEASE) && (g.e[i].flags & EVENT_SHARED_LOCK);
}

static void find_sections(void) {
  uint64_t lock;
  g.count = 0, g.free_releases = 0;
  for (uint32_t i = 0; i < g.n; i++) {
    if (takes(i, &lock)) g.sections[g.count++] = (struct section){lock, g.e[i].thread, (int)i, NOWHERE, is_shared(i)};
    if (!gives(i, &lock)) continue;
    uint32_t k = g.count;
    while (k > 0 && !(g.sections[k - 1].lock == lock && g.sections[k - 1].thread == g.e[i].thread && g.sections[k - 1].release == NOWHERE))
      k--;
    if (k > 0)
      g.sections[k - 1].release = (int)i;
    else
      g.free_releases |= BIT(i);
  }
}

static bool within(const struct section *s, uint32_t i) {
  return s->thread == g.e[i].thread && (int)i > s->acquire && (s->release == NOWHERE || (int)i < s->release);
}
static bool holds_any(uint32_t i) {
  for (uint32_t k = 0; k < g.count; k++)
    if (within(&g.sections[k], i)) return true;
  return false;
}
/* An earlier section, which has ended before event i, of another thread and the same lock; not both for reading. */
static bool excludes(const struct section *s, const struct section *later, uint32_t i) {
  return s->lock == later->lock && s->thread != later->thread && s->release != NOWHERE && s->release < (int)i &&
         !(s->shared && later->shared);
}

static uint64_t hard_of_wait(uint32_t i) {
  uint64_t from = 0;
  for (uint32_t k = i; k-- > 0;) {
    const struct event *e = &g.e[k];
    if (same_thread(k, i) && e->op == EVENT_WAIT_ENTER) return from;
    if (!same_thread(k, i) && (e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST) && e->object == g.e[i].object) from |= BIT(k);
  }
  return 0;
}

static void find_hard(void) {
  for (uint32_t i = 0; i < g.n; i++) {
    const struct event *e = &g.e[i];
    uint64_t from = 0, lock, other;
    for (uint32_t k = 0; k < i; k++) {
      const struct event *x = &g.e[k];
      bool fork = x->op == EVENT_FORK && x->object == e->thread,
           join = e->op == EVENT_JOIN && (e->object == x->thread || (x->op == EVENT_FORK && x->object == e->object));
      bool round = e->op == EVENT_BARRIER_LEAVE && x->op == EVENT_BARRIER_ENTER && x->object == e->object && x->value == e->value;
      bool post = e->op == EVENT_SEM_WAIT && x->op == EVENT_SEM_POST && x->object == e->object;
      bool out_of_time = e->flags & EVENT_TIMED_OUT;
      if (same_thread(k, i) || fork || round || ((join || post) && !out_of_time)) from |= BIT(k);
      if (takes(i, &lock) && (g.free_releases >> k & 1) && gives(k, &other) && lock == other) from |= BIT(k);
    }
    if (e->op == EVENT_WAIT_LEAVE && !(e->flags & EVENT_TIMED_OUT)) from |= hard_of_wait(i);
    g.hard[i] = from;
  }
}

/* Who has taken away what was posted to the semaphore that was tried in vain. */
static uint64_t emptied_by(uint32_t i) {
  uint64_t from = 0;
  for (uint32_t k = 0; k < i; k++)
    if (g.e[k].op == EVENT_SEM_WAIT && g.e[k].object == g.e[i].object) from |= BIT(k);
  return from;
}

/* Who had the lock that was tried in vain, and since then readers. */
static uint64_t refused_by(uint32_t i) {
  uint64_t from = 0, lock;
  if (g.e[i].op != EVENT_TRYFAIL) return 0;
  if (g.e[i].flags & RECORDED_COUNT) return emptied_by(i);
  for (uint32_t k = i; k-- > 0;) {
    if (!takes(k, &lock) || lock != g.e[i].object) continue;
    from |= BIT(k);
    if (!is_shared(k)) break;
  }
  return from;
}

/* The writes that a read has read from. */
static uint64_t read_from(uint32_t i) {
  uint64_t from = 0;
  for (uint64_t byte = g.e[i].object; reads(i) && byte < g.e[i].object + g.e[i].size; byte++) {
    uint32_t k = i;
    while (k > 0 && !(writes(k - 1) && touches(k - 1, byte))) k--;
    if (k > 0 && share_byte(k - 1, i, byte)) from |= BIT(k - 1);
  }
  return from;
}

/* The last one before i that frees the byte, or (`any`) writes or frees it, in the life that it has before i; -1: none. */
static int last_end(uint32_t i, uint64_t byte, bool any) {
  for (uint32_t k = i; k-- > 0;) {
    if (touches(k, byte) && g.e[k].op == EVENT_ALLOC) return -1;
    if (touches(k, byte) && (frees(k) || (any && writes(k)))) return (int)k;
  }
  return -1;
}

/* For `kept`: what reads find, or allocations where the memory was freed: the last writes or frees of the bytes. */
static uint64_t left_by(uint32_t i) {
  uint64_t from = 0;
  bool begins = g.e[i].op == EVENT_ALLOC;
  if (!begins && !reads(i)) return 0;
  for (uint64_t byte = g.e[i].object; byte < g.e[i].object + g.e[i].size; byte++) {
    int k = last_end(i, byte, true);
    if (k >= 0 && (!begins || last_end(i, byte, false) >= 0)) from |= BIT(k);
  }
  return from;
}

/* For `sp`: an allocation comes behind the last frees of its bytes. */
static uint64_t freed_by(uint32_t i) {
  uint64_t from = 0;
  for (uint64_t byte = g.e[i].object; g.e[i].op == EVENT_ALLOC && byte < g.e[i].object + g.e[i].size; byte++) {
    int k = last_end(i, byte, false);
    if (k >= 0) from |= BIT(k);
  }
  return from;
}

static uint64_t lock_order(uint32_t i) {
  uint64_t from = 0, lock, other;
  for (uint32_t k = 0; takes(i, &lock) && k < i; k++)
    if (gives(k, &other) && lock == other && !(is_shared(i) && is_shared(k))) from |= BIT(k);
  return from;
}

/* The union of what the events know, and they themselves. */
static uint64_t all_of(const uint64_t *known, uint64_t set) {
  uint64_t all = 0;
  for (; set; set &= set - 1) all |= known[__builtin_ctzll(set)];
  return all;
}

static bool is_judged(uint32_t i) { return is_access(i) && !event_outside(&g.e[i]); }

static bool conflict(uint32_t a, uint32_t b) {
  bool changes = writes(a) || writes(b) || frees(a) || frees(b);
  return is_judged(a) && is_judged(b) && changes && (!(is_atomic(a) && is_atomic(b)) || frees(a) || frees(b)) && overlap(a, b);
}

/* Conflicts of event b that `before` does not have, and uses of what was freed. */
static uint64_t judge(uint32_t b, uint64_t before) {
  uint64_t found = 0;
  for (uint32_t a = 0; a < b; a++) {
    if (!conflict(a, b)) continue;
    if (frees(a) || (!same_thread(a, b) && !(before >> a & 1))) found |= BIT(a);
  }
  return found;
}

/* --- happens-before --- */

/* What reading the bytes that event w wrote acquires: release sequences. */
static uint64_t released(const uint64_t *known, uint32_t w, uint64_t byte);

static uint64_t released_to(const uint64_t *known, uint32_t i, uint64_t byte) {
  for (uint32_t k = i; k-- > 0;)
    if (writes(k) && touches(k, byte)) return share_byte(k, i, byte) && is_atomic(k) ? released(known, k, byte) : 0;
  return 0;
}

/* All bytes of w in the granule of that byte begin one location. */
static uint64_t released_to_all(const uint64_t *known, uint32_t i, uint64_t byte) {
  uint64_t all = 0;
  for (uint64_t b = byte & ~7ull; b < (byte & ~7ull) + 8; b++)
    if (touches(i, b)) all |= released_to(known, i, b);
  return all;
}

static uint64_t released(const uint64_t *known, uint32_t w, uint64_t byte) {
  uint64_t all = releases(w) ? known[w] : 0;
  for (uint32_t k = w; k-- > 0 && !releases(w);) {
    if (!same_thread(k, w) || g.e[k].op != EVENT_FENCE || !releases(k)) continue;
    all = known[k];
    break;
  }
  return g.e[w].op == EVENT_RMW ? all | released_to_all(known, w, byte) : all;
}

static uint64_t acquired(const uint64_t *known, uint32_t i) {
  uint64_t all = 0;
  for (uint64_t byte = g.e[i].object; reads(i) && is_atomic(i) && byte < g.e[i].object + g.e[i].size; byte++)
    all |= released_to(known, i, byte);
  return all;
}

static void define_hb(struct defined *out) {
  uint64_t happens[DEFINED_MOST], schedulable[DEFINED_MOST], kept[DEFINED_MOST],
      had[DEFINED_MOST]; /* had: what relaxed reads would have acquired */
  for (uint32_t i = 0; i < g.n && i < DEFINED_MOST; i++) {
    uint64_t from = g.hard[i] | lock_order(i);
    uint64_t h = all_of(happens, from), s = all_of(schedulable, from | refused_by(i));
    uint64_t k = all_of(kept, from | refused_by(i));
    had[i] = acquired(happens, i);
    if (acquires(i)) h |= had[i];
    for (uint32_t x = 0; x < i && g.e[i].op == EVENT_FENCE && acquires(i); x++)
      if (same_thread(x, i) && !acquires(x)) h |= had[x];
    out->race[i] = judge(i, h);
    out->proven[i] = judge(i, h | s);
    out->kept[i] = judge(i, h | k);
    happens[i] = h | BIT(i);
    schedulable[i] = s | BIT(i) | all_of(schedulable, read_from(i));
    kept[i] = k | BIT(i) | all_of(kept, left_by(i));
  }
}

/* --- wdc, edc --- */

static bool conflicts_within(const struct section *s, uint32_t i, bool frees_too) {
  for (uint32_t a = 0; a < i; a++) {
    bool changes = writes(a) || writes(i) || frees(a) || frees(i);
    if (within(s, a) && is_access(a) && is_access(i) && changes && (frees_too || (!frees(a) && !frees(i))) && overlap(a, i)) return true;
  }
  return false;
}

static uint64_t conflicting_sections(uint32_t i, bool frees_too) {
  uint64_t from = 0;
  for (uint32_t k = 0; k < g.count; k++)
    for (uint32_t l = 0; l < g.count; l++)
      if (within(&g.sections[l], i) && excludes(&g.sections[k], &g.sections[l], i) && conflicts_within(&g.sections[k], i, frees_too))
        from |= BIT(g.sections[k].release);
  return from;
}

/* Rule (b), at an event that begins or ends a section. */
static uint64_t complete(const uint64_t *known, uint32_t i, uint64_t before) {
  for (uint32_t times = 0; times <= g.count; times++)
    for (uint32_t l = 0; l < g.count; l++) {
      if (g.sections[l].acquire != (int)i && g.sections[l].release != (int)i) continue;
      for (uint32_t k = 0; k < g.count; k++)
        if (excludes(&g.sections[k], &g.sections[l], i) && (before >> g.sections[k].acquire & 1)) before |= known[g.sections[k].release];
    }
  return before;
}

/* What came before earlier reads under a lock of what i writes. */
static uint64_t before_reads(const uint64_t *entered, uint32_t i) {
  uint64_t all = 0;
  for (uint32_t r = 0; r < i && writes(i); r++)
    if (reads(r) && !same_thread(r, i) && holds_any(r) && overlap(r, i)) all |= entered[r];
  return all;
}

/* Frees that may change places with a use, as whole sections. `ends[i]`: what is known at a release. */
static void find_swaps(struct defined *out, const uint64_t *ends) {
  for (uint32_t f = 0; f < g.n; f++) {
    for (uint32_t a = 0; a < f && frees(f); a++) {
      if (!(out->race[f] >> a & 1) || frees(a)) continue;
      bool any = false, swaps = true;
      for (uint32_t l = 0; l < g.count; l++) {
        const struct section *later = &g.sections[l];
        for (uint32_t k = 0; k < g.count && within(later, f); k++) {
          if (!within(&g.sections[k], a) || !excludes(&g.sections[k], later, f)) continue;
          any = true;
          swaps &= later->release != NOWHERE && !(ends[later->release] >> a & 1);
        }
      }
      if (!any) continue;
      out->race[f] &= ~BIT(a);
      if (swaps) out->swap[f] |= BIT(a);
    }
  }
}

static void define_weak(struct defined *out, bool edc) {
  uint64_t known[DEFINED_MOST], entered[DEFINED_MOST], ends[DEFINED_MOST];
  for (uint32_t i = 0; i < g.n; i++) {
    entered[i] = all_of(known, g.hard[i] | refused_by(i));
    uint64_t before = entered[i] | all_of(known, conflicting_sections(i, !edc));
    if (edc) before = complete(known, i, before);
    out->race[i] = judge(i, before);
    ends[i] = before;
    known[i] = before | BIT(i) | all_of(known, read_from(i));
    if (edc) known[i] |= before_reads(entered, i);
  }
  if (edc) find_swaps(out, ends);
}

/* --- weak-causally-precedes ---
 *
 * Each event is two nodes: IN, where it is judged, and OUT, behind what an atomic read learns. Relations are matrices over these. */

typedef unsigned __int128 nodes;
#define NODE(i) ((nodes)1 << (i))
#define IN(i)   (2 * (uint32_t)(i))
#define OUT(i)  (2 * (uint32_t)(i) + 1)

struct relation {
  nodes before[2 * DEFINED_MOST]; /* what comes before a node */
};

static bool has(const struct relation *r, uint32_t a, uint32_t b) { return r->before[b] & NODE(a); }

/* Edges go forward in the run, so one pass closes them. */
static void close_forward(struct relation *r) {
  for (uint32_t b = 0; b < 2 * g.n; b++)
    for (uint32_t a = b; a-- > 0;)
      if (has(r, a, b)) r->before[b] |= r->before[a];
}

static void wcp_edges(struct relation *r, bool locks) {
  memset(r, 0, sizeof *r);
  for (uint32_t i = 0; i < g.n; i++) {
    r->before[OUT(i)] |= NODE(IN(i));
    for (uint64_t s = g.hard[i] | refused_by(i) | (locks ? lock_order(i) : 0); s; s &= s - 1)
      r->before[IN(i)] |= NODE(OUT(__builtin_ctzll(s)));
    for (uint64_t s = is_atomic(i) ? read_from(i) : 0; s; s &= s - 1)
      if (is_atomic((uint32_t)__builtin_ctzll(s))) r->before[OUT(i)] |= NODE(OUT(__builtin_ctzll(s)));
  }
  close_forward(r);
}

/* `before` of b, closed under what happens before on both sides. True: something is new. */
static bool wcp_close(struct relation *less, const struct relation *happens) {
  bool any = false;
  for (uint32_t b = 0; b < 2 * g.n; b++) {
    nodes all = less->before[b];
    for (uint32_t a = 0; a < b; a++) {
      if (less->before[b] & NODE(a)) all |= happens->before[a];
      if (has(happens, a, b)) all |= less->before[a];
    }
    any |= all != less->before[b];
    less->before[b] = all;
  }
  return any;
}

static bool wcp_complete(struct relation *less, const struct relation *hard) {
  bool any = false;
  for (uint32_t k = 0; k < g.count; k++)
    for (uint32_t l = 0; l < g.count; l++) {
      const struct section *first = &g.sections[k], *later = &g.sections[l];
      if (later->release == NOWHERE || !excludes(first, later, (uint32_t)later->acquire)) continue;
      uint32_t begin = OUT(first->acquire), from = OUT(first->release), to = IN(later->release);
      if (!(has(less, begin, to) || has(hard, begin, to)) || has(less, from, to)) continue;
      less->before[to] |= NODE(from);
      any = true;
    }
  return any;
}

static void define_wcp(struct defined *out) {
  static struct relation hard, happens, less;
  wcp_edges(&hard, false), wcp_edges(&happens, true);
  memset(&less, 0, sizeof less);
  for (uint32_t i = 0; i < g.n; i++)
    for (uint64_t s = conflicting_sections(i, true); s; s &= s - 1) less.before[IN(i)] |= NODE(OUT(__builtin_ctzll(s)));
  for (bool again = true; again;) {
    again = wcp_close(&less, &happens);
    again |= wcp_complete(&less, &hard);
  }
  for (uint32_t i = 0; i < g.n; i++) {
    uint64_t before = 0;
    for (uint32_t a = 0; a < i; a++)
      if (has(&less, OUT(a), IN(i)) || has(&hard, OUT(a), IN(i))) before |= BIT(a);
    out->race[i] = judge(i, before);
  }
}

/* --- sync-preserving --- */

static uint64_t sync_closure(const uint64_t *known, uint64_t set) {
  for (uint64_t old = ~set; old != set;) {
    old = set;
    set |= all_of(known, set);
    for (uint32_t k = 0; k < g.count; k++)
      for (uint32_t l = 0; l < g.count; l++) {
        const struct section *first = &g.sections[k], *later = &g.sections[l];
        if (first->lock != later->lock || first->acquire >= later->acquire || (first->shared && later->shared)) continue;
        if ((set >> first->acquire & 1) && (set >> later->acquire & 1) && first->release != NOWHERE) set |= BIT(first->release);
      }
  }
  return set;
}

static void define_sp(struct defined *out) {
  uint64_t known[DEFINED_MOST], entered[DEFINED_MOST];
  for (uint32_t i = 0; i < g.n; i++) {
    entered[i] = all_of(known, g.hard[i] | refused_by(i));
    known[i] = entered[i] | BIT(i) | all_of(known, read_from(i) | freed_by(i));
  }
  for (uint32_t b = 0; b < g.n; b++)
    for (uint64_t s = judge(b, 0); s; s &= s - 1) {
      uint32_t a = (uint32_t)__builtin_ctzll(s);
      uint64_t ideal = sync_closure(known, entered[a] | entered[b]);
      if (frees(a) || !(ideal >> a & 1 || ideal >> b & 1)) out->race[b] |= BIT(a);
    }
}

void define(const char *name, const struct event *trace, uint32_t n, struct defined *out) {
  memset(out, 0, sizeof *out);
  g.e = trace, g.n = n;
  find_sections();
  find_hard();
  if (strcmp(name, "hb") == 0) define_hb(out);
  if (strcmp(name, "wcp") == 0) define_wcp(out);
  if (strcmp(name, "wdc") == 0) define_weak(out, false);
  if (strcmp(name, "edc") == 0) define_weak(out, true);
  if (strcmp(name, "sp") == 0) define_sp(out);
}

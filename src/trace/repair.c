#include "trace/repair.h"

#include <string.h>

#include "trace/contents.h"
#include "trace/merge.h"

/* The window: entries [0, checked) are as they will stay, unless a read close behind them says otherwise; the others are to come. */
enum { AHEAD = 1024, BEHIND = 1024, HURRIED = 1024, ROOM = AHEAD + 2 * BEHIND + HURRIED, TRIES = 4, MEMBERS_MOST = 64 };

_Static_assert(ROOM <= UINT16_MAX, "positions are 16 bits");

struct entry {
  struct placed p;
  struct contents_word old; /* of what it has changed, while it is checked */
  uint8_t tries;
  bool left; /* READ: or else it was a write (EVENT_OUTSIDE) */
};

/* Who has written to the addresses that have this place: the last thread, and when in the order of arrival it and another one did; whether
 * some such value is not known. */
struct writers {
  uint32_t thread;
  bool blank;
  uint64_t last, other;
};
enum { LINE = 64, WRITERS = 4096, LINES_MOST = 64 };

struct repair {
  struct merge *from;
  uint64_t arrived;
  uint64_t doubtful_until; /* entries are that may have come before that time */
  struct writers writers[WRITERS];
  struct contents contents;
  size_t count, checked, given;
  size_t doubtful; /* entries before that are, as far as they are not given */
  bool at_end;
  struct entry entries[ROOM];
  struct entry scratch[ROOM];
  struct placed arriving[BEHIND];
};

static bool is_access(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW; }
static bool reads(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_RMW; }
static bool has_value(const struct event *e) { return is_access(e) && !(e->flags & RECORDED_NO_VALUE); }
static uint64_t written(const struct event *e) { return e->op == EVENT_RMW ? e->value2 : e->value; }

/* Does what is known of a word fit a value? */
static bool fits(struct contents_word w, uint64_t value) {
  for (unsigned i = 0; i < 8; i++) {
    if ((w.known >> i & 1) && ((w.value ^ value) >> 8 * i & 0xff)) return false;
  }
  return true;
}

static bool explains(struct contents_word w, const struct event *e) {
  uint8_t all = (uint8_t)((1u << e->size) - 1);
  return w.known == all ? w.value == e->value : fits(w, e->value);
}

/* --- accesses whose values are not known --- */

static uint64_t lines_of(const struct event *e) {
  uint64_t n = (e->object + e->size - 1) / LINE - e->object / LINE + 1;
  return n < LINES_MOST ? n : LINES_MOST;
}
static struct writers *writers_of(struct repair *r, uint64_t line) { return &r->writers[hash_mix(line) % WRITERS]; }

static void arrive(struct repair *r, const struct event *e) {
  r->arrived++;
  if (!is_access(e) || e->op == EVENT_READ) return;
  for (uint64_t i = 0, n = lines_of(e); i < n; i++) {
    struct writers *w = writers_of(r, e->object / LINE + i);
    if (w->last && w->thread != e->thread) w->other = w->last;
    w->thread = e->thread, w->last = r->arrived, w->blank |= !has_value(e);
  }
}

/* May another thread have written there? `lately`: not so long ago that its write has left the window. */
static bool may_be_written(struct repair *r, const struct event *read, bool lately) {
  for (uint64_t i = 0, n = lines_of(read); i < n; i++) {
    const struct writers *w = writers_of(r, read->object / LINE + i);
    uint64_t at = w->thread == read->thread ? w->other : w->last;
    if (at && (w->blank || !has_value(read)) && (!lately || at + ROOM > r->arrived)) return true;
  }
  return false;
}

static bool overlap(const struct event *a, const struct event *b) {
  return a->object < b->object + b->size && b->object < a->object + a->size;
}

/* May others have done before it what is not in the window yet? */
static bool goes_on(const struct repair *r, const struct placed *p) { return !r->at_end && merge_comes_before(r->from, p); }
static void doubt_beyond(struct repair *r, const struct placed *p) {
  if (p->high > r->doubtful_until) r->doubtful_until = p->high;
}

/* 1 + the last entry at or behind the read that says that its place is in doubt: another thread wrote there at about the same time, and of
 * one of the two the value is not known. 0: there is none. */
static size_t hidden_until(struct repair *r, size_t i) {
  const struct placed *read = &r->entries[i].p;
  size_t until = 0;
  bool beyond = goes_on(r, read);
  if (!may_be_written(r, &read->e, !beyond)) return 0;
  if (beyond) {
    doubt_beyond(r, read);
    return r->count;
  }
  for (size_t j = r->given; j < r->count; j++) {
    const struct placed *w = &r->entries[j].p;
    if (!is_access(&w->e) || w->e.op == EVENT_READ || w->e.thread == read->e.thread || !overlap(&w->e, &read->e)) continue;
    if (w->low < read->high && read->low < w->high && !(has_value(&w->e) && has_value(&read->e))) until = (j > i ? j : i) + 1;
  }
  return until;
}

/* How well an entry's read fits what is there: what nobody is known to have written fits worse than what was. */
enum fit { FITS, FITS_UNKNOWN, FITS_NOT };

/* Does the entry to memory. */
static enum fit apply(struct repair *r, struct entry *x) {
  const struct event *e = &x->p.e;
  if (e->op == RECORDED_INITIAL) {
    contents_begin(&r->contents, e);
    return FITS;
  }
  if (!has_value(e)) {
    bool changes = e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_ALLOC || e->op == EVENT_FREE;
    if (changes) contents_forget(&r->contents, e->object, e->size);
    return FITS;
  }
  unsigned size = (unsigned)e->size;
  x->old = contents_read(&r->contents, e->object, size);
  bool all = x->old.known == (1u << size) - 1, explained = !reads(e) || explains(x->old, e);
  uint64_t value = written(e);
  if (e->op != EVENT_READ || !all || !explained) contents_write(&r->contents, e->object, size, contents_word_of(value, size));
  return !explained ? FITS_NOT : reads(e) && !all ? FITS_UNKNOWN : FITS;
}

static void undo(struct repair *r, const struct entry *x) {
  const struct event *e = &x->p.e;
  if (has_value(e)) contents_write(&r->contents, e->object, (unsigned)e->size, x->old);
}

/* Applies entries one after the other, and undoes them: how many reads are not explained, and then, how many read what is not known. */
static unsigned unexplained(struct repair *r, struct entry *x, size_t n) {
  unsigned count = 0;
  for (size_t i = 0; i < n; i++) {
    enum fit fit = apply(r, &x[i]);
    count += fit == FITS_NOT ? ROOM : fit == FITS_UNKNOWN;
  }
  for (size_t i = n; i-- > 0;) undo(r, &x[i]);
  return count;
}

/* Entries that have to move together: what is known of them. */
struct group {
  uint64_t low, high; /* the latest `low` and the earliest `high` */
  uint32_t threads[MEMBERS_MOST];
  uint64_t objects[MEMBERS_MOST];
  unsigned nthreads, nobjects;
  bool full;
};

static bool has_thread(const struct group *g, uint64_t thread) {
  for (unsigned i = 0; i < g->nthreads; i++) {
    if (g->threads[i] == thread) return true;
  }
  return false;
}

static bool has_object(const struct group *g, uint64_t object, uint64_t sequence) {
  for (unsigned i = 0; sequence && i < g->nobjects; i++) {
    if (g->objects[i] == object) return true;
  }
  return false;
}

static void add_thread(struct group *g, uint32_t thread) {
  if (has_thread(g, thread)) return;
  if (g->nthreads == MEMBERS_MOST)
    g->full = true;
  else
    g->threads[g->nthreads++] = thread;
}

static void add_object(struct group *g, uint64_t object, uint64_t sequence) {
  if (!sequence || has_object(g, object, sequence)) return;
  if (g->nobjects == MEMBERS_MOST)
    g->full = true;
  else
    g->objects[g->nobjects++] = object;
}

static void add_member(struct group *g, const struct placed *p) {
  add_thread(g, p->e.thread);
  add_object(g, p->e.object, p->sequence);
  add_object(g, p->e.value2, p->sequence2);
  if (p->low > g->low) g->low = p->low;
  if (p->high < g->high) g->high = p->high;
}

/* Has `p` a place before or behind the members, that is their own thread's or that of their synchronisation? */
static bool is_tied(const struct group *g, const struct placed *p) {
  bool other = p->e.op == EVENT_FORK || p->e.op == EVENT_JOIN;
  return has_thread(g, p->e.thread) || (other && has_thread(g, p->e.object)) || has_object(g, p->e.object, p->sequence) ||
         has_object(g, p->e.value2, p->sequence2);
}

/* A group whose FORKs and JOINs tie other threads. */
static void add_others(struct group *g, const struct placed *p) {
  if (p->e.op == EVENT_FORK || p->e.op == EVENT_JOIN) add_thread(g, (uint32_t)p->e.object);
}

/* Takes entry `i`, and what has to follow it, behind entry `j`, in `scratch`; false if `j` has to follow it, too. */
static bool put_behind(struct repair *r, size_t i, size_t j) {
  struct group g = {.high = UINT64_MAX};
  size_t n = 0, moved = 0;
  uint16_t members[ROOM];
  for (size_t k = i; k <= j; k++) {
    const struct placed *p = &r->entries[k].p;
    if (k == i || is_tied(&g, p) || p->low >= g.high) {
      if (k == j) return false;
      add_member(&g, p);
      add_others(&g, p);
      members[moved++] = (uint16_t)k;
    } else {
      r->scratch[n++] = r->entries[k];
    }
    if (g.full) return false;
  }
  for (size_t k = 0; k < moved; k++) r->scratch[n++] = r->entries[members[k]];
  return true;
}

/* Takes entry `i`, and what has to come before it, before entry `j`, in `scratch`; false if `j` has to come before it, too. */
static bool put_before(struct repair *r, size_t i, size_t j) {
  struct group g = {.high = UINT64_MAX};
  size_t n = 0, nmembers = 0;
  uint16_t members[ROOM];
  bool moves[ROOM];
  for (size_t k = i + 1; k-- > j;) {
    const struct placed *p = &r->entries[k].p;
    moves[k - j] = k == i || is_tied(&g, p) || p->high <= g.low;
    if (!moves[k - j]) continue;
    if (k == j) return false;
    add_member(&g, p);
    add_others(&g, p);
    if (g.full) return false;
    members[nmembers++] = (uint16_t)k;
  }
  while (nmembers > 0) r->scratch[n++] = r->entries[members[--nmembers]];
  for (size_t k = j; k <= i; k++)
    if (!moves[k - j]) r->scratch[n++] = r->entries[k];
  return true;
}

/* --- the search --- */

/* Does the write leave what was read in those of these bytes that it touches? The others may be somebody else's. */
static bool leaves_open(const struct event *w, const struct event *read, unsigned open) {
  bool any = false;
  if (!has_value(w) || w->op == EVENT_READ || !overlap(w, read)) return false;
  for (unsigned i = 0; i < read->size; i++) {
    uint64_t at = read->object + i - w->object;
    if (!(open >> i & 1) || at >= w->size) continue;
    if (((written(w) >> 8 * at) ^ (read->value >> 8 * i)) & 0xff) return false;
    any = true;
  }
  return any;
}

/* The same of all bytes. */
static bool leaves(const struct event *w, const struct event *read) { return leaves_open(w, read, 0xff); }

/* Entries [from, from + n) become those of `scratch` if fewer reads are unexplained then. Memory is as it is before `from`. */
static bool accept(struct repair *r, size_t from, size_t n) {
  if (unexplained(r, r->scratch, n) >= unexplained(r, &r->entries[from], n)) return false;
  memcpy(&r->entries[from], r->scratch, n * sizeof r->entries[0]);
  return true;
}

/* The read goes behind a later write of its value. */
static bool move_behind(struct repair *r, size_t i) {
  const struct placed *read = &r->entries[i].p;
  unsigned tried = 0;
  for (size_t j = i + 1; j < r->count && tried < TRIES; j++) {
    const struct placed *w = &r->entries[j].p;
    if (w->low >= read->high || w->e.thread == read->e.thread || !leaves(&w->e, &read->e)) continue;
    tried++;
    if (put_behind(r, i, j) && accept(r, i, j - i + 1)) return true;
  }
  return false;
}

/* The read goes before a write that was in the way: entries from there on have to be checked again. */
static bool move_before(struct repair *r, size_t i) {
  const struct placed *read = &r->entries[i].p;
  unsigned tried = 0;
  size_t at = i, least = r->given;
  for (size_t j = i; j-- > least && tried < TRIES;) {
    const struct placed *w = &r->entries[j].p;
    if (w->e.op == EVENT_READ || !has_value(&w->e) || !overlap(&w->e, &read->e)) continue;
    if (w->high <= read->low || w->e.thread == read->e.thread) break;
    tried++;
    while (at > j) undo(r, &r->entries[--at]);
    if (!put_before(r, i, j) || !accept(r, j, i - j + 1)) continue;
    r->checked = j;
    return true;
  }
  while (at < i) (void)apply(r, &r->entries[at++]);
  return false;
}

/* The read goes behind a write that may have come before it, though its thread's times say nothing of that: the thread may have stood still
 * for long behind it. What has come so of the threads that were tried stays where it was put, at the end. */
static bool move_behind_hurried(struct repair *r, size_t i) {
  uint32_t from = 0;
  size_t n, most;
  while (r->count < ROOM) {
    struct placed read = r->entries[i].p;
    most = ROOM - r->count < BEHIND ? ROOM - r->count : BEHIND;
    n = merge_hurry(r->from, &read, leaves, &from, r->arriving, most);
    if (n == 0) return false;
    for (size_t k = 0; k < n; k++) {
      arrive(r, &r->arriving[k].e);
      r->entries[r->count++] = (struct entry){.p = r->arriving[k]};
    }
    if (put_behind(r, i, r->count - 1) && accept(r, i, r->count - i)) return true;
  }
  return false;
}

/* The bytes of what the entry read that nobody is known to have left there, as bits. */
static unsigned open_bytes(const struct entry *read) {
  const struct event *e = &read->p.e;
  unsigned open = 0;
  for (unsigned i = 0; i < e->size; i++)
    if (!(read->old.known >> i & 1) || ((read->old.value ^ e->value) >> 8 * i & 0xff)) open |= 1u << i;
  return open;
}

/* 1 + the last entry that may have written before the read what it returned, though it comes later; 0: there is none. */
static size_t is_written_later(const struct repair *r, size_t i) {
  const struct placed *read = &r->entries[i].p;
  unsigned open = open_bytes(&r->entries[i]);
  for (size_t j = r->count; j-- > i + 1;) {
    const struct placed *w = &r->entries[j].p;
    if (w->low < read->high && w->e.thread != read->e.thread && leaves_open(&w->e, &read->e, open)) return j + 1;
  }
  return 0;
}

/* The read stays where it is not explained. True if who writes its value later may have done so before it: then it says nothing of what is
 * there. */
static bool doubt(struct repair *r, size_t i) {
  size_t until = is_written_later(r, i);
  bool beyond = goes_on(r, &r->entries[i].p);
  r->entries[i].p.e.flags |= RECORDED_UNORDERED;
  if (until > r->doubtful) r->doubtful = until;
  if (beyond) doubt_beyond(r, &r->entries[i].p);
  return until > 0 || beyond;
}

/* Of memory that a function that is not recorded was given it is known what was there before and behind the call. Where somebody else has
 * written the latter meanwhile, the function may have found it; else it has written that. */
static void look_outside(struct entry *x) {
  struct event *e = &x->p.e;
  if (!event_outside(e) || e->op != EVENT_WRITE || !has_value(e) || x->tries) return;
  e->op = EVENT_READ, x->left = true;
}
static bool has_left(struct repair *r, struct entry *x) {
  if (!x->left) return false;
  x->p.e.op = EVENT_WRITE, x->left = false, x->tries = TRIES;
  (void)apply(r, x);
  r->checked++;
  return true;
}
/* What was there before the call, and nobody has written, another such function has. */
static bool was_left(struct repair *r, size_t i) {
  struct entry *x = &r->entries[i];
  bool finds = event_outside(&x->p.e) && x->p.e.op == EVENT_READ && has_value(&x->p.e);
  x->left |= finds && !is_written_later(r, i) && !goes_on(r, &x->p);
  return has_left(r, x);
}

static void check_one(struct repair *r) {
  size_t i = r->checked;
  struct entry *x = &r->entries[i];
  look_outside(x);
  enum fit fit = apply(r, x);
  if (x->left && fit == FITS_UNKNOWN) {
    undo(r, x);
    (void)has_left(r, x);
    return;
  }
  bool blank = is_access(&x->p.e) && reads(&x->p.e) && !has_value(&x->p.e);
  size_t until = blank || fit == FITS_UNKNOWN ? hidden_until(r, i) : 0;
  if (until) {
    x->p.e.flags |= RECORDED_UNORDERED;
    if (until > r->doubtful) r->doubtful = until;
    r->checked++;
    return;
  }
  if (fit == FITS || (fit == FITS_UNKNOWN && !is_written_later(r, i))) {
    r->checked++;
    return;
  }
  undo(r, x);
  if (x->tries < TRIES) {
    x->tries++;
    if (move_behind(r, i) || (fit == FITS_NOT && (move_before(r, i) || move_behind_hurried(r, i)))) return;
  }
  if (was_left(r, i)) return;
  if (!doubt(r, i) || r->entries[i].p.e.op != EVENT_READ) (void)apply(r, &r->entries[i]);
  r->checked++;
}

/* --- the window --- */

static void fill(struct repair *r) {
  while (!r->at_end && r->count < r->checked + AHEAD) {
    size_t want = r->checked + AHEAD - r->count, n;
    if (want > BEHIND) want = BEHIND;
    n = merge_next(r->from, r->arriving, want);
    for (size_t i = 0; i < n; i++) {
      arrive(r, &r->arriving[i].e);
      r->entries[r->count++] = (struct entry){.p = r->arriving[i]};
    }
    r->at_end = n == 0;
  }
}

/* What was given goes, if there is no place left. */
static void make_room(struct repair *r) {
  if (r->checked + AHEAD <= ROOM) return;
  memmove(r->entries, r->entries + r->given, (r->count - r->given) * sizeof r->entries[0]);
  r->count -= r->given, r->checked -= r->given;
  r->doubtful = r->doubtful > r->given ? r->doubtful - r->given : 0, r->given = 0;
}

struct repair *repair_new(struct merge *from) {
  struct repair *r = mem_alloc(sizeof *r);
  r->from = from;
  return r;
}

void repair_free(struct repair *r) {
  contents_release(&r->contents);
  mem_free(r, sizeof *r);
}

size_t repair_next(struct repair *r, struct event *out, size_t most) {
  size_t n = 0;
  while (n < most) {
    size_t behind = r->at_end && r->checked == r->count ? 0 : BEHIND;
    if (r->given + behind < r->checked) {
      struct event *e = &out[n++];
      *e = r->entries[r->given].p.e;
      if (r->given++ < r->doubtful || r->entries[r->given - 1].p.low < r->doubtful_until) e->flags |= RECORDED_DOUBTFUL;
      continue;
    }
    if (behind == 0) break;
    make_room(r);
    fill(r);
    if (r->checked < r->count) check_one(r);
  }
  return n;
}

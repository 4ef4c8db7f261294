#include "report/why.h"

#include <inttypes.h>
#include <string.h>

#include "predict/recorded/explain.h"
#include "predict/recorded/model.h"
#include "report/predicted.h"
#include "report/recorded_place.h"
#include "report/sources.h"
#include "report/style.h"

#define NONE RECORDED_NONE

struct why {
  const struct explanation *x;
  const struct recorded_names *names;
  const struct style *style;
  struct sources sources;
  struct text *out;
};

/* --- words --- */

static const struct recorded_step *step(const struct why *w, uint32_t number) { return &w->x->events.data[number]; }

static void put_thread(struct why *w, uint32_t thread) {
  text_puts(w->out, "thread ");
  recorded_thread_text(w->names, thread, w->out);
}

/* "at a.c:3:2", or "before the window". */
static void put_at(struct why *w, uint32_t number) {
  if (number == NONE) {
    text_puts(w->out, "before these events");
    return;
  }
  text_puts(w->out, "at ");
  recorded_place_text(w->names, step(w, number)->site, w->out);
}

static void put_code(struct why *w, uint32_t number) {
  struct text line = {0};
  recorded_place_line(w->names, step(w, number)->site, &w->sources, &line);
  if (line.count) text_puts(w->out, ": "), style_put(w->style, INK_CODE, text_str(&line), w->out);
  text_putc(w->out, '\n');
  text_release(&line);
}

/* "    thread 0.1 writes at a.c:3:2: x = 1;" */
static void put_step(struct why *w, uint32_t number) {
  text_puts(w->out, "    ");
  put_thread(w, step(w, number)->thread);
  text_printf(w->out, " %s ", predicted_role(step(w, number)->op));
  put_at(w, number);
  put_code(w, number);
}

static void put_line(struct why *w, const struct explain_line *l) {
  if (l->file) text_printf(w->out, "%.*s%s", (int)l->length, l->file, l->line ? ":" : "");
  if (!l->file) text_puts(w->out, "place ");
  if (l->line) text_printf(w->out, "%" PRIu32, l->line);
}

/* Why the read of the fact must return what it did. */
static void put_reason(struct why *w, const struct explain_fact *f) {
  if (f->by == NONE) {
    text_puts(w->out, "what it does next depends on it");
    return;
  }
  const struct recorded_step *by = step(w, f->by);
  bool writes = by->op == EVENT_WRITE;
  text_puts(w->out, writes ? "what it writes " : by->op == EVENT_RMW ? "it changes the memory " : "it decides by it ");
  put_at(w, f->by);
  text_puts(w->out, writes ? ", and is read from there, depends on it" : by->op == EVENT_RMW ? " only then" : "");
}

static void put_section(struct why *w, const struct explain_fact *f, bool numbered) {
  uint32_t end = f->first != NONE ? f->first : f->last;
  if (end == NONE)
    text_puts(w->out, "a thread");
  else
    put_thread(w, step(w, end)->thread);
  if (numbered)
    text_printf(w->out, " holds lock %" PRIu32, f->lock);
  else
    text_puts(w->out, " holds it");
  text_puts(w->out, " from ");
  if (f->first == NONE)
    text_puts(w->out, "before these events");
  else
    recorded_place_text(w->names, step(w, f->first)->site, w->out);
  text_puts(w->out, " to ");
  if (f->last == NONE)
    text_puts(w->out, "the end");
  else
    recorded_place_text(w->names, step(w, f->last)->site, w->out);
}

static bool is_barrier(unsigned op) { return op == EVENT_BARRIER_ENTER || op == EVENT_BARRIER_LEAVE; }

/* Why a thread knows in which order two blocks were at one address. */
static void put_both(struct why *w, const struct explain_fact *f) {
  if (f->by == NONE)
    text_puts(w->out, "some thread");
  else
    put_thread(w, step(w, f->by)->thread), text_putc(w->out, ' '), put_at(w, f->by);
  text_puts(w->out, " has pointers to both blocks, and can tell whether these are equal");
}

/* A fact in one sentence. */
static void put_fact(struct why *w, const struct explain_fact *f) {
  if (f->kind == CORE_SECTION) {
    put_section(w, f, true);
    return;
  }
  put_thread(w, step(w, f->first != NONE ? f->first : f->last)->thread); /* of a wait, the begin may be before the window */
  switch (f->kind) {
    case CORE_READ:
      text_puts(w->out, " reads "), put_at(w, f->first);
      if (f->from == NONE)
        text_puts(w->out, " what was there before any write of these events");
      else
        text_puts(w->out, " what "), put_thread(w, step(w, f->from)->thread), text_puts(w->out, " has written "), put_at(w, f->from);
      text_puts(w->out, ", and must: "), put_reason(w, f);
      break;
    case CORE_REUSE:
      text_puts(w->out, " frees a block "), put_at(w, f->first), text_puts(w->out, " before another one is allocated at its address by ");
      put_thread(w, step(w, f->last)->thread), text_putc(w->out, ' '), put_at(w, f->last);
      text_puts(w->out, ", and must: "), put_both(w, f);
      break;
    case CORE_TRY:
      text_printf(w->out, " tries lock %" PRIu32 " in vain ", f->lock), put_at(w, f->first),
          text_puts(w->out, ": another thread holds it then");
      break;
    case CORE_WAIT:
      text_puts(w->out, " waits "), put_at(w, f->first), text_puts(w->out, " until it is notified");
      if (f->from != NONE)
        text_puts(w->out, ", as by "), put_thread(w, step(w, f->from)->thread), text_putc(w->out, ' '), put_at(w, f->from);
      break;
    case CORE_OBJECT:
      text_puts(w->out, is_barrier(step(w, f->first)->op) ? " comes to a barrier, " : " uses a semaphore, ");
      text_puts(w->out, "for the first time "), put_at(w, f->first), text_puts(w->out, ", by which the threads wait for each other");
      break;
    case CORE_FREE:
      text_puts(w->out, " frees the memory "), put_at(w, f->first), text_puts(w->out, ", behind all uses");
      break;
    case CORE_JOIN:
    case CORE_FORK:
      text_puts(w->out, f->kind == CORE_FORK ? " starts " : " waits for the end of "), put_thread(w, f->child), text_putc(w->out, ' ');
      put_at(w, f->first);
      break;
    case CORE_SECTION:
      break;
  }
}

/* --- the chain --- */

/* One event comes before another one because of a fact. UINT32_MAX: the beginning or the end of the thread. */
struct edge {
  uint32_t fact;
  uint32_t from, to; /* numbers of events; NONE: the first or last one of the thread */
  uint32_t from_thread, to_thread;
  uint64_t leaves, reaches; /* positions in the run */
  uint32_t before;          /* the edge before this one in the chain */
  bool seen;
};

struct chain {
  VEC(struct edge) edges;
  VEC(uint32_t) way; /* edges from the pair's first event to its second one */
};

static void add_edge(struct why *w, struct chain *c, uint32_t fact, uint32_t from, uint32_t to) {
  if (from == NONE || to == NONE) return;
  *vec_push(&c->edges) = (struct edge){.fact = fact,
                                       .from = from,
                                       .to = to,
                                       .from_thread = step(w, from)->thread,
                                       .to_thread = step(w, to)->thread,
                                       .leaves = step(w, from)->position,
                                       .reaches = step(w, to)->position,
                                       .before = NONE};
}

static void add_edges(struct why *w, struct chain *c, uint32_t number) {
  const struct explain_fact *f = &w->x->facts.data[number];
  if (f->kind == CORE_READ) add_edge(w, c, number, f->from, f->first);
  if (f->kind == CORE_REUSE) add_edge(w, c, number, f->first, f->last);
  if (f->kind == CORE_WAIT) add_edge(w, c, number, f->from, f->last);
  if (f->kind == CORE_FORK || f->kind == CORE_JOIN) {
    add_edge(w, c, number, f->first, f->first);
    struct edge *e = &vec_last(&c->edges);
    if (f->kind == CORE_FORK) e->to = NONE, e->to_thread = f->child;
    if (f->kind == CORE_JOIN) e->from = NONE, e->from_thread = f->child;
  }
  for (uint32_t i = number + 1; f->kind == CORE_SECTION && i < w->x->facts.count; i++) {
    const struct explain_fact *g = &w->x->facts.data[i];
    if (g->kind == CORE_SECTION && g->lock == f->lock) add_edge(w, c, number, f->last, g->first);
  }
}

/* The chain with the fewest edges, by breadth. */
static void find_way(struct why *w, struct chain *c) {
  const struct recorded_step *first = step(w, w->x->first), *second = step(w, w->x->second);
  VEC(uint32_t) queue = {0};
  for (size_t at = 0, start = 1; at < queue.count || start; at += !start, start = 0) {
    uint32_t before = start ? NONE : queue.data[at];
    uint32_t thread = start ? first->thread : c->edges.data[before].to_thread;
    uint64_t position = start ? first->position : c->edges.data[before].reaches;
    if (!start && thread == second->thread && position <= second->position) {
      for (uint32_t i = before; i != NONE; i = c->edges.data[i].before) *vec_push(&c->way) = i;
      break;
    }
    for (uint32_t i = 0; i < c->edges.count; i++) {
      struct edge *e = &c->edges.data[i];
      if (e->seen || e->from_thread != thread || e->leaves < position) continue;
      e->seen = true, e->before = before;
      *vec_push(&queue) = i;
    }
  }
  for (size_t i = 0; i < c->way.count / 2; i++) {
    uint32_t swapped = c->way.data[i];
    c->way.data[i] = c->way.data[c->way.count - 1 - i], c->way.data[c->way.count - 1 - i] = swapped;
  }
  vec_release(&queue);
}

static void make_chain(struct why *w, struct chain *c) {
  for (uint32_t i = 0; i < w->x->facts.count; i++) add_edges(w, c, i);
  find_way(w, c);
}

static void release_chain(struct chain *c) {
  vec_release(&c->edges);
  vec_release(&c->way);
}

/* Which facts the chain has told. Of a section the other one of its edge, too. */
static bool is_told(const struct why *w, const struct chain *c, uint32_t fact) {
  const struct explain_fact *f = &w->x->facts.data[fact];
  for (size_t i = 0; i < c->way.count; i++)
    if (c->edges.data[c->way.data[i]].fact == fact && f->kind != CORE_SECTION) return true;
  return false;
}

static void put_edge(struct why *w, const struct edge *e, bool told) {
  const struct explain_fact *f = &w->x->facts.data[e->fact];
  if (e->from != NONE && !told) text_puts(w->out, "      and later\n"), put_step(w, e->from);
  text_puts(w->out, "      ");
  switch (f->kind) {
    case CORE_READ:
      text_puts(w->out, "which "), put_thread(w, e->to_thread), text_puts(w->out, " reads, and must: "), put_reason(w, f);
      break;
    case CORE_REUSE:
      text_puts(w->out, "and only then a block can be at this address again: "), put_both(w, f);
      break;
    case CORE_WAIT:
      text_puts(w->out, "for which "), put_thread(w, e->to_thread), text_puts(w->out, " waits");
      break;
    case CORE_SECTION:
      text_printf(w->out, "lock %" PRIu32 ", before ", f->lock), put_thread(w, e->to_thread);
      text_puts(w->out, " takes it: the other way round is impossible");
      break;
    case CORE_FORK:
      put_thread(w, e->to_thread), text_puts(w->out, ", which begins only then");
      break;
    case CORE_JOIN:
      text_puts(w->out, "and has ended when "), put_thread(w, e->to_thread), text_puts(w->out, " has waited for that");
      break;
    case CORE_TRY:
    case CORE_OBJECT:
    case CORE_FREE:
      break;
  }
  text_putc(w->out, '\n');
  if (e->to != NONE) put_step(w, e->to);
}

static void put_chain(struct why *w, const struct chain *c) {
  uint32_t last = w->x->first;
  text_puts(w->out, "  In every order of this run the first of them comes before the second:\n");
  put_step(w, last);
  for (size_t i = 0; i < c->way.count; i++) {
    const struct edge *e = &c->edges.data[c->way.data[i]];
    put_edge(w, e, e->from == last);
    last = e->to;
  }
  if (last == w->x->second) return;
  text_puts(w->out, last == NONE ? "      and after that\n" : "      and later\n");
  put_step(w, w->x->second);
}

/* --- what there is to say --- */

/* Both events are in sections of one lock, and that is all: the lock. 0: it is something else. */
static uint32_t common_lock(const struct why *w) {
  const struct explanation *x = w->x;
  if (x->facts.count != 2 || x->facts.data[0].kind != CORE_SECTION || x->facts.data[1].kind != CORE_SECTION) return 0;
  for (unsigned k = 0; k < 2; k++) {
    const struct recorded_step *e = step(w, k ? x->second : x->first);
    bool inside = false;
    for (unsigned i = 0; i < 2; i++) {
      const struct explain_fact *f = &x->facts.data[i];
      uint32_t end = f->first != NONE ? f->first : f->last;
      if (end == NONE || step(w, end)->thread != e->thread) continue;
      inside |=
          (f->first == NONE || step(w, f->first)->position < e->position) && (f->last == NONE || step(w, f->last)->position > e->position);
    }
    if (!inside) return 0;
  }
  return x->facts.data[0].lock == x->facts.data[1].lock ? x->facts.data[0].lock : 0;
}

static void put_facts(struct why *w, const struct chain *c) {
  bool any = false;
  for (uint32_t i = 0; i < w->x->facts.count; i++) {
    if (is_told(w, c, i)) continue;
    if (!any) text_puts(w->out, c->way.count ? "  For that is needed as well:\n" : "  What keeps them apart:\n");
    any = true;
    text_puts(w->out, "    "), put_fact(w, &w->x->facts.data[i]), text_putc(w->out, '\n');
  }
}

static void put_why(struct why *w) {
  struct chain c = {0};
  uint32_t lock = common_lock(w);
  if (lock) {
    text_puts(w->out, "  Both are done under one lock:\n");
    for (unsigned i = 0; i < 2; i++) text_puts(w->out, "    "), put_section(w, &w->x->facts.data[i], false), text_putc(w->out, '\n');
  } else {
    make_chain(w, &c);
    if (c.way.count) put_chain(w, &c);
    put_facts(w, &c);
  }
  if (w->x->facts.count == 0) text_puts(w->out, "  One comes before the other in its own thread.\n");
  if (w->x->least && w->x->facts.count) text_puts(w->out, "  Without any one of these they could be a race.\n");
  release_chain(&c);
}

static const char *const verdicts[] = {"race",         "no-race",    "undecided",  "no-access",   "not-in-one-window",
                                       "other-memory", "one-thread", "only-reads", "only-atomics"};

static void put_headline(struct why *w, const struct explain_options *o) {
  static const char *const texts[] = {" are a race",
                                      " are no race in any order of this run",
                                      ": not everything is decided",
                                      ": there is nothing to compare",
                                      " never touch the same memory within one window",
                                      " never touch the same memory",
                                      " touch the same memory in one thread only",
                                      " touch the same memory, but neither writes it",
                                      " touch the same memory by atomic accesses only"};
  struct text line = {0}, *out = w->out;
  w->out = &line;
  put_line(w, &o->lines[0]), text_puts(&line, " and "), put_line(w, &o->lines[1]),
      text_puts(&line, w->x->claimed ? " may be a race" : texts[w->x->verdict]);
  w->out = out;
  style_put(w->style, w->x->verdict == EXPLAIN_RACE ? INK_HEADLINE : INK_STRONG, text_str(&line), out);
  text_putc(out, '\n');
  text_release(&line);
}

static void put_counts(struct why *w, const struct explain_options *o) {
  const struct explanation *x = w->x;
  for (unsigned k = 0; k < 2; k++) {
    if (x->accesses[k]) continue;
    text_puts(w->out, "  the run has no access "), text_puts(w->out, "at "), put_line(w, &o->lines[k]), text_putc(w->out, '\n');
  }
  if (x->verdict == EXPLAIN_APART)
    text_puts(w->out, "  events that are further apart than a window (--window) are not asked about together\n");
  if (x->undecided) text_printf(w->out, "  undecided: %s\n", x->limit ? x->limit : "the budget of one question was not enough (--budget)");
  if (!x->pairs) return;
  text_printf(w->out,
              "pairs of these lines in one window: %s%" PRIu64 "; asked about: %" PRIu64 "; no: %" PRIu64 ", undecided: %" PRIu64 "\n",
              x->cut ? "at least " : "", x->pairs, x->asked, x->no, x->undecided);
}

void why_text(const struct explanation *x, const struct explain_options *o, const struct recorded_names *names, const struct style *style,
              struct text *out) {
  struct why w = {.x = x, .names = names, .style = style, .out = out};
  put_headline(&w, o);
  if (x->verdict == EXPLAIN_NO_RACE || (x->verdict == EXPLAIN_UNDECIDED && x->no)) {
    if (x->verdict == EXPLAIN_UNDECIDED) text_puts(out, "  of one pair that is none:\n");
    put_step(&w, x->first), put_step(&w, x->second);
    put_why(&w);
  }
  put_counts(&w, o);
  sources_release(&w.sources);
}

/* --- JSON --- */

static void json_fact(struct why *w, const struct explain_fact *f) {
  static const char *const kinds[] = {
      [CORE_READ] = "value", [CORE_REUSE] = "reuse",  [CORE_TRY] = "try",   [CORE_WAIT] = "wait", [CORE_OBJECT] = "object",
      [CORE_FREE] = "free",  [CORE_SECTION] = "lock", [CORE_JOIN] = "join", [CORE_FORK] = "fork"};
  struct text words = {0}, *out = w->out;
  w->out = &words, put_fact(w, f), w->out = out;
  text_printf(out, "{\"kind\":\"%s\",\"text\":", kinds[f->kind]), text_json_string(out, text_str(&words));
  text_puts(out, ",\"events\":[");
  const uint32_t numbers[] = {f->first, f->last, f->from, f->by};
  bool any = false;
  for (unsigned i = 0; i < 4; i++) {
    if (numbers[i] == NONE) continue;
    const struct recorded_step *e = step(w, numbers[i]);
    if (any) text_putc(out, ',');
    predicted_event_json(&(struct predicted_event){.thread = e->thread,
                                                   .site = e->site,
                                                   .op = e->op,
                                                   .role = predicted_role(e->op),
                                                   .role_length = (uint32_t)strlen(predicted_role(e->op))},
                         w->names, out);
    any = true;
  }
  text_puts(out, "]}");
  text_release(&words);
}

void why_json(const struct explanation *x, const struct explain_options *o, const struct recorded_names *names, struct text *out) {
  struct why w = {.x = x, .names = names, .out = out};
  text_puts(out, "{\"pair\":[");
  for (unsigned k = 0; k < 2; k++) {
    struct text line = {0};
    w.out = &line, put_line(&w, &o->lines[k]), w.out = out;
    text_puts(out, k ? "," : ""), text_json_string(out, text_str(&line));
    text_release(&line);
  }
  text_printf(out,
              "],\"verdict\":\"%s\",\"pairs\":%" PRIu64 ",\"asked\":%" PRIu64 ",\"no\":%" PRIu64 ",\"undecided\":%" PRIu64 ",\"why\":[",
              x->claimed ? "claimed" : verdicts[x->verdict], x->pairs, x->asked, x->no, x->undecided);
  for (size_t i = 0; i < x->facts.count; i++) {
    if (i) text_putc(out, ',');
    json_fact(&w, &x->facts.data[i]);
  }
  text_puts(out, "]}\n");
}

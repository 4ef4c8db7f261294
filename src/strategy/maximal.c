/* Depth-first exploration that enters no state twice, with dynamic partial-order reduction.
 *
 * After Yang, Chen, Gopalakrishnan, Kirby: "Efficient stateful dynamic partial order reduction", SPIN 2008. A state is closed once all that
 * has to be explored below it was. An execution that comes to a closed state is given up; the races between its steps and what
 * happens below that state are found from the state's summary. docs/maximal.md has the proof that nothing is lost; in short:
 *
 *   The threads explored from a state are to be a source set: each maximal execution from there has an equivalent one that begins with one
 *   of them. Let w be one that has none, t an explored step, and e (of thread q) the first step of w that depends on t. Below t the
 *   steps before e were explored, and e executed or found pending; on the stack, or below a closed state that the execution came to. In
 *   both cases add_backtrack() was called for t and q: it sees to it that a step is explored at t's state that begins what q did since
 *   (which begins w, too), or q itself, or everything. If it is q, then q's first step in w depends on an earlier step of w than t did. So
 *   taking that step for t, and so on, comes to the beginning of w: a contradiction.
 *
 * What matters of the past besides the state is part of the table's key: past.h. */
#include <string.h>
#include <unistd.h>

#include "happens/history.h"
#include "happens/section.h"
#include "machine/machine.h"
#include "states/commons.h"
#include "states/past.h"
#include "states/summary.h"
#include "states/visited.h"
#include "strategy/strategy.h"

/* Executions from one look at the whole stack to the next: for states that others have closed, and to tell others what is left. */
#define LOOK_EVERY 64u
/* Executions below a state before others are told of it. */
#define SHARE_AFTER 8u

/* A step explored from an earlier state, with nothing dependent taken since. Taking it here would lead to a state that comes behind a
 * closed one: the step counts as explored without being taken. */
struct sleeper {
  uint32_t thread, choice;
  uint32_t alternatives;  /* that its thread's step has */
  uint32_t event, events; /* in sleep_events */
  uint32_t origin;        /* the node where it was explored */
  uint32_t looked;        /* the node where it was last explored without being taken, or where it was explored */
  uint32_t own, below;    /* summaries: of its events; of them and what follows there */
};

struct node {
  struct fingerprint key;
  struct tset enabled;
  struct tset backtrack; /* threads to explore here, done ones included */
  struct tset done;
  struct tset awaited;   /* enabled agents whose thread's next step waits for an empty buffer */
  uint32_t alternatives; /* of the present thread's step; 0: not known yet */
  uint32_t summary;      /* of what was explored below */
  uint32_t first_sleeper, sleepers, first_sleep_event;
  uint32_t version; /* of the racers, when its key was made */
  uint32_t since;   /* executions before it */
  bool open;        /* what follows was cut short below: never closed */
  bool common;      /* there are hints: somebody has explored here for a while */
  bool ended;       /* the present step, or a later one of the section that it begins, ended an execution for everybody */
};

struct strategy {
  struct strategy_options options;
  bool started, resumed;
  struct history history;
  struct past past;
  struct sections sections; /* kept over restarts */
  struct summaries summaries;
  struct visited visited;
  struct commons_view view;       /* view.commons: NULL if nobody else explores: then `visited` has the closed states */
  uint32_t worker;                /* of several */
  bool mute;                      /* there was no room to say something: nothing is entered any more */
  uint32_t executions;            /* so far */
  size_t most;                    /* bytes for `visited`, and for `summaries` */
  struct operation_bits affected; /* see explore_sleeper() */
  struct schedule path;
  struct schedule prefix;       /* borrows path's array */
  VEC(struct node) nodes;       /* nodes.data[i] is the state before path.steps.data[i] */
  uint8_t parents[THREADS_MAX]; /* who makes each thread, or has an agent; itself: not known, there from the beginning */
  VEC(uint32_t) made;           /* by step: the summary of its own events */
  VEC(struct sleeper) sleepers;
  VEC(struct event) sleep_events;
  uint32_t below;  /* summary of what follows the last step */
  bool below_open; /* which is not known to be all */
  bool covered;    /* the execution was given up in a state that sleeping steps cover: its races are known */
};

static uint64_t physical_memory(void) { return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE); }

size_t states_memory(const struct strategy_options *options) { return options->memory ? options->memory : physical_memory() / 4; }

static struct strategy *maximal_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  s->options = *options;
  s->past.no_races = options->no_races;
  s->most = states_memory(options) / 2;
  s->visited.most = s->most;
  history_init(&s->history);
  for (uint32_t t = 0; t < THREADS_MAX; t++) s->parents[t] = (uint8_t)t;
  return s;
}

/* Back to the beginning. */
static void leave_stack(struct strategy *s) {
  past_clear(&s->past);
  history_clear(&s->history);
  vec_clear(&s->nodes);
  vec_clear(&s->made);
  vec_clear(&s->sleepers);
  vec_clear(&s->sleep_events);
  vec_clear(&s->path.steps);
  s->started = s->resumed = s->sections.grown = s->past.grown = false;
}

static void maximal_restart(struct strategy *s) {
  leave_stack(s);
  summaries_clear(&s->summaries);
  visited_clear(&s->visited);
  s->visited.forgotten = 0;
  commons_view_release(&s->view);
  s->view = (struct commons_view){0};
}

static void maximal_destroy(struct strategy *s) {
  past_release(&s->past);
  history_release(&s->history);
  sections_release(&s->sections);
  summaries_release(&s->summaries);
  vec_release(&s->affected.words);
  visited_release(&s->visited);
  commons_view_release(&s->view);
  vec_release(&s->nodes);
  vec_release(&s->made);
  vec_release(&s->sleepers);
  vec_release(&s->sleep_events);
  vec_release(&s->path.steps);
  mem_free(s, sizeof *s);
}

/* --- closed states, and others' work --- */

static uint32_t closed_summary(struct strategy *s, struct fingerprint key) {
  return s->view.commons ? commons_find(&s->view, &s->summaries, key) : visited_find(&s->visited, key);
}

/* Says which accesses were seen, before anything is closed that they are below; and hears which others were. True: keys of states may be
 * others now. */
static bool exchange(struct strategy *s) {
  struct racers *r = &s->past.knowledge.racers;
  uint32_t version = r->version;
  if (!s->view.commons) return false;
  for (size_t i = 0; i < r->fresh.count && !s->mute; i++) s->mute = !commons_say(s->view.commons, &r->fresh.data[i]);
  commons_hear(&s->view, r);
  vec_clear(&r->fresh);
  return r->version != version;
}

static void close_state(struct strategy *s, const struct node *n) {
  if (!s->view.commons) {
    visited_add(&s->visited, n->key, n->summary);
    return;
  }
  if (!s->mute) commons_add(&s->view, &s->summaries, n->key, n->summary);
  if (n->common) commons_hush(s->view.commons, n->key);
}

/* Tells others what is to be explored at a node, if that is worth it, and which thread this worker explores there. */
static void tell(const struct strategy *s, struct node *n, uint32_t present) {
  if (!s->view.commons) return;
  n->common = n->common || (s->executions - n->since >= SHARE_AFTER && tset_count(&n->backtrack) > 1);
  if (n->common) commons_tell(s->view.commons, n->key, &n->backtrack, &n->done, s->worker, present);
}

/* The worker goes somewhere else before the node is closed. */
static void leave(const struct strategy *s, const struct node *n) {
  if (n->common) commons_leave(s->view.commons, n->key, s->worker);
}

/* Others are at the new node, too: it will have to be explored what they found has to be. */
static void help(struct strategy *s, struct node *n) {
  struct commons_hint hint;
  if (!s->view.commons || !commons_ask(s->view.commons, n->key, &hint)) return;
  n->common = true;
  tset_intersect(&hint.explore, &n->enabled);
  if (!tset_empty(&hint.explore)) n->backtrack = hint.explore;
}

/* Takes those that other workers explore out of `threads`. Returns whether one of them explores `mine`, with a smaller number than ours. */
static bool leave_to_others(const struct strategy *s, const struct commons_hint *hint, struct tset *threads, uint32_t mine) {
  uint32_t own = s->worker % COMMONS_WORKERS;
  bool together = false;
  for (uint32_t w = 0; w < COMMONS_WORKERS; w++) {
    if (w == own || hint->present[w] == 0 || hint->present[w] > THREADS_MAX) continue;
    tset_remove(threads, hint->present[w] - 1u);
    together |= w < own && hint->present[w] - 1u == mine;
  }
  return together;
}

/* Of the threads `left` at a node, one that others have done, if there is any: that costs a step, and then it sleeps below the others. Else
 * one that nobody else explores. */
static uint32_t choose_left(const struct strategy *s, const struct node *n, const struct tset *left) {
  uint32_t t = tset_next(left, 0);
  struct commons_hint hint;
  if (t == THREADS_MAX || !n->common || !commons_ask(s->view.commons, n->key, &hint)) return t;
  struct tset fresh = *left;
  tset_intersect(&hint.done, left);
  if (!tset_empty(&hint.done)) return tset_next(&hint.done, 0);
  (void)leave_to_others(s, &hint, &fresh, THREADS_MAX);
  return tset_empty(&fresh) ? t : tset_next(&fresh, 0);
}

/* Another worker explores the same thread at the node as this one, and there is one that nobody explores: returns that, or THREADS_MAX. */
static uint32_t choose_other(const struct strategy *s, struct node *n, uint32_t present) {
  struct commons_hint hint;
  if (!n->common || !commons_ask(s->view.commons, n->key, &hint)) return THREADS_MAX;
  tset_intersect(&hint.explore, &n->enabled);
  tset_union(&n->backtrack, &hint.explore);
  struct tset fresh = n->backtrack;
  tset_minus(&fresh, &n->done);
  tset_minus(&fresh, &hint.done);
  tset_remove(&fresh, present);
  return leave_to_others(s, &hint, &fresh, present) ? tset_next(&fresh, 0) : THREADS_MAX;
}

/* --- backtracking points --- */

/* Does step j come before what a thread does whose last step is `previous`, and that has the enablers of `h`? */
static bool comes_before(const struct history *h, uint32_t j, uint32_t previous) {
  if (previous != NO_STEP && history_before(h, j, previous)) return true;
  for (size_t k = 0; k < h->enablers.count; k++) {
    if (history_before(h, j, h->enablers.data[k])) return true;
  }
  return false;
}

/* If the thread waits there for its buffer to be empty, that comes first: sees to it that one of the flushes is explored. */
static bool add_awaited(const struct strategy *s, struct node *n, uint32_t thread) {
  uint32_t pick = THREADS_MAX;
  for (uint32_t a = tset_next(&n->awaited, AGENTS_FROM); a < THREADS_MAX; a = tset_next(&n->awaited, a + 1)) {
    if (s->parents[a] != thread) continue;
    if (tset_has(&n->backtrack, a)) return true;
    if (pick == THREADS_MAX) pick = a;
  }
  if (pick < THREADS_MAX) tset_add(&n->backtrack, pick);
  return pick < THREADS_MAX;
}

/* Thread q, whose last step on the stack is `previous`, does something behind the present end or there that depends on step i and is not
 * ordered after it. Sees to it that a step is explored at node i that begins what comes before that, or q itself, or everything. */
static void add_backtrack(struct strategy *s, uint32_t i, uint32_t q, uint32_t previous) {
  const struct history *h = &s->history;
  struct node *n = &s->nodes.data[i];
  struct tset seen = {0};
  uint32_t first[THREADS_MAX], pick = THREADS_MAX;
  for (uint32_t j = i + 1; h->since != NO_STEP && j <= h->since; j++) {
    const struct history_step *e = &h->steps.data[j];
    if (tset_has(&seen, e->thread) || !comes_before(h, j, previous)) continue;
    const uint32_t *clock = &h->clocks.data[(size_t)j * h->width];
    bool begins = true;
    for (uint32_t u = tset_next(&seen, 0); begins && u < THREADS_MAX; u = tset_next(&seen, u + 1)) begins = clock[u] < first[u];
    tset_add(&seen, e->thread);
    first[e->thread] = e->index;
    if (!begins) continue;
    if (tset_has(&n->backtrack, e->thread)) return;
    if (pick == THREADS_MAX) pick = e->thread;
  }
  if (pick == THREADS_MAX) pick = q;
  if (tset_has(&n->enabled, pick)) {
    tset_add(&n->backtrack, pick);
  } else if (!add_awaited(s, n, pick)) {
    tset_union(&n->backtrack, &n->enabled);
  }
  tell(s, n, s->path.steps.data[i].thread);
}

static void reverse_races(struct strategy *s, uint32_t thread, uint32_t previous, uint32_t from) {
  const struct history *h = &s->history;
  if (h->races.count == 0) return;
  for (size_t k = 0; k < h->races.count; k++) {
    uint32_t i = h->races.data[k], begin = history_section(h, i);
    if (i >= from) add_backtrack(s, i, thread, previous);
    if (begin != i && begin >= from) add_backtrack(s, begin, thread, previous);
  }
}

static uint32_t previous_of(const struct history *h, uint32_t thread) {
  return h->last[thread] != NO_STEP ? h->last[thread] : h->forked[thread];
}

/* The thread, if it is there at the present end; or the one that makes it, or who makes that one. */
static uint32_t root_of(const struct strategy *s, uint32_t thread) {
  while (previous_of(&s->history, thread) == NO_STEP && thread != s->parents[thread]) thread = s->parents[thread];
  return thread;
}

/* The first node from `from` on where not all threads are to be explored yet: at those before it, no backtracking point is missing. */
static uint32_t first_open(const struct strategy *s, uint32_t from) {
  for (uint32_t i = from; i < s->nodes.count; i++) {
    struct tset left = s->nodes.data[i].enabled;
    tset_minus(&left, &s->nodes.data[i].backtrack);
    if (!tset_empty(&left)) return i;
  }
  return (uint32_t)s->nodes.count;
}

/* Operation `o` is taken somewhere behind the present end: reverses its races with the steps from `from` on. */
static void reverse_operation(struct strategy *s, const struct operation *o, uint32_t from) {
  struct history *h = &s->history;
  const struct event *e = o->ends ? NULL : &o->event;
  if (e && h->buffers && history_untouched(h, e, o->after, from)) return; /* without buffers looking at once is as quick */
  bool flush = e && e->op == EVENT_FLUSH;
  uint32_t issue = flush ? history_unflushed(h, e) : NO_STEP;
  uint32_t root = issue != NO_STEP ? e->thread : root_of(s, flush ? flush_thread(e) : o->event.thread);
  history_find_below(h, &(struct history_below){e, root, o->after, o->waits, issue, from});
  reverse_races(s, root, previous_of(h, root), from);
}

/* What `summary` says happens behind the present end: reverses its races. */
static void reverse_summary(struct strategy *s, uint32_t summary) {
  uint32_t from = first_open(s, 0);
  for (uint32_t k = summary_next(&s->summaries, summary, 0); k != UINT32_MAX; k = summary_next(&s->summaries, summary, k + 1))
    reverse_operation(s, &s->summaries.operations.data[k], from);
}

/* --- sleeping steps --- */

/* The sleepers that a new node inherits: those independent of the step that led to it. */
static void inherit(struct strategy *s, struct node *n, const struct execution *x) {
  n->first_sleeper = (uint32_t)s->sleepers.count, n->first_sleep_event = (uint32_t)s->sleep_events.count;
  if (s->nodes.count == 0) return;
  const struct node *parent = &vec_last(&s->nodes);
  if (parent->sleepers == 0) return;
  uint32_t from = x->depth > 1 ? x->ends[x->depth - 2] : 0, count = x->ends[x->depth - 1] - from;
  const struct event *last = &x->trace[x->ends[x->depth - 1] - 1];
  bool ended = count && last->op == EVENT_END; /* what the thread did since is below the sleepers, but not any more */
  const struct event *events = sections_complete(&s->sections, x->trace, from, &count);
  for (uint32_t i = 0; i < parent->sleepers; i++) {
    struct sleeper z = s->sleepers.data[parent->first_sleeper + i];
    if (history_wakes(&s->sleep_events.data[z.event], z.events, events, count)) continue;
    if (ended) z.below = summary_without(&s->summaries, z.below, last->thread);
    *vec_push(&s->sleepers) = z;
    n->sleepers++;
  }
}

/* The step of the deepest node has been explored completely: it sleeps from now on. */
static void put_to_sleep(struct strategy *s, uint32_t below) {
  const struct history *h = &s->history;
  const struct history_step *e = &vec_last(&h->steps);
  struct node *n = &vec_last(&s->nodes);
  uint32_t count = (uint32_t)h->events.count - e->first_event;
  uint32_t event = (uint32_t)s->sleep_events.count, here = (uint32_t)s->nodes.count - 1;
  *vec_push(&s->sleepers) = (struct sleeper){e->thread, e->choice, n->alternatives, event, count, here, here, vec_last(&s->made), below};
  memcpy(vec_push_n(&s->sleep_events, count), &h->events.data[e->first_event], count * sizeof(struct event));
  n->sleepers++;
}

/* Do all alternatives of the thread's step sleep? */
static bool asleep(const struct strategy *s, const struct node *n, uint32_t thread) {
  uint32_t found = 0, all = 1;
  for (uint32_t i = 0; i < n->sleepers; i++) {
    const struct sleeper *z = &s->sleepers.data[n->first_sleeper + i];
    if (z->thread == thread) found++, all = z->alternatives;
  }
  return found >= all;
}

/* The first alternative of the thread's step, from `choice` on, that does not sleep. Others that sleep are not taken again: each sleeps
 * once. */
static uint32_t awake_choice(const struct strategy *s, const struct node *n, uint32_t thread, uint32_t choice) {
  for (uint32_t i = 0; i < n->sleepers; i++) {
    const struct sleeper *z = &s->sleepers.data[n->first_sleeper + i];
    if (z->thread == thread && z->choice == choice) choice++, i = UINT32_MAX;
  }
  return choice;
}

/* The thread of a step with this first event, or the one whose store it flushes. */
static uint32_t family(const struct event *e) { return e->op == EVENT_FLUSH ? flush_thread(e) : e->thread; }

/* Has what happens before thread `t` goes on behind the present end changed with the steps from `from` on, which are by `moved`? */
static bool has_moved(const struct strategy *s, uint32_t t, uint32_t from, const struct tset *moved) {
  uint32_t root = root_of(s, t), forked = s->history.forked[t];
  return tset_has(moved, root) || (root == t && forked != NO_STEP && forked >= from);
}

/* Of the operations below a sleeping step, but for flushes, those that depend on step i, with that first event and own summary, by threads
 * not in `changed`: nothing that their threads do comes before them and behind it. Reverses these races. */
static void reverse_at(struct strategy *s, const struct sleeper *z, uint32_t i, const struct event *first, uint32_t made,
                       const struct tset *changed) {
  struct history *h = &s->history;
  struct tset threads = *summary_meets(&s->summaries, z->below, made, family(first));
  uint32_t begin = i < h->steps.count ? history_section(h, i) : i;
  tset_minus(&threads, changed);
  vec_clear(&h->enablers);
  for (uint32_t t = tset_next(&threads, 0); t < THREADS_MAX; t = tset_next(&threads, t + 1)) {
    uint32_t root = root_of(s, t), previous = previous_of(h, root);
    h->since = previous;
    add_backtrack(s, i, root, previous);
    if (begin != i && begin >= z->origin) add_backtrack(s, begin, root, previous);
  }
}

/* The operations below the sleeping step that depend on it, or on a step from `from` on, as far as they are among `which` (NULL: all):
 * reverses these races. All races of the threads in `changed` are to be found anew. */
static void reverse_all(struct strategy *s, const struct sleeper *z, uint32_t from, const struct tset *changed,
                        const struct operation_bits *which) {
  struct history *h = &s->history;
  struct operation_bits *affected = &s->affected;
  uint32_t depth = (uint32_t)h->steps.count;
  vec_clear(&affected->words);
  if (!which || which->words.count) {
    summary_add_ends(&s->summaries, affected);
    summary_add_dependent(&s->summaries, z->own, affected);
    for (uint32_t i = from; i < depth; i++) summary_add_dependent(&s->summaries, s->made.data[i], affected);
  }
  if (which) operation_bits_and(affected, which);
  for (uint32_t t = tset_next(changed, 0); t < THREADS_MAX; t = tset_next(changed, t + 1)) summary_add_thread(&s->summaries, t, affected);
  uint32_t k = summary_next_of(&s->summaries, z->below, 0, affected);
  if (k == UINT32_MAX) return;
  uint32_t anew = first_open(s, z->origin);
  from = from > anew ? from : anew;
  history_push(h, z->thread, z->choice, &s->sleep_events.data[z->event], z->events, &vec_last(&s->nodes).enabled, false);
  for (; k != UINT32_MAX; k = summary_next_of(&s->summaries, z->below, k + 1, affected)) {
    const struct operation *o = &s->summaries.operations.data[k];
    reverse_operation(s, o, tset_has(changed, operation_thread(o)) ? anew : from);
  }
  history_pop(h, depth);
}

/* The sleeping step was last explored, so to speak, at node z->looked: since then there are new steps, and that step comes behind them.
 * Races with all these are to be found for the operations that depend on them; all races anew for those of threads that have moved. The
 * others are known. Mostly there is one new step. */
static void explore_sleeper(struct strategy *s, struct sleeper *z) {
  struct history *h = &s->history;
  uint32_t depth = (uint32_t)h->steps.count, from = z->looked;
  const struct event *own = &s->sleep_events.data[z->event];
  struct tset moved = {0}, changed = {0};
  z->looked = depth;
  for (uint32_t i = from; i < depth; i++) tset_add(&moved, family(&h->events.data[h->steps.data[i].first_event]));
  if (s->summaries.flushes.words.count) tset_add(&moved, family(own)); /* it may be what its thread's next step waits for */
  for (uint32_t t = 0; t < s->summaries.by_thread.count; t++) {
    if (tset_has(&moved, t) || has_moved(s, t, from, &moved)) tset_add(&changed, t);
  }
  if (depth - from != 1) {
    reverse_all(s, z, from, &changed, NULL);
    return;
  }
  reverse_at(s, z, from, &h->events.data[h->steps.data[from].first_event], s->made.data[from], &changed);
  reverse_at(s, z, depth, own, z->own, &changed);
  reverse_all(s, z, from, &changed, &s->summaries.flushes);
}

/* Explores the sleeping steps of the thread from the deepest node without taking them: what is below them is below the closed states where
 * they were explored. Races with steps before those were found there. */
static void explore_asleep(struct strategy *s, uint32_t thread) {
  struct node *n = &vec_last(&s->nodes);
  for (uint32_t i = 0; i < n->sleepers; i++) {
    struct sleeper *z = &s->sleepers.data[n->first_sleeper + i];
    if (z->thread != thread) continue;
    explore_sleeper(s, z);
    n->summary = summary_union(&s->summaries, n->summary, z->below);
  }
}

/* --- going on --- */

/* Gives the deepest node its next thread to explore; false if it has none left. */
static bool next_thread(struct strategy *s) {
  struct node *n = &vec_last(&s->nodes);
  for (;;) {
    struct tset left = n->backtrack;
    tset_minus(&left, &n->done);
    uint32_t t = choose_left(s, n, &left);
    if (t == THREADS_MAX) return false;
    explore_asleep(s, t);
    if (!asleep(s, n, t)) {
      vec_last(&s->path.steps) = (struct step){.thread = t, .choice = awake_choice(s, n, t, 0)};
      n->alternatives = 0; /* known when the state is reached again */
      tell(s, n, t);
      return true;
    }
    tset_add(&n->done, t);
  }
}

static bool advance_node(struct strategy *s) {
  struct node *n = &vec_last(&s->nodes);
  struct step *step = &vec_last(&s->path.steps);
  step->choice = awake_choice(s, n, step->thread, step->choice + 1);
  if (step->choice < n->alternatives) return true;
  tset_add(&n->done, step->thread);
  return next_thread(s);
}

static void leave_node(struct strategy *s, uint32_t summary, bool open) {
  const struct node *n = &vec_last(&s->nodes);
  s->below = summary, s->below_open = open;
  s->sleepers.count = n->first_sleeper;
  s->sleep_events.count = n->first_sleep_event;
  s->nodes.count--, s->path.steps.count--;
}

/* Everything below the deepest node was explored. */
static void close_node(struct strategy *s) {
  const struct node *n = &vec_last(&s->nodes);
  if (!n->open) close_state(s, n);
  leave_node(s, n->summary, n->open);
}

/* The summary of a node's state if somebody else has closed that. If accesses were seen since the node's key was made, it may lack some:
 * that is not known. */
static uint32_t closed_since(struct strategy *s, const struct node *n) {
  const struct racers *r = &s->past.knowledge.racers;
  if (!s->view.commons || n->version != r->version) return NOT_VISITED;
  uint32_t summary = commons_find(&s->view, &s->summaries, n->key);
  return summary == NOT_VISITED || exchange(s) ? NOT_VISITED : summary;
}

/* Has somebody else closed the deepest node's state? Then it is as if the execution had been given up there. */
static bool closed_by_others(struct strategy *s) {
  uint32_t summary = closed_since(s, &vec_last(&s->nodes));
  if (summary == NOT_VISITED) return false;
  reverse_summary(s, summary);
  leave_node(s, summary, false);
  return true;
}

/* Summary of step i, the last one, and what follows it. */
static uint32_t behind_step(struct strategy *s, uint32_t i) {
  const struct history *h = &s->history;
  uint32_t from = h->steps.data[i].first_event, count = (uint32_t)h->events.count - from;
  return summary_union(&s->summaries, s->made.data[i], summary_before(&s->summaries, s->below, h->events.data + from, count));
}

/* Makes node i the deepest; its present step has not been taken yet, so to speak. */
static void go_back(struct strategy *s, uint32_t i) {
  const struct node *above = &s->nodes.data[i + 1];
  for (size_t k = i + 1; k < s->nodes.count; k++) leave(s, &s->nodes.data[k]);
  s->sleepers.count = above->first_sleeper, s->sleep_events.count = above->first_sleep_event;
  s->nodes.count = s->path.steps.count = i + 1;
  history_pop(&s->history, i);
  past_pop(&s->past, i);
  s->made.count = i;
}

/* Looks at the whole stack now and then. Others may have closed a state far down: then all that is above it need not be explored. And
 * where another worker explores the same thread, and there are others left, it is better to explore one of those: the further down that
 * is, the longer until the two meet again. True if there is a new step to take. */
static bool look_around(struct strategy *s) {
  if (!s->view.commons || s->executions % LOOK_EVERY) return false;
  for (uint32_t i = 0; i + 1 < s->nodes.count; i++) {
    struct node *n = &s->nodes.data[i];
    struct step *present = &s->path.steps.data[i];
    uint32_t summary = closed_since(s, n);
    if (summary != NOT_VISITED) {
      go_back(s, i);
      reverse_summary(s, summary);
      leave_node(s, summary, false);
      return false;
    }
    uint32_t other = choose_other(s, n, present->thread);
    if (other < THREADS_MAX && !asleep(s, n, other)) {
      go_back(s, i);
      *present = (struct step){.thread = other, .choice = awake_choice(s, n, other, 0)};
      n->alternatives = 0;
      n->ended = false;
      tell(s, n, other);
      return true;
    }
    tell(s, n, present->thread);
  }
  return false;
}

/* Will anything else be explored at the deepest node? */
static bool goes_on(const struct strategy *s, const struct node *n) {
  const struct step *present = &vec_last(&s->path.steps);
  struct tset left = n->backtrack;
  tset_minus(&left, &n->done);
  tset_remove(&left, present->thread);
  return !tset_empty(&left) || present->choice + 1 < n->alternatives;
}

static bool advance(struct strategy *s) {
  if (look_around(s)) return true;
  while (s->nodes.count > 0) {
    uint32_t i = (uint32_t)s->nodes.count - 1;
    struct node *n = &s->nodes.data[i];
    uint32_t below = behind_step(s, i);
    n->summary = summary_union(&s->summaries, n->summary, below);
    if (!n->ended && !s->below_open) put_to_sleep(s, below);
    n->ended = false;
    history_pop(&s->history, i);
    past_pop(&s->past, i);
    s->made.count = i;
    if (goes_on(s, n) && closed_by_others(s)) continue;
    if (advance_node(s)) return true;
    close_node(s);
  }
  return false;
}

/* --- memory --- */

static void each_summary(void *owner, summaries_visit *visit) {
  struct strategy *s = owner;
  for (size_t i = 0; i < s->nodes.count; i++) visit(&s->summaries, &s->nodes.data[i].summary);
  for (size_t i = 0; i < s->made.count; i++) visit(&s->summaries, &s->made.data[i]);
  for (size_t i = 0; i < s->sleepers.count; i++) visit(&s->summaries, &s->sleepers.data[i].own);
  for (size_t i = 0; i < s->sleepers.count; i++) visit(&s->summaries, &s->sleepers.data[i].below);
  for (size_t i = 0; i < s->visited.cap; i++) visit(&s->summaries, &s->visited.summaries[i]); /* free places have the empty one */
  visit(&s->summaries, &s->below);
}

/* Summaries have grown too large: those that no state has are thrown out, and all closed states are forgotten if these do not help. */
static void save_memory(struct strategy *s) {
  commons_view_sweep(&s->view);
  summaries_sweep(&s->summaries, each_summary, s);
  if (summaries_size(&s->summaries) <= s->most / 2) return;
  visited_clear(&s->visited);
  summaries_sweep(&s->summaries, each_summary, s);
}

static const struct schedule *maximal_next(struct strategy *s) {
  if (s->started && !advance(s)) return NULL;
  if (summaries_size(&s->summaries) > s->most) save_memory(s);
  s->resumed = s->started;
  s->started = true;
  s->past.knowledge.raced = s->past.news = s->sections.news = false;
  vec_clear(&s->past.knowledge.racers.fresh);
  s->prefix = s->path;
  if (s->resumed) s->prefix.steps.count--;
  return &s->prefix;
}

/* --- following an execution --- */

/* Was the thread parked in this step? */
static bool stops(const struct execution *x, uint32_t step) {
  uint32_t thread = x->steps[step].thread;
  if (!tset_has(execution_parked(x), thread)) return false;
  while (++step < x->depth && x->steps[step].thread != thread) continue;
  return step == x->depth;
}

/* Enters whom step i makes. */
static void note_children(struct strategy *s, const struct execution *x, uint32_t i) {
  for (uint32_t k = i ? x->ends[i - 1] : 0; k < x->ends[i]; k++) {
    if (x->trace[k].op == EVENT_FORK && x->trace[k].object < THREADS_MAX) s->parents[x->trace[k].object] = (uint8_t)x->steps[i].thread;
  }
}

/* Enters the steps that are not known yet and reverses their races. `ends`: the last one ended the execution for everybody. */
static void learn(struct strategy *s, const struct execution *x, bool ends) {
  static const struct event nothing = {.op = EVENT_NONE}; /* a step may end the execution before it does anything */
  struct history *h = &s->history;
  for (uint32_t i = (uint32_t)h->steps.count; i < x->depth; i++) {
    uint32_t from = i ? x->ends[i - 1] : 0, t = x->steps[i].thread, count = x->ends[i] - from, previous = previous_of(h, t);
    past_push(&s->past, t, x->trace, from, x->ends[i]);
    note_children(s, x, i);
    if (stops(x, i)) past_stop(&s->past, t);
    const struct event *events = count ? sections_complete(&s->sections, x->trace, from, &count) : NULL;
    struct event none = nothing;
    none.thread = t;
    if (!events) events = &none, count = 1;
    bool last = ends && i + 1 == x->depth;
    history_push(h, t, x->steps[i].choice, events, count, &s->nodes.data[i].enabled, false);
    reverse_races(s, t, previous, 0);
    if (last) { /* it comes behind all others, but what its thread would do next does not */
      history_find_below(h, &(struct history_below){.root = t});
      reverse_races(s, t, previous, 0);
    }
    *vec_push(&s->made) = summary_of_step(&s->summaries, events, count, last);
  }
}

/* The thread to begin with at a new node. One that sleeps costs nothing; else the running one, for few context switches. */
static uint32_t first_thread(const struct strategy *s, const struct node *n, const struct execution *x) {
  for (uint32_t i = 0; i < n->sleepers; i++) {
    uint32_t t = s->sleepers.data[n->first_sleeper + i].thread;
    if (tset_has(x->enabled, t) && asleep(s, n, t)) return t;
  }
  uint32_t t = x->depth > 0 ? x->steps[x->depth - 1].thread : 0;
  return tset_has(x->enabled, t) ? t : tset_next(x->enabled, 0);
}

/* Enters the agents that threads wait for. */
static void note_awaited(struct strategy *s, struct node *n, const struct execution *x) {
  if (execution_options(x)->memory == MEMORY_SC) return;
  for (uint32_t a = tset_next(x->enabled, AGENTS_FROM); a < THREADS_MAX; a = tset_next(x->enabled, a + 1)) {
    uint32_t owner = execution_owner(x, a);
    s->parents[a] = (uint8_t)owner;
    if (!tset_has(x->enabled, owner) && event_drains(execution_pending(x, owner))) tset_add(&n->awaited, a);
  }
}

static struct fingerprint key_of(struct strategy *s, const struct execution *x) {
  struct fingerprint key = execution_fingerprint(x), past;
  past = past_fingerprint(&s->past, x->alive);
  key.lo += past.lo + x->loops, key.hi += past.hi + x->loops;
  if (s->options.outcomes) key.lo += hash_mix(execution_output(x));
  return key;
}

/* The summary of the present state, a new node's, which gets its key; or NOT_VISITED. */
static uint32_t closed_here(struct strategy *s, const struct execution *x, struct node *n) {
  uint32_t summary;
  exchange(s);
  do {
    n->key = key_of(s, x), n->version = s->past.knowledge.racers.version;
    summary = closed_summary(s, n->key);
  } while (summary != NOT_VISITED && exchange(s)); /* there are accesses below that were not known when the key was made */
  return summary;
}

static enum pick maximal_pick(struct strategy *s, const struct execution *x, struct step *step) {
  if (!s->resumed) {
    learn(s, x, false);
    struct node n = {.enabled = *x->enabled, .since = s->executions};
    uint32_t summary = closed_here(s, x, &n);
    if (summary != NOT_VISITED) {
      s->below = summary, s->below_open = s->covered = false;
      return PICK_GIVE_UP;
    }
    note_awaited(s, &n, x);
    inherit(s, &n, x);
    uint32_t first = first_thread(s, &n, x);
    tset_add(&n.backtrack, first);
    if (!asleep(s, &n, first)) help(s, &n);
    *vec_push(&s->nodes) = n;
    *vec_push(&s->path.steps) = (struct step){0};
    if (!next_thread(s)) {
      close_node(s);
      s->covered = true;
      return PICK_GIVE_UP;
    }
  }
  struct node *n = &vec_last(&s->nodes);
  *step = vec_last(&s->path.steps);
  if (n->alternatives == 0) n->alternatives = execution_alternatives(x, step->thread);
  s->resumed = false;
  return x->depth % 4 == 0 ? PICK_RETURN : PICK_STEP;
}

/* The last step ended the execution for everybody: sees to what the others could have done instead, also of the section it is in. */
static void go_on_without(struct strategy *s, const struct execution *x) {
  uint32_t last = x->depth - 1, begin = history_section(&s->history, last);
  tset_union(&s->nodes.data[last].backtrack, &s->nodes.data[last].enabled);
  tset_union(&s->nodes.data[begin].backtrack, &s->nodes.data[begin].enabled);
  for (uint32_t i = begin; i <= last; i++) s->nodes.data[i].ended = true;
}

/* What the threads that are left would do next: they are blocked, or the execution ended. */
static void reverse_pending(struct strategy *s, const struct execution *x) {
  struct history *h = &s->history;
  for (uint32_t t = tset_next(x->alive, 0); t < THREADS_MAX; t = tset_next(x->alive, t + 1)) {
    const struct event *pending = execution_pending(x, t);
    if (pending->op == EVENT_NONE) continue; /* parked */
    s->below = summary_union(&s->summaries, s->below, summary_of_step(&s->summaries, pending, 1, false));
    history_blocked(h, pending);
    reverse_races(s, t, previous_of(h, t), 0);
  }
}

/* A thread that runs alone goes round in a circle: what is below its states is not known before the first of them is closed. That one can
 * be: whatever can be reached from the others is reached below it. */
static void leave_open(struct strategy *s, const struct execution *x) {
  uint32_t thread = x->steps[x->depth - 1].thread;
  for (uint32_t i = x->depth - 1; i > 0 && x->steps[i].thread == thread && x->steps[i - 1].thread == thread; i--)
    s->nodes.data[i].open = true;
  s->below_open = true;
}

static void maximal_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  s->executions++;
  learn(s, x, cut);
  exchange(s);
  if (given_up) {
    if (!s->covered) reverse_summary(s, s->below);
    return;
  }
  s->below = 0, s->below_open = false;
  if (x->depth == 0) return;
  if (cut) go_on_without(s, x);
  if (end == EXECUTION_CIRCLE) leave_open(s, x);
  reverse_pending(s, x);
}

static bool maximal_again(const struct strategy *s) { return s->sections.grown || s->past.grown; }

static bool maximal_suspects(const struct strategy *s) { return s->past.knowledge.raced; }

static bool maximal_bounded(const struct strategy *s) {
  (void)s;
  return false;
}

/* --- with others --- */

static void maximal_join(struct strategy *s, struct commons *commons, uint32_t worker, uint32_t workers) {
  const struct visited *v = &s->visited;
  s->view.commons = commons;
  s->worker = worker;
  s->most = states_memory(&s->options) / 2 / workers;
  s->past.unlike += (uint64_t)worker << 40; /* states that are like no other are unlike those of others, too */
  for (size_t i = 0; i < v->cap; i++) {
    if (v->keys[i].lo | v->keys[i].hi) commons_add(&s->view, &s->summaries, v->keys[i], v->summaries[i]);
  }
  visited_release(&s->visited);
  leave_stack(s);
}

static bool maximal_news(const struct strategy *s) { return s->past.news || s->sections.news; }

static void maximal_observe(struct strategy *s, const struct execution *x) {
  for (uint32_t i = 0; i < x->depth; i++) {
    uint32_t from = i ? x->ends[i - 1] : 0, count = x->ends[i] - from;
    past_push(&s->past, x->steps[i].thread, x->trace, from, x->ends[i]);
    if (count) sections_complete(&s->sections, x->trace, from, &count);
    note_children(s, x, i);
    if (stops(x, i)) past_stop(&s->past, x->steps[i].thread);
  }
  past_clear(&s->past);
  vec_clear(&s->past.knowledge.racers.fresh);
}

static unsigned maximal_counters(const struct strategy *s, struct strategy_counter *out) {
  const struct commons *c = s->view.commons;
  out[0] = (struct strategy_counter){.name = "states", .number = c ? commons_states(c) : s->visited.count};
  out[1] = (struct strategy_counter){.name = "forgotten", .number = c ? commons_forgotten(c) : s->visited.forgotten};
  return 2;
}

static double maximal_progress(const struct strategy *s) {
  struct tree_share p = {.width = 1};
  for (size_t i = 0; i < s->nodes.count; i++) {
    const struct node *n = &s->nodes.data[i];
    tree_share_descend(&p, tset_count(&n->backtrack), tset_count(&n->done), n->alternatives, s->path.steps.data[i].choice);
  }
  return p.done;
}

const struct strategy_type strategy_maximal = {
    .name = "maximal",
    .summary = "partial-order reduction that enters no state twice: exhaustive",
    .exhaustive = true,
    .in_common = true,
    .parks = true,
    .given_up = "led to a state already explored",
    .create = maximal_create,
    .destroy = maximal_destroy,
    .restart = maximal_restart,
    .next = maximal_next,
    .pick = maximal_pick,
    .done = maximal_done,
    .again = maximal_again,
    .suspects = maximal_suspects,
    .join = maximal_join,
    .news = maximal_news,
    .observe = maximal_observe,
    .bounded = maximal_bounded,
    .counters = maximal_counters,
    .progress = maximal_progress,
};

#include "cli/native/enact_steps.h"

#include <signal.h>
#include <string.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/hash.h"
#include "machine/machine.h"
#include "program/image.h"
#include "report/schedule_file.h"
#include "report/witness.h"
#include "trace/tset.h"

enum { STACK_MOST = 64, WORD_BYTES = 8, WORDS_MOST = 1 << 16 /* of one access */, PASSED_MOST = 256 };
/* A try-lock that fails is a step, too. */
#define SYNCHRONISATION (EVENTS_SYNCHRONISING | OP(TRYFAIL))

/* What happened, in the order in which it did, or became visible. */
struct item {
  uint32_t event; /* of the trace */
  uint32_t site;  /* of `w`; 0: at no place that is known */
  bool inside;    /* in a function of the library, which natively is one access of its kind, however long */
};

struct passed {
  uint32_t op, site, count;
};

/* What a thread has done. */
struct walker {
  uint32_t number; /* of `w`, + 1; 0: none yet */
  uint32_t emitted;
  bool ended;
  uint32_t call, ops;        /* place of the library's function that it is in, and what it has done there */
  VEC(struct passed) passed; /* since its last step, what was none */
};

/* A store in a buffer. */
struct waiting {
  uint32_t thread, index; /* its event's name */
  struct item item;
  uint32_t emitted; /* by its thread until then */
};

struct making {
  struct machine *m;
  const struct image *image;
  const struct witness *shown;
  struct enact_steps *out;
  struct diag *d;
  const struct event *trace;
  uint32_t count;
  VEC(struct item) items;
  VEC(struct waiting) waiting;
  VEC(uint64_t) objects;          /* of the steps */
  struct hashmap places;          /* number of each */
  struct hashmap flushes;         /* of stores, by their events' names: 1 + the item that makes it visible */
  struct hashmap owners, writers; /* of words: 1 + the thread, or SEVERAL; those that are written */
  struct walker walkers[THREADS_MAX];
  uint32_t failed; /* the thread that failed, or THREADS_MAX */
};
#define SEVERAL UINT64_MAX

void enact_steps_release(struct enact_steps *s) {
  witness_file_release(&s->w);
  vec_release(&s->goes_on);
  vec_release(&s->hangs);
  vec_release(&s->loose);
}

/* --- places --- */

static bool is_compiled(const struct image *image, uint32_t site) { return site < image->nsites && !place_is_model(image, site); }

/* The innermost place that is compiled with the program: operations of libraries are in the library's model. */
static struct place compiled_place(const struct image *image, const uint32_t *sites, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (is_compiled(image, sites[i])) return place_of_site(image, sites[i]);
  return place_of_site(image, UINT32_MAX);
}

static uint32_t number_of_place(struct making *k, const struct place *p) {
  struct witness_file *w = &k->out->w;
  const char *part = file_last_part(p->file);
  bool is_new = false;
  if (!p->line) return 0;
  uint64_t key = hash_pair(hash_bytes(part, strlen(part), 0), (uint64_t)p->line << 32 | p->column);
  uint64_t *at = hashmap_at(&k->places, key, w->sites.count + 1, &is_new);
  uint32_t number = (uint32_t)*at;
  if (!is_new) return number;
  uint32_t file = witness_file_add(w, p->file, strlen(p->file)), function = witness_file_add(w, p->function, strlen(p->function));
  *vec_push(&w->sites) = (struct witness_site){.number = number, .line = p->line, .column = p->column, .file = file, .function = function};
  return number;
}

static uint32_t place_before(struct making *k, uint32_t thread) {
  uint32_t sites[STACK_MOST], n = machine_stack(k->m, thread, sites, STACK_MOST);
  uint32_t at = machine_pending(k->m, thread)->site;
  if (is_compiled(k->image, at)) {
    struct place own = place_of_site(k->image, at);
    return number_of_place(k, &own);
  }
  struct place p = compiled_place(k->image, sites, n);
  return number_of_place(k, &p);
}

static void put_site(const struct making *k, uint32_t number, struct text *out) {
  const struct witness_site *s = witness_file_site(&k->out->w, number);
  if (!s) {
    text_puts(out, "an unknown place");
    return;
  }
  place_file_text(witness_file_string(&k->out->w, s->file), out), text_printf(out, ":%u:%u", s->line, s->column);
}

/* --- what happened --- */

/* Of memory, the first so many. */
struct words {
  uint64_t first, end;
};
static struct words words_of(const struct event *e) {
  uint64_t first = e->object / WORD_BYTES, end = (e->object + (e->size ? e->size - 1 : 0)) / WORD_BYTES + 1;
  return (struct words){first, end - first < WORDS_MOST ? end : first + WORDS_MOST};
}

static void note_words(struct making *k, const struct event *e) {
  if (!(EVENTS_ACCESSING >> e->op & 1)) return;
  struct words words = words_of(e);
  for (uint64_t word = words.first; word < words.end; word++) {
    uint64_t *owner = hashmap_at(&k->owners, word, e->thread + 1, NULL);
    if (*owner != e->thread + 1) *owner = SEVERAL;
    if (e->op != EVENT_READ) *hashmap_at(&k->writers, word, 1, NULL) = 1;
  }
}

static bool is_shared(const struct making *k, const struct event *e) {
  struct words words = words_of(e);
  for (uint64_t word = words.first; word < words.end; word++) {
    const uint64_t *owner = hashmap_find(&k->owners, word), *writer = hashmap_find(&k->writers, word);
    if (owner && *owner == SEVERAL && writer) return true;
  }
  return false;
}

/* Locks and counters that the library models have for themselves are no matter of a native run. */
static bool is_of_model(const struct image *image, uint64_t address) {
  uint32_t from = 0, to = image->nglobals;
  while (from < to) {
    uint32_t middle = (from + to) / 2;
    const struct image_global *g = &image->globals[middle];
    if (g->flags & GLOBAL_TLS || address >= g->address + g->size) /* those of threads are offsets, which come first */
      from = middle + 1;
    else if (address < g->address)
      to = middle;
    else
      return g->flags & GLOBAL_MODEL;
  }
  return false;
}

static bool is_step(const struct making *k, const struct event *e) {
  bool names_thread = e->op == EVENT_FORK || e->op == EVENT_JOIN;
  if (!names_thread && is_of_model(k->image, e->object)) return false;
  if (e->op == EVENT_JOIN && e->flags & EVENT_TIMED_OUT) return false;
  if (e->op == EVENT_FREE && e->flags & EVENT_LOCAL) return false;
  if (e->flags & EVENT_CLOCK && e->op == EVENT_RMW) return false;
  return SYNCHRONISATION >> e->op & 1 || (EVENTS_ACCESSING >> e->op & 1 && is_shared(k, e));
}

static void note(struct making *k, uint32_t from, uint32_t site) {
  uint32_t to;
  const struct event *trace = machine_trace(k->m, &to);
  for (uint32_t i = from; i < to; i++) {
    const struct event *e = &trace[i];
    note_words(k, e);
    if (e->op == EVENT_FLUSH) *hashmap_at(&k->flushes, e->value2, 0, NULL) = k->items.count + 1;
    if (e->op == EVENT_END && e->thread < THREADS_MAX) k->walkers[e->thread].ended = true;
    if (i > from && trace[from].op != EVENT_ATOMIC) continue; /* one native event stands for all of the step's */
    struct place own = place_of_site(k->image, e->site);
    bool inside = !is_compiled(k->image, e->site);
    *vec_push(&k->items) = (struct item){i, i > from && !inside ? number_of_place(k, &own) : site, inside};
  }
}

static bool chooses(const struct making *k, const struct event *e) { return e->op == EVENT_CHOICE && is_compiled(k->image, e->site); }

/* Runs the steps again. */
static enum err collect(struct making *k) {
  const struct schedule *made = &k->shown->replayer.made;
  machine_reset(k->m);
  for (size_t i = 0; i < made->steps.count; i++) {
    uint32_t from, thread = made->steps.data[i].thread;
    if (deadline_passed) return diag_set(k->d, ERR_INTERRUPTED, "there was no time left for that");
    if (thread >= THREADS_MAX || !tset_has(machine_enabled(k->m), thread))
      return diag_set(k->d, ERR_DIVERGED, "the schedule went another way when it was run again");
    if (chooses(k, machine_pending(k->m, thread))) {
      diag_hint(k->d, "heddle replay, without --native, shows it");
      return diag_set(k->d, ERR_UNSUPPORTED, "the program asks hd_choose() or hd_symbolic() what to do, which a native run does not know");
    }
    uint32_t site = machine_pending(k->m, thread)->op == EVENT_FLUSH ? 0 : place_before(k, thread);
    (void)machine_trace(k->m, &from);
    machine_step(k->m, thread, made->steps.data[i].choice);
    note(k, from, site);
  }
  k->trace = machine_trace(k->m, &k->count);
  return ERR_NONE;
}

/* --- steps --- */

static bool hangs(const struct finding *f, uint32_t thread) {
  for (size_t i = 0; i < f->sites.count; i++)
    if (f->sites.data[i].thread == thread && strncmp(f->sites.data[i].role, "wait", strlen("wait")) == 0) return true;
  return false;
}

static uint32_t number_of_thread(struct making *k, uint32_t thread) {
  struct walker *t = &k->walkers[thread];
  if (t->number) return t->number - 1;
  const char *name = machine_thread_name(k->m, thread);
  *vec_push(&k->out->w.threads) = witness_file_add(&k->out->w, name, strlen(name));
  *vec_push(&k->out->goes_on) = t->ended || thread == k->failed;
  *vec_push(&k->out->hangs) = hangs(&k->shown->finding, thread);
  t->number = (uint32_t)k->out->w.threads.count;
  return t->number - 1;
}

static struct passed *passed_of(struct walker *t, uint32_t op, uint32_t site) {
  for (size_t i = 0; i < t->passed.count; i++)
    if (t->passed.data[i].op == op && t->passed.data[i].site == site) return &t->passed.data[i];
  return NULL;
}

static struct witness_step step_of(struct making *k, const struct item *item) {
  const struct event *e = &k->trace[item->event];
  struct walker *t = &k->walkers[e->thread];
  const struct passed *before = passed_of(t, e->op, item->site);
  struct witness_step s = {.thread = number_of_thread(k, e->thread), .site = item->site, .op = e->op, .skip = before ? before->count : 0};
  if (SYNCHRONISATION >> e->op & 1) s.flags = e->flags & (EVENT_SHARED_LOCK | EVENT_TIMED_OUT);
  return s;
}

static void emit(struct making *k, const struct item *item) {
  struct walker *t = &k->walkers[k->trace[item->event].thread];
  const struct event *e = &k->trace[item->event];
  bool plain = EVENTS_ACCESSING >> e->op & 1 && e->order == ORDER_PLAIN; /* a compiler may have joined it with another one */
  *vec_push(&k->out->w.steps) = step_of(k, item);
  *vec_push(&k->out->loose) = plain;
  *vec_push(&k->objects) = e->object;
  vec_clear(&t->passed);
  t->emitted++;
}

static void pass(struct making *k, const struct item *item) {
  const struct event *e = &k->trace[item->event];
  struct walker *t = &k->walkers[e->thread];
  struct passed *p = passed_of(t, e->op, item->site);
  if (p)
    p->count++;
  else if (t->passed.count < PASSED_MOST)
    *vec_push(&t->passed) = (struct passed){e->op, item->site, 1};
}

/* The store takes its place where it becomes visible. */
static enum err flush(struct making *k, const struct event *flush) {
  for (size_t i = 0; i < k->waiting.count; i++) {
    struct waiting *s = &k->waiting.data[i];
    if (s->thread != flush_thread(flush) || s->index != flush_store(flush)) continue;
    struct item item = s->item;
    bool kept = k->walkers[s->thread].emitted != s->emitted;
    *s = vec_pop(&k->waiting);
    if (!kept) {
      emit(k, &item);
      return ERR_NONE;
    }
    struct text at = {0};
    put_site(k, item.site, &at);
    diag_set(k->d, ERR_UNSUPPORTED,
             "thread %s's store at %s waits in its buffer while the thread goes on: no native run can be told when that ends",
             machine_thread_name(k->m, flush_thread(flush)), text_str(&at));
    diag_hint(k->d, "heddle replay, without --native, shows it; --gdb, too, and `monitor buffers` what waits");
    text_release(&at);
    return ERR_UNSUPPORTED;
  }
  return ERR_NONE;
}

/* Does another thread use the memory while the store waits in its buffer? If not, it may as well be visible at once. */
static bool waiting_matters(const struct making *k, const struct item *item) {
  const struct event *store = &k->trace[item->event];
  const uint64_t *flush = hashmap_find(&k->flushes, flush_value2(store->thread, store->index));
  size_t end = flush ? (size_t)*flush - 1 : k->items.count;
  for (size_t i = (size_t)(item - k->items.data) + 1; i < end; i++) {
    const struct event *e = &k->trace[k->items.data[i].event];
    bool other = e->op == EVENT_FLUSH ? flush_thread(e) != store->thread : e->thread != store->thread;
    if (other && (EVENTS_ACCESSING >> e->op & 1 || e->op == EVENT_FLUSH) && event_overlaps(e, store)) return true;
  }
  return false;
}

/* Has the thread told of this already, in the function of the library that it is in? */
static bool is_told(struct making *k, const struct item *item) {
  const struct event *e = &k->trace[item->event];
  struct walker *t = &k->walkers[e->thread];
  bool inside = item->inside && EVENTS_ACCESSING >> e->op & 1;
  if (!inside || t->call != item->site) t->call = inside ? item->site : 0, t->ops = 0;
  bool told = t->ops >> e->op & 1;
  if (inside) t->ops |= 1u << e->op;
  return told;
}

static enum err take(struct making *k, const struct item *item) {
  const struct event *e = &k->trace[item->event];
  if (e->op == EVENT_FLUSH) return flush(k, e);
  if (is_told(k, item)) return ERR_NONE;
  if (!item->site || !is_step(k, e)) {
    if (item->site) pass(k, item);
    return ERR_NONE;
  }
  if (e->op == EVENT_WRITE && e->flags & EVENT_BUFFERED && waiting_matters(k, item))
    *vec_push(&k->waiting) = (struct waiting){e->thread, e->index, *item, k->walkers[e->thread].emitted};
  else
    emit(k, item);
  return ERR_NONE;
}

/* Where a lock is taken, and given back before its thread synchronises elsewhere, at one place, a function of the library has it for
 * itself, such as fprintf(), which natively has none that is watched; or it is a macro, which has. */
static void loosen_locks_inside(struct making *k) {
  const struct witness_file *w = &k->out->w;
  for (size_t i = 0; i < w->steps.count; i++) {
    const struct witness_step *s = &w->steps.data[i];
    if (s->op != EVENT_ACQUIRE) continue;
    for (size_t j = i + 1; j < w->steps.count; j++) {
      const struct witness_step *next = &w->steps.data[j];
      if (next->thread != s->thread || !(SYNCHRONISATION >> next->op & 1)) continue;
      if (next->op == EVENT_RELEASE && next->site == s->site && k->objects.data[j] == k->objects.data[i])
        k->out->loose.data[i] = k->out->loose.data[j] = 1;
      break;
    }
  }
}

/* --- a race: both threads stand before their accesses at the same time --- */

struct behind {
  struct hashmap written, touched; /* words of events that come behind the first access, and will not be done */
  struct tset threads;
};

static bool touches(struct behind *b, const struct event *e, bool note) {
  bool reader = (e->op == EVENT_ACQUIRE || e->op == EVENT_RELEASE) && e->flags & EVENT_SHARED_LOCK;
  bool writes = e->op != EVENT_READ && !reader, found = false;
  bool accesses = EVENTS_ACCESSING >> e->op & 1;
  struct words words = accesses ? words_of(e) : (struct words){e->object, e->object + 1};
  if (e->op == EVENT_FORK || e->op == EVENT_BEGIN || e->op == EVENT_JOIN || e->op == EVENT_END) {
    uint32_t other = e->op == EVENT_FORK ? (uint32_t)e->object : e->op == EVENT_JOIN ? (uint32_t)e->object : e->thread;
    if (note && e->op == EVENT_FORK && other < THREADS_MAX) tset_add(&b->threads, other);
    return e->op == EVENT_JOIN && other < THREADS_MAX && tset_has(&b->threads, other);
  }
  for (uint64_t word = words.first; word < words.end; word++) {
    uint64_t key = accesses ? word : hash_mix(word);
    if (hashmap_find(&b->written, key) || (writes && hashmap_find(&b->touched, key))) found = true;
    if (note) *hashmap_at(writes ? &b->written : &b->touched, key, 1, NULL) = 1;
  }
  return found;
}

/* All before the later access but what comes behind the earlier one: so both can be next. */
static bool stop_at_race(struct making *k, uint32_t first, uint32_t second) {
  struct behind b = {0};
  size_t n = 0;
  uint32_t last = k->trace[second].thread;
  bool well = true;
  tset_add(&b.threads, k->trace[first].thread);
  for (size_t i = 0; i < k->items.count && k->items.data[i].event < second; i++) {
    const struct event *e = &k->trace[k->items.data[i].event];
    bool later = e->op == EVENT_FLUSH ? tset_has(&b.threads, flush_thread(e)) : tset_has(&b.threads, e->thread);
    if (k->items.data[i].event >= first && (later || (e->op != EVENT_FLUSH && touches(&b, e, false)))) {
      if (k->items.data[i].event > first) touches(&b, e, true); /* the first access itself is what races */
      if (e->op != EVENT_FLUSH) tset_add(&b.threads, e->thread);
      well &= e->thread != last;
    } else {
      k->items.data[n++] = k->items.data[i];
    }
  }
  k->items.count = n;
  hashmap_release(&b.written), hashmap_release(&b.touched);
  return well;
}

static const struct item *item_of(const struct making *k, uint32_t event) {
  for (size_t i = 0; i < k->items.count; i++)
    if (k->items.data[i].event == event) return &k->items.data[i];
  return NULL;
}

static enum err no_race(struct making *k, const char *why) {
  diag_hint(k->d, "heddle replay, without --native, shows it");
  return diag_set(k->d, ERR_UNSUPPORTED, "the two accesses cannot be told to wait for each other in a native run: %s", why);
}

static enum err take_all(struct making *k) {
  enum err e = ERR_NONE;
  for (size_t i = 0; !e && i < k->items.count; i++) e = take(k, &k->items.data[i]);
  return e;
}

static enum err make_race(struct making *k) {
  const struct finding *f = &k->shown->finding;
  uint32_t a = f->sites.count > 1 ? f->sites.data[0].event : UINT32_MAX, b = f->sites.count > 1 ? f->sites.data[1].event : UINT32_MAX;
  uint32_t first = a < b ? a : b, second = a < b ? b : a;
  const struct item *one = item_of(k, first), *other = second < k->count ? item_of(k, second) : NULL;
  if (!one || !other || !one->site || !other->site) return no_race(k, "they are in a library, or at no line that is known");
  struct item ends[] = {*one, *other};
  k->out->by_kind = true;
  if (!stop_at_race(k, first, second)) return no_race(k, "what one of them depends on comes behind the other one");
  enum err e = take_all(k);
  for (unsigned i = 0; !e && i < 2; i++) {
    struct witness_step s = step_of(k, &ends[i]);
    *vec_push(&k->out->w.ends) = s;
  }
  return e;
}

/* --- other findings --- */

static struct enact_ending ending_of(enum finding_kind kind) {
  static const struct enact_ending endings[FINDING_COUNT] = {
      [FINDING_ASSERTION] = {.how = ENACT_SIGNAL, .signal = SIGABRT},
      [FINDING_ABORT] = {.how = ENACT_SIGNAL, .signal = SIGABRT},
      [FINDING_UNCAUGHT_EXCEPTION] = {.how = ENACT_SIGNAL, .signal = SIGABRT},
      [FINDING_NULL_DEREFERENCE] = {.how = ENACT_SIGNAL, .signal = SIGSEGV},
      [FINDING_DIVISION_BY_ZERO] = {.how = ENACT_SIGNAL, .signal = SIGFPE},
      [FINDING_USE_AFTER_FREE] = {.how = ENACT_ANY_SIGNAL},
      [FINDING_OUT_OF_BOUNDS] = {.how = ENACT_ANY_SIGNAL},
      [FINDING_DOUBLE_FREE] = {.how = ENACT_ANY_SIGNAL},
      [FINDING_BAD_FREE] = {.how = ENACT_ANY_SIGNAL},
      [FINDING_THREAD_MISUSE] = {.how = ENACT_ANY_SIGNAL},
      [FINDING_EXIT_CODE] = {.how = ENACT_EXIT},
      [FINDING_DEADLOCK] = {.how = ENACT_HANGS},
      [FINDING_LOST_WAKEUP] = {.how = ENACT_HANGS},
      [FINDING_LIVELOCK] = {.how = ENACT_TURNS},
  };
  return kind < FINDING_COUNT ? endings[kind] : endings[FINDING_LEAK];
}

/* Does one of those that wait turn in a loop, or could it go on, and would change nothing? */
static bool turns(const struct making *k) {
  for (size_t i = 0; i < k->shown->finding.sites.count; i++) {
    uint32_t thread = k->shown->finding.sites.data[i].thread;
    if (!hangs(&k->shown->finding, thread) || !tset_has(machine_alive(k->m), thread)) continue;
    const struct event *e = machine_pending(k->m, thread);
    if (tset_has(machine_enabled(k->m), thread) || e->op == EVENT_AWAIT || e->op == EVENT_NONE ||
        ((e->op == EVENT_READ || e->op == EVENT_RMW) && e->flags & EVENT_WAITS))
      return true;
  }
  return false;
}

static uint32_t failed_thread(const struct finding *f, const struct enact_ending *ending) {
  if (ending->how == ENACT_HANGS || ending->how == ENACT_TURNS || ending->how == ENACT_UNSEEN) return THREADS_MAX;
  return f->sites.count ? f->sites.data[0].thread : 0;
}

enum err enact_steps_make(struct machine *m, const struct image *image, const struct witness *shown, struct enact_steps *out,
                          struct diag *d) {
  struct making *k = mem_alloc(sizeof *k);
  *k = (struct making){.m = m, .image = image, .shown = shown, .out = out, .d = d};
  bool race = shown->finding.kind == FINDING_DATA_RACE;
  out->ending = ending_of(shown->finding.kind);
  k->failed = race ? THREADS_MAX : failed_thread(&shown->finding, &out->ending);
  enum err e = collect(k);
  if (!e && out->ending.how == ENACT_HANGS && turns(k)) out->ending.how = ENACT_TURNS;
  if (!e) e = race ? make_race(k) : take_all(k);
  if (!e) loosen_locks_inside(k);
  if (!e && k->failed < THREADS_MAX) number_of_thread(k, k->failed);
  for (size_t i = 0; !e && !race && i < shown->finding.sites.count; i++) number_of_thread(k, shown->finding.sites.data[i].thread);
  if (!e && out->w.steps.count > WITNESS_STEPS_MOST)
    e = diag_set(d, ERR_UNSUPPORTED, "the schedule has %zu steps, and a native run can be told %u", out->w.steps.count, WITNESS_STEPS_MOST);
  out->ending.goes_on = out->goes_on.data, out->ending.hangs = out->hangs.data;
  vec_release(&k->items);
  vec_release(&k->waiting);
  vec_release(&k->objects);
  hashmap_release(&k->flushes), hashmap_release(&k->places), hashmap_release(&k->owners), hashmap_release(&k->writers);
  for (uint32_t i = 0; i < THREADS_MAX; i++) vec_release(&k->walkers[i].passed);
  mem_free(k, sizeof *k);
  return e;
}

/* Do equal fingerprints (machine_state()) have equal continuations? Random C programs run under random schedules. Where one comes to a
 * state that another has come to on another way, both are taken again, and from there on the same random continuation, step by step: the
 * same threads must be enabled, with as many alternatives each, the same events must follow, the fingerprints must stay equal; and so must
 * the end, what is found and what is written.
 *
 * usage: states [--memory=sc|tso|pso] [--features=LIST] [--programs=N] [--seed=N]
 *
 * A thread that may be in a spinning loop begins to wait sooner or later according to what it saw on its way, which is no part of the state
 * (state.c): where one waits and its twin does not, the comparison ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "batch.h"
#include "trace/schedule.h"

#define BATCH       100u
#define SCHEDULES   40u /* of a program */
#define COMPARISONS 30u
#define LONGEST     400u

struct moment {
  struct tset enabled;
  struct fingerprint state;
  uint64_t events, alternatives; /* hashes: of what the step before made; of enabled threads' */
  bool waits;                    /* some thread waits for a change */
};

struct way {
  struct schedule schedule;
};

struct place {
  uint32_t way, depth;
};

struct ending {
  enum machine_status status;
  int exit_code;
  struct text finding, output;
};

struct test {
  struct machine *m;
  uint64_t random;
  VEC(struct way) ways;
  VEC(struct place) places;
  struct hashmap known; /* state.lo -> place */
  VEC(struct moment) moments;
  struct schedule continuation;
};

static struct totals { uint64_t programs, compared, steps, spun, wrong; } totals;

static uint32_t below(struct test *t, uint32_t n) {
  t->random = hash_mix(t->random);
  return (uint32_t)((t->random >> 20) % n);
}

static uint64_t hash_of_events(const struct machine *m, uint32_t from) {
  uint32_t n;
  uint64_t h = 1;
  const struct event *trace = machine_trace(m, &n);
  for (const struct event *e = trace + from; e < trace + n; e++) {
    uint64_t what = e->op | (uint64_t)e->order << 8 | (uint64_t)e->flags << 16 | (uint64_t)e->choice << 24 | (uint64_t)e->thread << 32;
    uint64_t value2 = e->op == EVENT_FLUSH ? flush_thread(e) : e->value2; /* the store's index is a name */
    /* Whether somebody failed to take the lock decides only how soon a loop waits (machine/spin.c). */
    uint64_t value = e->op == EVENT_RELEASE || e->op == EVENT_WAIT_ENTER ? 0 : e->value;
    h = hash_pair(hash_pair(hash_pair(h, what), hash_pair(e->site, e->object)), hash_pair(hash_pair(e->size, value), value2));
  }
  return h;
}

static struct moment look(struct machine *m, uint32_t from) {
  struct moment x = {.enabled = *machine_enabled(m), .state = machine_state(m), .events = hash_of_events(m, from)};
  for (uint32_t t = tset_next(&x.enabled, 0); t < THREADS_MAX; t = tset_next(&x.enabled, t + 1))
    x.alternatives = hash_pair(x.alternatives, machine_alternatives(m, t));
  const struct tset *alive = machine_alive(m);
  for (uint32_t t = tset_next(alive, 0); t < THREADS_MAX; t = tset_next(alive, t + 1)) {
    const struct event *e = machine_pending(m, t);
    x.waits |= e->op == EVENT_AWAIT || (e->flags & EVENT_WAITS);
  }
  return x;
}

static uint32_t length(const struct machine *m) {
  uint32_t n;
  machine_trace(m, &n);
  return n;
}

/* Of the enabled ones, the running one more often. */
static struct step random_step(struct test *t, uint32_t running) {
  const struct tset *enabled = machine_enabled(t->m);
  uint32_t pick = below(t, tset_count(enabled)), thread = tset_next(enabled, 0);
  while (pick-- > 0) thread = tset_next(enabled, thread + 1);
  if (running < THREADS_MAX && tset_has(enabled, running) && below(t, 2)) thread = running;
  return (struct step){thread, below(t, machine_alternatives(t->m, thread))};
}

static void follow(struct test *t, struct place p) {
  machine_reset(t->m);
  for (uint32_t i = 0; i < p.depth; i++) {
    struct step s = t->ways.data[p.way].schedule.steps.data[i];
    machine_step(t->m, s.thread, s.choice);
  }
}

/* Of a deadlock, who waits: which signal was lost on the way is no part of the state (states/past.h). */
static void describe(const struct finding *f, struct text *out) {
  bool deadlock = f->kind == FINDING_DEADLOCK || f->kind == FINDING_LOST_WAKEUP;
  text_printf(out, "%s: %s", deadlock ? "deadlock" : finding_kind_text(f->kind), deadlock ? "" : text_str(&f->message));
  for (size_t i = 0; i < f->sites.count && !(deadlock && i); i++)
    text_printf(out, " %u@%u", f->sites.data[i].thread, f->sites.data[i].site);
}

static struct ending ending_of(struct machine *m, size_t written) {
  struct ending x = {.status = machine_status(m), .exit_code = machine_status(m) == MACHINE_DONE ? machine_exit_code(m) : 0};
  const struct text *output = machine_output(m, 1);
  text_append(&x.output, text_str(output) + written, output->count - written);
  if (x.status == MACHINE_FAILED) describe(machine_finding(m), &x.finding);
  return x;
}

static void ending_release(struct ending *x) {
  text_release(&x->finding);
  text_release(&x->output);
}

/* From the first place on, at random, taking note. */
static struct ending go_on(struct test *t, struct place from) {
  follow(t, from);
  size_t written = machine_output(t->m, 1)->count;
  uint32_t running = THREADS_MAX;
  vec_clear(&t->moments);
  vec_clear(&t->continuation.steps);
  while (machine_status(t->m) == MACHINE_RUNNING && t->moments.count < LONGEST) {
    uint32_t n = length(t->m);
    struct step s = random_step(t, running);
    running = s.thread;
    *vec_push(&t->continuation.steps) = s;
    machine_step(t->m, s.thread, s.choice);
    *vec_push(&t->moments) = look(t->m, n);
  }
  return ending_of(t->m, written);
}

static bool equal(const struct moment *a, const struct moment *b, const char **what) {
  if (a->events != b->events)
    *what = "other events follow";
  else if (memcmp(&a->enabled, &b->enabled, sizeof a->enabled) != 0)
    *what = "other threads are enabled";
  else if (a->alternatives != b->alternatives)
    *what = "threads have other alternatives";
  else if (!fingerprint_equal(a->state, b->state))
    *what = "the states are no longer equal";
  else
    return true;
  return false;
}

/* From the second place on, the same. Returns what is different, or NULL; `*spun`: a thread waited that did not before, or the reverse. */
static const char *go_on_again(struct test *t, struct place from, const struct ending *first, bool *spun) {
  const char *what = NULL;
  follow(t, from);
  size_t written = machine_output(t->m, 1)->count;
  for (size_t i = 0; i < t->moments.count; i++) {
    uint32_t n = length(t->m);
    struct step s = t->continuation.steps.data[i];
    machine_step(t->m, s.thread, s.choice);
    struct moment now = look(t->m, n);
    totals.steps++;
    if (equal(&t->moments.data[i], &now, &what)) continue;
    *spun = now.waits || t->moments.data[i].waits;
    return what;
  }
  struct ending second = ending_of(t->m, written);
  if (first->status != second.status || first->exit_code != second.exit_code) what = "they end otherwise";
  if (strcmp(text_str(&first->finding), text_str(&second.finding)) != 0) what = "other findings";
  if (first->output.count != second.output.count || strcmp(text_str(&first->output), text_str(&second.output)) != 0) what = "other output";
  if (what && machine_status(t->m) == MACHINE_FAILED) fprintf(stderr, "%s\n%s\n", text_str(&first->finding), text_str(&second.finding));
  ending_release(&second);
  return what;
}

static bool same_way(const struct test *t, struct place a, struct place b) {
  const struct step *x = t->ways.data[a.way].schedule.steps.data, *y = t->ways.data[b.way].schedule.steps.data;
  return a.depth == b.depth && memcmp(x, y, a.depth * sizeof *x) == 0;
}

static void print_way(const struct test *t, struct place p) {
  for (uint32_t i = 0; i < p.depth; i++) fprintf(stderr, " %u", t->ways.data[p.way].schedule.steps.data[i].thread);
  fprintf(stderr, "\n");
}

static void compare(struct test *t, uint64_t seed, unsigned index, struct place a, struct place b) {
  struct ending first = go_on(t, a);
  bool spun = false;
  const char *what = go_on_again(t, b, &first, &spun);
  totals.compared++;
  totals.spun += spun;
  ending_release(&first);
  if (!what || spun) return;
  totals.wrong++;
  fprintf(stderr, "program %llu,%u: %s\n", (unsigned long long)seed, index, what);
  print_way(t, a);
  print_way(t, b);
}

static void forget(struct test *t) {
  for (size_t i = 0; i < t->ways.count; i++) vec_release(&t->ways.data[i].schedule.steps);
  vec_clear(&t->ways);
  vec_clear(&t->places);
  hashmap_clear(&t->known);
}

/* A random schedule; into `pairs` where it comes to a known state. */
static void wander(struct test *t, struct place pairs[][2], unsigned *npairs) {
  uint32_t way = (uint32_t)t->ways.count, running = THREADS_MAX;
  *vec_push(&t->ways) = (struct way){0};
  machine_reset(t->m);
  for (uint32_t depth = 0; machine_status(t->m) == MACHINE_RUNNING && depth < LONGEST; depth++) {
    bool is_new;
    uint64_t place = *hashmap_at(&t->known, machine_state(t->m).lo, t->places.count, &is_new);
    struct place here = {way, depth};
    if (is_new) {
      *vec_push(&t->places) = here;
    } else if (*npairs < COMPARISONS && below(t, 4) == 0 && !same_way(t, t->places.data[place], here)) {
      pairs[*npairs][0] = t->places.data[place], pairs[*npairs][1] = here;
      ++*npairs;
    }
    struct step s = random_step(t, running);
    running = s.thread;
    *vec_push(&t->ways.data[way].schedule.steps) = s;
    machine_step(t->m, s.thread, s.choice);
  }
}

static void test_program(const struct image *image, uint64_t seed, unsigned index, enum machine_memory memory) {
  struct place pairs[COMPARISONS][2];
  unsigned npairs = 0;
  struct test t = {.m = batch_machine(image, index, memory, false), .random = seed * BATCH + index};
  if (!t.m) exit(1);
  totals.programs++;
  for (unsigned i = 0; i < SCHEDULES; i++) {
    wander(&t, pairs, &npairs);
    if (machine_sharing_changed(t.m)) forget(&t), npairs = 0; /* other steps are visible */
  }
  for (unsigned i = 0; i < npairs && !machine_sharing_changed(t.m); i++) compare(&t, seed, index, pairs[i][0], pairs[i][1]);
  forget(&t);
  vec_release(&t.ways);
  vec_release(&t.places);
  vec_release(&t.moments);
  vec_release(&t.continuation.steps);
  hashmap_release(&t.known);
  machine_free(t.m);
}

int main(int argc, char **argv) {
  uint64_t programs = 1000, seed = 1;
  unsigned features = 0;
  enum machine_memory memory = MEMORY_SC;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--memory=", 9) == 0 && batch_memory(argv[i] + 9, &memory)) continue;
    if (strncmp(argv[i], "--features=", 11) == 0 && generate_features(argv[i] + 11, &features)) continue;
    if (sscanf(argv[i], "--programs=%lu", &programs) == 1 || sscanf(argv[i], "--seed=%lu", &seed) == 1) continue;
    fprintf(stderr, "usage: %s [--memory=sc|tso|pso] [--features=LIST] [--programs=N] [--seed=N]\n", argv[0]);
    return 2;
  }
  for (; totals.programs < programs; seed++) {
    struct image image;
    uint64_t left = programs - totals.programs;
    unsigned count = left < BATCH ? (unsigned)left : BATCH;
    if (!batch_open(&image, seed, count, features | (memory == MEMORY_SC ? 0 : GENERATE_STORES))) return 1;
    for (unsigned i = 0; i < count; i++) test_program(&image, seed, i, memory);
    image_close(&image);
  }
  printf("%llu programs, %llu pairs of ways to one state, %llu steps compared; %llu spun, %llu differences\n",
         (unsigned long long)totals.programs, (unsigned long long)totals.compared, (unsigned long long)totals.steps,
         (unsigned long long)totals.spun, (unsigned long long)totals.wrong);
  return totals.wrong || totals.compared < 4 * totals.programs || totals.spun * 5 > totals.compared;
}

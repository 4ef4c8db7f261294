/* A debugger's way through an execution (debug/course.h) against the execution itself: random programs, with a random schedule each.
 *
 * What is true is what the machine tells when the execution is run once, watched from its beginning to its end: which thread executes which
 * instruction, in which order, and what is in a global variable before each. Then the course is gone
 *
 *   by steps of the present thread, forwards, and of random threads backwards;
 *   from breakpoint to breakpoint at a random instruction, both ways;
 *   from change to change of a random variable (under SC), both ways,
 *
 * and has to stop at just the positions that follow from that list.
 *
 * usage: course [--memory=sc|tso|pso] [--programs=N] [--seed=N] [--features=NAMES] */
#include "debug/course.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "batch.h"

enum { PROGRAMS_PER_IMAGE = 50, STEPS_MOST = 400, POSITIONS_MOST = 5000 /* each step back goes through a machine's step */, ROUNDS = 3 };

struct position {
  uint64_t telling, value; /* value: of the variable, before the instruction */
  uint32_t thread, code;
};

/* What is to be found, by telling; and what is asked for next. */
struct journey {
  const struct course *c;
  enum course_way way;
  VEC(uint64_t) stops;
  VEC(uint32_t) steppers; /* COURSE_STEP_BACK: of which thread each step is; else empty */
  size_t at;
  uint64_t last; /* the first stop of all: where it begins */
  bool started, wrong;
};

static struct totals {
  uint64_t programs, skipped, positions, stops, wrong;
} totals;

static uint64_t random_state;
static uint32_t pick(uint32_t n) { return (uint32_t)(hash_mix(++random_state) % n); }

/* --- the reference --- */

struct telling {
  uint64_t value;
  uint32_t thread, code;
  size_t step;
  bool first; /* of its thread in the step */
};

struct reference {
  struct machine *m;
  uint64_t address;
  size_t step;
  VEC(struct telling) tellings;
  VEC(struct position) positions;
  VEC(struct step) taken;
};

static uint64_t value_now(const struct reference *r) {
  uint64_t value = 0;
  (void)machine_peek(r->m, r->address, 4, &value);
  return value;
}

static void hear(void *context, uint32_t thread) {
  struct reference *r = context;
  uint32_t function = 0, code = 0;
  if (!machine_frame(r->m, thread, 0, &function, &code)) abort();
  bool first = true;
  for (size_t i = r->tellings.count; first && i-- > 0 && r->tellings.data[i].step == r->step;) first = r->tellings.data[i].thread != thread;
  *vec_push(&r->tellings) = (struct telling){value_now(r), thread, code, r->step, first};
}

/* Is the thread told of the same instruction again, as the first thing in a later step? */
static bool repeats(const struct reference *r, size_t i) {
  const struct telling *t = &r->tellings.data[i];
  for (size_t k = i; t->first && k-- > 0;)
    if (r->tellings.data[k].thread == t->thread) return r->tellings.data[k].code == t->code;
  return false;
}

/* A telling is no position if the instruction has done nothing then: it is told of again, or the thread still stands there at the end. What
 * is told of again does something, if not all. */
static bool waited(const struct reference *r, size_t i) {
  const struct telling *t = &r->tellings.data[i];
  if (repeats(r, i)) return false;
  for (size_t k = i + 1; k < r->tellings.count; k++)
    if (r->tellings.data[k].thread == t->thread) return r->tellings.data[k].step != t->step && repeats(r, k);
  uint32_t function, code;
  return machine_status(r->m) == MACHINE_RUNNING && tset_has(machine_alive(r->m), t->thread) &&
         machine_frame(r->m, t->thread, 0, &function, &code) && code == t->code;
}

static void run_reference(struct reference *r, const struct schedule *s) {
  const struct machine_watch watch = {hear, r};
  vec_clear(&r->tellings), vec_clear(&r->positions);
  machine_reset(r->m);
  for (r->step = 0; r->step < s->steps.count; r->step++)
    machine_step_watched(r->m, s->steps.data[r->step].thread, s->steps.data[r->step].choice, &watch);
  for (size_t i = 0; i < r->tellings.count; i++) {
    const struct telling *t = &r->tellings.data[i];
    if (!waited(r, i)) *vec_push(&r->positions) = (struct position){i, t->value, t->thread, t->code};
  }
}

/* Some execution. False: what is shared was not known. */
static bool make_schedule(struct machine *m, struct schedule *s) {
  for (int round = 0; round < 20; round++) {
    vec_clear(&s->steps);
    machine_reset(m);
    while (machine_status(m) == MACHINE_RUNNING && s->steps.count < STEPS_MOST) {
      const struct tset *enabled = machine_enabled(m);
      uint32_t n = 0, t;
      for (t = tset_next(enabled, 0); t < THREADS_MAX; t = tset_next(enabled, t + 1)) n++;
      uint32_t chosen = pick(n);
      for (t = tset_next(enabled, 0); chosen > 0; chosen--) t = tset_next(enabled, t + 1);
      struct step step = {t, pick(machine_alternatives(m, t))};
      schedule_add(s, &step, 1);
      machine_step(m, step.thread, step.choice);
    }
    if (!machine_sharing_changed(m)) return machine_status(m) != MACHINE_LIMIT && machine_status(m) != MACHINE_UNSUPPORTED;
  }
  return false;
}

/* --- journeys --- */

static struct course_request on_the_way(void *context, const struct course_stop *stop) {
  struct journey *j = context;
  const struct course *c = j->c;
  struct course_request quit = {.way = COURSE_QUIT};
  if (j->started) {
    bool ends = stop->reason == COURSE_END || stop->reason == COURSE_BEGIN;
    uint64_t wanted = j->at < j->stops.count ? j->stops.data[j->at] : UINT64_MAX;
    bool good = j->at < j->stops.count ? c->at == wanted : ends;
    if (!good && c->at == j->last && !ends) good = false;
    totals.stops++;
    if (!good) {
      printf("stop %zu of %zu: at %llu (reason %d, thread %u) instead of %llu\n", j->at, j->stops.count, (unsigned long long)c->at,
             (int)stop->reason, stop->thread, (unsigned long long)wanted);
      j->wrong = true;
      return quit;
    }
    if (ends && j->at >= j->stops.count) return quit;
    j->at++;
  }
  j->started = true, j->last = c->at;
  struct course_request r = {j->way, c->thread};
  if (j->way == COURSE_STEP_BACK) {
    if (j->at >= j->steppers.count) return quit;
    r.thread = j->steppers.data[j->at];
  }
  return r;
}

static bool never(void *context) {
  (void)context;
  return false;
}

/* Backwards: it is sent to the end first, without what it stops at. */
struct start {
  struct journey *j;
  struct course *c;
  bool there;
  uint32_t code;
  uint64_t address;
  bool breaks, watches;
};

static struct course_request from_the_end(void *context, const struct course_stop *stop) {
  struct start *s = context;
  if (!s->there && stop->reason != COURSE_END) return (struct course_request){COURSE_GO, THREADS_MAX};
  if (!s->there) {
    if (s->breaks) course_break(s->c, s->code, true);
    if (s->watches) (void)course_watch(s->c, s->address, 4, true);
  }
  s->there = true;
  return on_the_way(s->j, stop);
}

static bool travel(struct course *c, struct journey *j, struct start *start) {
  c->quit = false;
  if (start) {
    c->serve = from_the_end, c->context = start;
  } else {
    c->serve = on_the_way, c->context = j;
  }
  c->interrupted = never;
  course_run(c);
  bool good = !j->wrong;
  vec_release(&j->stops);
  vec_release(&j->steppers);
  return good;
}

static bool steps_forwards(struct course *c, const struct reference *r) {
  struct journey j = {.c = c, .way = COURSE_STEP};
  for (size_t i = 1; i < r->positions.count; i++) *vec_push(&j.stops) = r->positions.data[i].telling;
  if (!c->leaves_none) *vec_push(&j.stops) = c->end;
  return travel(c, &j, NULL);
}

static bool steps_backwards(struct course *c, const struct reference *r) {
  struct journey j = {.c = c, .way = COURSE_STEP_BACK};
  struct start start = {.j = &j, .c = c};
  size_t i = c->leaves_none ? r->positions.count - 1 : r->positions.count;
  while (i > 0) {
    size_t k = i - 1;
    if (pick(2)) /* another thread: over what others did */
      for (uint32_t back = pick(6); back > 0 && k > 0; back--) k--;
    uint32_t thread = r->positions.data[k].thread;
    while (i - 1 > k && r->positions.data[i - 1].thread != thread) i--;
    i--;
    *vec_push(&j.stops) = r->positions.data[i].telling;
    *vec_push(&j.steppers) = thread;
  }
  return travel(c, &j, &start);
}

static bool breakpoints(struct course *c, const struct reference *r) {
  uint32_t code = r->positions.data[pick((uint32_t)r->positions.count)].code;
  struct journey there = {.c = c, .way = COURSE_GO}, back = {.c = c, .way = COURSE_BACK};
  for (size_t i = 1; i < r->positions.count; i++)
    if (r->positions.data[i].code == code) *vec_push(&there.stops) = r->positions.data[i].telling;
  size_t last = c->leaves_none ? r->positions.count - 1 : r->positions.count;
  for (size_t i = last; i-- > 0;)
    if (r->positions.data[i].code == code) *vec_push(&back.stops) = r->positions.data[i].telling;
  course_break(c, code, true);
  bool good = travel(c, &there, NULL);
  course_break(c, code, false);
  struct start start = {.j = &back, .c = c, .breaks = true, .code = code};
  good = travel(c, &back, &start) && good;
  course_break(c, code, false);
  return good;
}

static bool watchpoints(struct course *c, struct reference *r) {
  struct journey there = {.c = c, .way = COURSE_GO}, back = {.c = c, .way = COURSE_BACK};
  uint64_t at_end = value_now(r);
  size_t last = c->leaves_none ? r->positions.count - 1 : r->positions.count;
  for (size_t i = 0; i < last; i++) {
    uint64_t next = i + 1 < r->positions.count ? r->positions.data[i + 1].value : at_end;
    if (next == r->positions.data[i].value) continue;
    *vec_push(&there.stops) = i + 1 < r->positions.count ? r->positions.data[i + 1].telling : c->end;
  }
  for (size_t i = last; i-- > 0;) {
    uint64_t next = i + 1 < r->positions.count ? r->positions.data[i + 1].value : at_end;
    if (next != r->positions.data[i].value) *vec_push(&back.stops) = r->positions.data[i].telling;
  }
  (void)course_watch(c, r->address, 4, true);
  bool good = travel(c, &there, NULL);
  (void)course_watch(c, r->address, 4, false);
  struct start start = {.j = &back, .c = c, .watches = true, .address = r->address};
  good = travel(c, &back, &start) && good;
  (void)course_watch(c, r->address, 4, false);
  return good;
}

/* --- programs --- */

static uint64_t some_variable(const struct image *image) {
  for (int i = 0; i < 100; i++) {
    const struct image_global *g = &image->globals[pick(image->nglobals)];
    if (!(g->flags & (GLOBAL_CONST | GLOBAL_TLS | GLOBAL_MODEL | GLOBAL_MISSING)) && g->size >= 4) return g->address;
  }
  return image->globals[0].address;
}

static bool go_through(const struct code_map *map, struct machine *m, bool sc) {
  struct schedule s = {0};
  struct reference r = {.m = m};
  struct course c;
  bool good = true;
  if (!make_schedule(m, &s)) {
    totals.skipped++;
    vec_release(&s.steps);
    return true;
  }
  for (int round = 0; round < ROUNDS && good; round++) {
    r.address = some_variable(map->image);
    run_reference(&r, &s);
    if (r.positions.count == 0 || r.positions.count > POSITIONS_MOST) {
      totals.skipped++;
      break;
    }
    totals.positions += r.positions.count;
    good = course_open(&c, m, map, &s);
    if (!good) printf("the schedule cannot be taken twice\n");
    run_reference(&r, &s);
    if (good) good = steps_forwards(&c, &r) && steps_backwards(&c, &r) && breakpoints(&c, &r);
    run_reference(&r, &s); /* value_now() is that of the end */
    if (good && sc) good = watchpoints(&c, &r);
    course_close(&c);
  }
  vec_release(&s.steps);
  vec_release(&r.tellings);
  vec_release(&r.positions);
  return good;
}

/* Addresses of code as good as any. */
static void make_map(struct code_map *map, const struct image *image) {
  *map = (struct code_map){.image = image};
  map->first = mem_alloc((image->nfunctions + 1) * sizeof *map->first);
  for (uint32_t i = 0; i < image->nfunctions; i++) text_putc(&map->results, 0);
  for (uint32_t i = 0; i <= image->nfunctions; i++) map->first[i] = 0x140000000000u + (uint64_t)i * 0x100000;
}

int main(int argc, char **argv) {
  uint64_t seed = 1, programs = 100;
  enum machine_memory memory = MEMORY_SC;
  unsigned features = 0;
  const char *list = "classic";
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--programs=", 11) == 0)
      programs = strtoull(argv[i] + 11, NULL, 10);
    else if (strncmp(argv[i], "--seed=", 7) == 0)
      seed = strtoull(argv[i] + 7, NULL, 10);
    else if (strncmp(argv[i], "--features=", 11) == 0)
      list = argv[i] + 11;
    else if (strncmp(argv[i], "--memory=", 9) != 0 || !batch_memory(argv[i] + 9, &memory))
      return fprintf(stderr, "course: unknown option %s\n", argv[i]), 2;
  }
  if (!generate_features(list, &features)) return 2;
  for (uint64_t done = 0; done < programs; seed++) {
    struct image image;
    struct code_map map;
    if (!batch_open(&image, seed, PROGRAMS_PER_IMAGE, features)) return 2;
    make_map(&map, &image);
    for (unsigned i = 0; i < PROGRAMS_PER_IMAGE && done < programs; i++, done++) {
      struct machine *m = batch_machine(&image, i, memory, false);
      if (!m) return 2;
      random_state = hash_pair(seed, i);
      totals.programs++;
      if (!go_through(&map, m, memory == MEMORY_SC)) {
        totals.wrong++;
        printf("--seed=%llu, program %u\n", (unsigned long long)seed, i);
      }
      machine_free(m);
    }
    code_map_close(&map);
    image_close(&image);
  }
  printf("%llu programs, %llu positions, %llu stops; %llu programs left out; %llu wrong\n", (unsigned long long)totals.programs,
         (unsigned long long)totals.positions, (unsigned long long)totals.stops, (unsigned long long)totals.skipped,
         (unsigned long long)totals.wrong);
  return totals.wrong != 0;
}

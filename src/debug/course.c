#include "debug/course.h"

#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "program/image.h"
#include "program/lower/data/debug_file.h"

/* So many positions lie between two looks whether somebody wants a stop. */
#define LOOK_EVERY 4096u

/* --- learning it --- */

/* What is known of a thread's last telling. */
struct last_telling {
  uint64_t number;
  uint32_t code;
  bool repeats; /* the one before it: that instruction had to wait for this step */
};

struct learner {
  struct course *c;
  struct tset known, heard; /* threads that were told of, and those in this step */
  struct last_telling last[THREADS_MAX];
};

/* The thread is told of an instruction. Of one that had to wait for its step it is told again: the first time was none. */
static void learn(void *context, uint32_t thread) {
  struct learner *l = context;
  struct last_telling now = {.number = l->c->told++}, *last = &l->last[thread];
  uint32_t function;
  (void)machine_frame(l->c->m, thread, 0, &function, &now.code);
  now.repeats = tset_has(&l->known, thread) && !tset_has(&l->heard, thread) && last->code == now.code;
  if (now.repeats && !last->repeats) *vec_push(&l->c->waits) = last->number;
  *last = now, l->c->last = thread;
  tset_add(&l->known, thread), tset_add(&l->heard, thread);
}

static int compare_numbers(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* What threads stand before at the end was not executed. */
static void learn_end(struct learner *l) {
  const struct machine *m = l->c->m;
  uint32_t function, code;
  for (uint32_t t = tset_next(&l->known, 0); t < THREADS_MAX; t = tset_next(&l->known, t + 1)) {
    bool stands = machine_status(m) == MACHINE_RUNNING && tset_has(machine_alive(m), t) && machine_frame(m, t, 0, &function, &code);
    if (stands && code == l->last[t].code && !l->last[t].repeats) *vec_push(&l->c->waits) = l->last[t].number;
  }
  if (l->c->waits.count) qsort(l->c->waits.data, l->c->waits.count, sizeof *l->c->waits.data, compare_numbers);
}

static void find_ends(struct course *c) {
  size_t wait = 0;
  uint64_t last = UINT64_MAX;
  c->begin = c->told;
  for (uint64_t i = 0; i < c->told; i++) {
    if (wait < c->waits.count && c->waits.data[wait] == i) {
      wait++;
      continue;
    }
    if (last == UINT64_MAX) c->begin = i;
    last = i;
  }
  const struct tset *alive = machine_alive(c->m);
  c->leaves_none = last != UINT64_MAX && tset_empty(alive);
  c->end = c->leaves_none ? last : c->told;
  if (machine_status(c->m) == MACHINE_FAILED && machine_finding(c->m)->sites.count) c->last = machine_finding(c->m)->sites.data[0].thread;
  if (!c->leaves_none && !tset_has(alive, c->last)) c->last = tset_next(alive, 0);
}

bool course_open(struct course *c, struct machine *m, const struct code_map *map, const struct schedule *steps) {
  *c = (struct course){.m = m, .frames = {m, map}, .stepper = THREADS_MAX};
  schedule_add(&c->steps, steps->steps.data, steps->steps.count);
  struct learner l = {.c = c};
  const struct machine_watch watch = {learn, &l};
  machine_reset(m);
  for (size_t i = 0; i < c->steps.steps.count; i++) {
    struct step s = c->steps.steps.data[i];
    if (machine_status(m) != MACHINE_RUNNING || !tset_has(machine_enabled(m), s.thread)) return false;
    *vec_push(&c->first) = c->told;
    l.heard = (struct tset){0};
    machine_step_watched(m, s.thread, s.choice, &watch);
  }
  *vec_push(&c->first) = c->told;
  learn_end(&l);
  find_ends(c);
  return true;
}

void course_close(struct course *c) {
  vec_release(&c->steps.steps);
  vec_release(&c->first);
  vec_release(&c->waits);
  vec_release(&c->breakpoints);
  vec_release(&c->watches);
}

/* --- breakpoints and watchpoints --- */

void course_break(struct course *c, uint32_t code, bool set) {
  if (set) {
    *vec_push(&c->breakpoints) = code;
    return;
  }
  for (size_t i = 0; i < c->breakpoints.count; i++) {
    if (c->breakpoints.data[i] != code) continue;
    c->breakpoints.data[i] = vec_last(&c->breakpoints);
    c->breakpoints.count--;
    return;
  }
}

static bool breaks(const struct course *c) {
  uint32_t function, code;
  if (c->breakpoints.count == 0 || !machine_frame(c->m, c->thread, 0, &function, &code)) return false;
  for (size_t i = 0; i < c->breakpoints.count; i++)
    if (c->breakpoints.data[i] == code) return true;
  return false;
}

/* What the memory holds now, to `bytes`; false: it cannot be read. */
static bool look(const struct course *c, const struct course_watch *w, uint8_t *bytes) {
  if (machine_read(c->m, w->address, w->size, bytes)) return true;
  for (uint64_t i = 0; i < w->size; i++)
    if (!frames_read(&c->frames, w->address + i, &bytes[i])) return false;
  return true;
}

/* Does the memory differ from what it was when it was looked at last? */
static bool differs(const struct course *c, struct course_watch *w) {
  uint8_t now[WATCH_MOST] = {0};
  bool unreadable = !look(c, w, now);
  bool changed = unreadable != w->unreadable || (!unreadable && memcmp(now, w->bytes, w->size) != 0);
  memcpy(w->bytes, now, sizeof now);
  w->unreadable = unreadable;
  return changed;
}

static void look_at_all(struct course *c, bool note) {
  for (size_t i = 0; i < c->watches.count; i++) {
    struct course_watch *w = &c->watches.data[i];
    if (!differs(c, w) || !note || c->changed) continue;
    c->changed = true, c->changed_at = c->at;
    c->change = (struct course_stop){COURSE_WATCHPOINT, c->thread, w->address};
  }
}

bool course_watch(struct course *c, uint64_t address, uint64_t size, bool set) {
  if (size == 0 || size > WATCH_MOST) return false;
  for (size_t i = 0; !set && i < c->watches.count; i++) {
    if (c->watches.data[i].address != address || c->watches.data[i].size != size) continue;
    c->watches.data[i] = vec_last(&c->watches);
    c->watches.count--;
    return true;
  }
  if (!set) return true;
  struct course_watch w = {.address = address, .size = size};
  (void)differs(c, &w);
  *vec_push(&c->watches) = w;
  return true;
}

/* --- going --- */

static void seek(struct course *c, uint64_t goal, struct course_stop stop) {
  c->mode = COURSE_SEEKS, c->goal = goal, c->stop = stop, c->again = true;
}

static void scan(struct course *c, uint32_t stepper) {
  c->mode = COURSE_SCANS, c->goal = c->at, c->stepper = stepper, c->found = false, c->again = true;
  c->from = c->step, c->span = 1;
}

/* The scan has come to where it was started: back to the best position, or further. */
static void end_scan(struct course *c) {
  if (c->found) {
    seek(c, c->best, c->stop);
  } else if (c->from == 0) {
    seek(c, c->begin, (struct course_stop){.reason = COURSE_BEGIN});
  } else {
    c->from -= c->span < c->from ? c->span : c->from;
    c->span *= 2, c->again = true;
  }
}

/* The first of `waits` that is not before this telling. */
static size_t wait_from(const struct course *c, uint64_t telling) {
  size_t low = 0, high = c->waits.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (c->waits.data[middle] < telling)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The last position before this telling; the first one if there is none. */
static uint64_t position_before(const struct course *c, uint64_t telling) {
  size_t wait = wait_from(c, telling);
  while (telling > c->begin) {
    telling--;
    if (wait == 0 || c->waits.data[wait - 1] != telling) return telling;
    wait--;
  }
  return c->begin;
}

/* Stops, as often as the user does not want to leave. */
static void stop(struct course *c, struct course_stop why) {
  for (;;) {
    c->changed = false;
    struct course_request r = c->serve(c->context, &why);
    bool back = r.way == COURSE_BACK || r.way == COURSE_STEP_BACK;
    if (r.way == COURSE_QUIT) {
      c->quit = c->again = true;
      return;
    }
    if (back && c->at == c->begin) {
      why = (struct course_stop){.reason = COURSE_BEGIN, .thread = c->thread};
      continue;
    }
    if (back) {
      scan(c, r.way == COURSE_STEP_BACK ? r.thread : THREADS_MAX);
      return;
    }
    if (c->at == c->end) {
      why = (struct course_stop){.reason = COURSE_END, .thread = c->thread};
      continue;
    }
    c->mode = COURSE_RUNS, c->stepper = r.way == COURSE_STEP ? r.thread : THREADS_MAX, c->stepped = false;
    if (r.way == COURSE_STEP || why.thread == c->thread || !breaks(c)) return;
    why = (struct course_stop){.reason = COURSE_BREAKPOINT, .thread = c->thread}; /* another thread has come to it, and was not told */
  }
}

static void consider(struct course *c, uint64_t at, struct course_stop stop) { c->found = true, c->best = at, c->stop = stop; }

static bool wants_stop(const struct course *c) { return c->at % LOOK_EVERY == 0 && c->interrupted(c->context); }

static void scan_here(struct course *c) {
  if (c->changed && c->stepper == THREADS_MAX) consider(c, c->changed_at, c->change);
  c->changed = false;
  if (c->at == c->goal)
    end_scan(c);
  else if (wants_stop(c))
    seek(c, c->goal, (struct course_stop){.reason = COURSE_INTERRUPTED}); /* where it was */
  else if (c->stepper == c->thread)
    consider(c, c->at, (struct course_stop){.reason = COURSE_STEPPED, .thread = c->thread});
  else if (c->stepper == THREADS_MAX && breaks(c))
    consider(c, c->at, (struct course_stop){.reason = COURSE_BREAKPOINT, .thread = c->thread});
}

static void run_here(struct course *c) {
  if (c->changed)
    stop(c, c->change);
  else if (c->stepped)
    stop(c, (struct course_stop){.reason = COURSE_STEPPED, .thread = c->stepper});
  else if (breaks(c))
    stop(c, (struct course_stop){.reason = COURSE_BREAKPOINT, .thread = c->thread});
  else if (c->at == c->end)
    stop(c, (struct course_stop){.reason = COURSE_END, .thread = c->thread});
  else if (wants_stop(c))
    stop(c, (struct course_stop){.reason = COURSE_INTERRUPTED, .thread = c->thread});
}

static void stop_where_sent(struct course *c) {
  bool anybody = c->stop.reason == COURSE_ARRIVED || c->stop.reason == COURSE_BEGIN || c->stop.reason == COURSE_INTERRUPTED;
  if (anybody) c->stop.thread = c->thread;
  stop(c, c->stop);
}

static void arrive(struct course *c) {
  if (c->mode == COURSE_SEEKS && c->at == c->goal) {
    stop_where_sent(c);
  } else if (c->mode == COURSE_SCANS) {
    scan_here(c);
  } else if (c->mode == COURSE_RUNS) {
    run_here(c);
  }
  if (c->mode == COURSE_RUNS && c->stepper == c->thread) c->stepped = true; /* it goes on */
}

/* The thread stands before an instruction, which has to `wait` for its step or not. */
static void follow_return(struct course *c, uint32_t thread, bool wait) {
  struct course_return *r = &c->returns[thread];
  uint32_t function, code;
  if (r->executes)
    r->executes = false, r->behind = true;
  else if (!r->waits)
    r->behind = false;
  r->waits = wait;
  if (wait || !machine_frame(c->m, thread, 0, &function, &code)) return;
  const union insn *insn = &machine_image(c->m)->code[code];
  r->executes = insn->op == OP_RET;
  if (!r->executes) return;
  r->results = (uint8_t)c->frames.map->results.data[function];
  for (uint32_t i = 0; i < 2 && i < insn->b; i++)
    if (!machine_slot(c->m, thread, 0, insn->a + i, &r->value[i])) r->results = RESULT_NONE;
}

struct frame_registers course_registers(const struct course *c, uint32_t thread) {
  struct frame_registers registers = frames_registers(&c->frames, thread);
  const struct course_return *r = &c->returns[thread];
  registers.results = r->behind ? r->results : RESULT_NONE;
  memcpy(registers.result, r->value, sizeof r->value);
  return registers;
}

static void hear(void *context, uint32_t thread) {
  struct course *c = context;
  uint64_t telling = c->told++;
  if (c->again) return; /* the step is only taken to its end */
  if (c->mode == COURSE_SEEKS && telling != c->goal) return;
  if (c->mode == COURSE_SEEKS) c->wait = wait_from(c, telling), c->fresh = true;
  look_at_all(c, !c->fresh);
  c->fresh = false;
  bool wait = c->wait < c->waits.count && c->waits.data[c->wait] == telling;
  follow_return(c, thread, wait);
  if (wait) {
    c->wait++;
    return;
  }
  c->at = telling, c->thread = thread;
  arrive(c);
}

static void rewind_all(struct course *c) {
  machine_reset(c->m);
  c->again = c->changed = c->stepped = false, c->fresh = true;
  c->step = 0, c->told = 0, c->wait = 0, c->at = 0, c->thread = c->last;
  memset(c->returns, 0, sizeof c->returns);
}

static void take_step(struct course *c) {
  const struct machine_watch watch = {hear, c};
  struct step s = c->steps.steps.data[c->step];
  bool buffered = machine_options(c->m)->memory != MEMORY_SC, flush = machine_owner(c->m, s.thread) != s.thread;
  bool passes = c->mode == COURSE_SEEKS ? c->goal >= c->first.data[c->step + 1] : c->mode == COURSE_SCANS && c->step < c->from;
  if (buffered && !flush) c->fresh = true; /* memory is as this thread sees it */
  if (buffered && flush && !passes) look_at_all(c, false);
  if (!passes) c->wait = wait_from(c, c->told);
  if (passes)
    machine_step(c->m, s.thread, s.choice);
  else
    machine_step_watched(c->m, s.thread, s.choice, &watch);
  if (c->again) return;
  c->step++;
  c->told = c->first.data[c->step];
  if (passes)
    c->fresh = true, c->at = position_before(c, c->told);
  else if (!buffered || flush)
    look_at_all(c, !c->fresh || flush);
}

/* All steps are taken. */
static void at_end(struct course *c) {
  c->at = c->end, c->thread = c->last;
  if (c->mode == COURSE_SCANS)
    scan_here(c);
  else if (c->mode == COURSE_SEEKS)
    stop_where_sent(c);
  else
    stop(c, c->changed ? c->change : (struct course_stop){.reason = COURSE_END, .thread = c->thread});
}

void course_run(struct course *c) {
  seek(c, c->begin, (struct course_stop){.reason = COURSE_ARRIVED});
  while (!c->quit) {
    if (c->again) rewind_all(c);
    if (c->step == c->steps.steps.count)
      at_end(c);
    else
      take_step(c);
  }
}

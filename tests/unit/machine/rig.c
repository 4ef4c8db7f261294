#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/schedule.h"

static void run_command(const char *format, const char *a, const char *b) {
  char command[2048];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(command, sizeof command, format, a, b);
#pragma GCC diagnostic pop
  if (system(command) != 0) fail_msg("command failed: %s", command);
}

static void write_source(const char *path, const char *source) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_true(fputs(source, f) >= 0);
  assert_int_equal(fclose(f), 0);
}

/* What a failed test left open: a test ends by a jump out of the middle. */
static struct rig left_open;

void rig_open(struct rig *r, const char *source, const struct machine_options *options) {
  if (left_open.machine) rig_close(&left_open);
  char folder[] = "/tmp/heddle-rig-XXXXXX", c[64], bc[64], image[64];
  struct machine_options none = {0};
  struct diag d = {0};
  assert_non_null(mkdtemp(folder));
  snprintf(c, sizeof c, "%s/program.c", folder);
  snprintf(bc, sizeof bc, "%s/program.bc", folder);
  snprintf(image, sizeof image, "%s/program.hdi", folder);
  write_source(c, source);
  run_command(CLANG " -std=gnu17 -O0 -Xclang -disable-O0-optnone -g -w -emit-llvm -c %s -o %s", c, bc);
  run_command(HEDDLE_LOAD " " MODELS " -o %s %s", image, bc); /* those of waits with a time, which are no builtins */
  if (image_open(&r->image, image, &d) != ERR_NONE) fail_msg("%s", text_str(&d.message));
  if (machine_new(&r->machine, &r->image, options ? options : &none, &d) != ERR_NONE) fail_msg("%s", text_str(&d.message));
  unlink(c), unlink(bc), unlink(image), rmdir(folder);
  left_open = *r;
}

void rig_close(struct rig *r) {
  machine_free(r->machine);
  image_close(&r->image);
  left_open = (struct rig){0};
}

/* --- all schedules --- */

struct branch {
  struct step taken;
  uint32_t alternatives; /* of taken.thread */
};

struct path {
  VEC(struct branch) steps;
};

/* The first step from a state: least enabled thread from `from` on. False if there is none. */
static bool first_step(struct rig *r, uint32_t from, struct branch *b) {
  uint32_t t = tset_next(machine_enabled(r->machine), from);
  if (t == THREADS_MAX) return false;
  *b = (struct branch){.taken = {.thread = t}, .alternatives = machine_alternatives(r->machine, t)};
  return true;
}

static void take(struct rig *r, struct step step) {
  assert_true(tset_has(machine_enabled(r->machine), step.thread));
  machine_step(r->machine, step.thread, step.choice);
}

/* Turns to the next path in the order of a depth-first search; false after the last. */
static bool next_path(struct rig *r, struct path *p) {
  while (p->steps.count) {
    struct branch *last = &vec_last(&p->steps);
    if (++last->taken.choice < last->alternatives) return true;
    machine_reset(r->machine);
    for (size_t i = 0; i + 1 < p->steps.count; i++) take(r, p->steps.data[i].taken);
    if (first_step(r, last->taken.thread + 1, last)) return true;
    p->steps.count--;
  }
  return false;
}

static void note_outcome(struct rig *r, struct outcomes *o) {
  enum machine_status status = machine_status(r->machine);
  o->executions++;
  o->status[status]++;
  if (status == MACHINE_DONE) o->exit_codes |= 1ull << (machine_exit_code(r->machine) & 63);
  if (status == MACHINE_UNSUPPORTED) fail_msg("%s", text_str(&machine_diag(r->machine)->message));
  if (status != MACHINE_FAILED) return;
  const struct finding *f = machine_finding(r->machine);
  if (o->findings[f->kind]++ == 0) text_puts(&o->messages[f->kind], text_str(&f->message));
}

/* Runs the execution that starts with the steps of `p`, and adds to it the steps that it takes from there. */
static void run_path(struct rig *r, struct path *p) {
  machine_reset(r->machine);
  for (size_t i = 0; i < p->steps.count; i++) take(r, p->steps.data[i].taken);
  while (machine_status(r->machine) == MACHINE_RUNNING) {
    struct branch b;
    assert_true(first_step(r, 0, &b)); /* running means that somebody is enabled */
    *vec_push(&p->steps) = b;
    take(r, b.taken);
  }
}

struct outcomes rig_explore(struct rig *r, uint32_t limit) {
  struct outcomes o = {0};
  struct path p = {0};
  bool again;
  do {
    run_path(r, &p);
    again = machine_sharing_changed(r->machine);
    if (again) { /* more is visible from now on: begin anew */
      outcomes_release(&o);
      o = (struct outcomes){0};
      vec_clear(&p.steps);
      continue;
    }
    note_outcome(r, &o);
    if (o.executions > limit) fail_msg("more than %u executions", limit);
  } while (again || next_path(r, &p));
  vec_release(&p.steps);
  return o;
}

void outcomes_release(struct outcomes *o) {
  for (unsigned k = 0; k < FINDING_COUNT; k++) text_release(&o->messages[k]);
}

#define MOST_EXECUTIONS 200000

void expect_codes(const char *source, uint64_t codes) {
  struct rig r;
  rig_open(&r, source, NULL);
  struct outcomes o = rig_explore(&r, MOST_EXECUTIONS);
  for (unsigned k = 0; k < FINDING_COUNT; k++)
    if (o.findings[k]) fail_msg("unexpected %s: %s", finding_kind_text((enum finding_kind)k), text_str(&o.messages[k]));
  assert_int_equal(o.executions, o.status[MACHINE_DONE] + o.status[MACHINE_ASSUMED]);
  assert_int_equal(o.exit_codes, codes);
  outcomes_release(&o);
  rig_close(&r);
}

static void expect(const char *source, enum finding_kind kind, const char *text, bool always) {
  struct rig r;
  rig_open(&r, source, NULL);
  struct outcomes o = rig_explore(&r, MOST_EXECUTIONS);
  for (unsigned k = 0; k < FINDING_COUNT; k++)
    if (o.findings[k] && k != kind) fail_msg("unexpected %s: %s", finding_kind_text((enum finding_kind)k), text_str(&o.messages[k]));
  if (!o.findings[kind]) fail_msg("no %s in %u executions", finding_kind_text(kind), o.executions);
  if (!strstr(text_str(&o.messages[kind]), text)) fail_msg("\"%s\" does not say \"%s\"", text_str(&o.messages[kind]), text);
  if (always) assert_int_equal(o.findings[kind], o.executions);
  outcomes_release(&o);
  rig_close(&r);
}

void expect_finding(const char *source, enum finding_kind kind, const char *text) { expect(source, kind, text, false); }
void expect_only_finding(const char *source, enum finding_kind kind, const char *text) { expect(source, kind, text, true); }

/* --- by hand --- */

static uint32_t tid_of(struct rig *r, const char *thread) {
  uint32_t t = machine_thread_find(r->machine, thread);
  if (t == THREADS_MAX) fail_msg("there is no thread %s", thread);
  return t;
}

void rig_step(struct rig *r, const char *thread, uint32_t choice) {
  if (!rig_is_enabled(r, thread)) fail_msg("thread %s is not enabled", thread);
  assert_true(choice < machine_alternatives(r->machine, tid_of(r, thread)));
  machine_step(r->machine, tid_of(r, thread), choice);
}

void rig_run_to(struct rig *r, const char *thread, enum event_op op) {
  for (unsigned i = 0; rig_pending(r, thread) != op; i++) {
    if (i > 1000) fail_msg("thread %s does not get to %s", thread, event_op_text(op));
    rig_step(r, thread, 0);
  }
}

bool rig_is_enabled(struct rig *r, const char *thread) { return tset_has(machine_enabled(r->machine), tid_of(r, thread)); }
enum event_op rig_pending(struct rig *r, const char *thread) { return (enum event_op)machine_pending(r->machine, tid_of(r, thread))->op; }

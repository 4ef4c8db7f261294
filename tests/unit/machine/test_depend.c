/* What events depend on, as the machine sees it: one function of a thread for each way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "machine/interpret/depend.h"
#include "rig.h"
#include "trace/schedule.h"

/* All of these are shared: the other thread, which runs first, touches them. */
#define SHARED                                                         \
  HEAD "#include <stdlib.h>\n#include <string.h>\n"                    \
       "int z, a[4]; struct pair { long first, second; } s;\n" THREAD( \
           "g") "{ x = 1; y = 1; z = 1; a[1] = 1; s.first = 1; s.second = 2; return 0; }\n"

static struct step next_step(struct machine *m) {
  const struct tset *enabled = machine_enabled(m);
  if (tset_has(enabled, 0) && machine_pending(m, 0)->op == EVENT_FORK) return (struct step){0};
  for (uint32_t t = THREADS_MAX; t-- > 1;)
    if (tset_has(enabled, t)) return (struct step){.thread = t};
  return (struct step){0};
}

static bool has(const uint32_t *list, uint32_t n, uint32_t x) {
  for (uint32_t i = 0; i < n; i++)
    if (list[i] == x) return true;
  return false;
}

/* Appends the reads of the list, which are numbered as in `reads`. */
static void put_reads(char *out, const uint32_t *reads, uint32_t n, const uint32_t *list, uint32_t count) {
  for (uint32_t i = 0; i < n; i++)
    if (has(list, count, reads[i])) sprintf(out + strlen(out), "%u", i);
}

static char letter(const struct event *e) {
  switch ((int)e->op) {
    case EVENT_READ:
      return 'R';
    case EVENT_WRITE:
      return 'W';
    case EVENT_RMW:
      return 'X';
    case EVENT_FORK:
      return 'F';
    case EVENT_END:
      return 'E';
    default:
      return 'o';
  }
}

/* The events of thread 1: a letter each, with the reads that it depends on, and those that its value depends on. */
static void describe(struct machine *m, const struct depend *d, char *out) {
  uint32_t n, reads[64], nreads = 0, control[64], ncontrol = 0;
  const struct event *trace = machine_trace(m, &n);
  *out = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (trace[i].thread != 1 || trace[i].op == EVENT_BEGIN) continue;
    if (trace[i].op == EVENT_READ) reads[nreads++] = i;
    for (uint32_t k = d->control_starts.data[i]; k < d->control_starts.data[i + 1]; k++) control[ncontrol++] = d->control.data[k];
    const uint32_t *values = d->values.data + d->value_starts.data[i];
    uint32_t nvalues = d->value_starts.data[i + 1] - d->value_starts.data[i];
    sprintf(out + strlen(out), "%s%c", *out ? " " : "", letter(&trace[i]));
    if (ncontrol == 0 && nvalues == 0) continue;
    strcat(out, "[");
    put_reads(out, reads, nreads, control, ncontrol);
    strcat(out, ";");
    put_reads(out, reads, nreads, values, nvalues);
    strcat(out, "]");
  }
}

/* Runs the function's body in a thread, when the other one is done. */
static void expect_body(const char *functions, const char *body, const char *expected) {
  char source[4096], text[1024];
  struct rig r;
  struct depend d = {0};
  struct schedule steps = {0};
  snprintf(source, sizeof source, SHARED "%s\n" THREAD("f") "{ %s }\n" RUN_F_AND_G(""), functions, body);
  rig_open(&r, source, NULL);
  do { /* until it is known what is shared */
    machine_reset(r.machine);
    vec_clear(&steps.steps);
    while (machine_status(r.machine) == MACHINE_RUNNING) {
      struct step step = next_step(r.machine);
      machine_step(r.machine, step.thread, step.choice);
      *vec_push(&steps.steps) = step;
    }
  } while (machine_sharing_changed(r.machine));
  assert_int_equal(machine_status(r.machine), MACHINE_DONE);
  assert_true(depend_follow(&d, r.machine, steps.steps.data, (uint32_t)steps.steps.count));
  assert_int_equal(machine_status(r.machine), MACHINE_DONE);
  describe(r.machine, &d, text);
  assert_string_equal(text, expected);
  depend_release(&d);
  vec_release(&steps.steps);
  rig_close(&r);
}

static void a_written_value_depends_on_what_it_was_computed_from(void **state) {
  (void)state;
  expect_body("", "int v = x, u = y; z = v * 2 + 1; y = 3; x = u - v; return 0;", "R R W[;0] W W[;01] E");
}

static void all_behind_a_branch_depends_on_it(void **state) {
  (void)state;
  expect_body("", "if (x) z = 1; y = 2; return 0;", "R W[0;] W[0;] E[0;]");
  expect_body("", "if (x > 5) z = 1; y = 2; return 0;", "R W[0;] E[0;]"); /* it could have written z */
  expect_body("", "switch (x) { case 1: z = 1; break; case 2: y = 3; } return 0;", "R W[0;] E[0;]");
}

static void an_event_depends_on_its_address(void **state) {
  (void)state;
  expect_body("", "a[x & 3] = 1; return 0;", "R W[0;] E[0;]");
  expect_body("", "int i = x & 1; y = a[i]; return 0;", "R R[0;] W[0;1] E[0;]");
}

static void arguments_and_results_carry_what_they_were_computed_from(void **state) {
  (void)state;
  const char *functions =
      "__attribute__((noinline)) int first(int p, int q) { return p + 1; }\n"
      "__attribute__((noinline)) int deep(int n, int v) { return n ? deep(n - 1, v) : v; }\n"
      "int (*volatile pointer)(int, int) = first;\n";
  expect_body(functions, "int v = x, u = y; z = first(v, u); return 0;", "R R W[;0] E");
  expect_body(functions, "z = deep(3, x); return 0;", "R W[;0] E");
  expect_body(functions, "z = deep(x, y); return 0;", "R R W[0;1] E[0;]");
}

static void a_call_through_a_pointer_depends_on_it(void **state) {
  (void)state;
  expect_body("void one(void) { z = 1; } void two(void) { y = 1; } void (*table[2])(void) = {one, two};\n", "table[x](); return 0;",
              "R W[0;] E[0;]");
}

static void private_memory_carries_what_was_stored_there(void **state) {
  (void)state;
  const char *at = "__attribute__((noinline)) int at(int *p, int i) { return p[i]; }\n";
  expect_body(at, "int b[2]; b[0] = x; b[1] = z; y = at(b, 0); return 0;", "R R W[;0] E");
  expect_body(at, "int b[2]; b[0] = x; b[0] = 7; b[1] = z; y = at(b, 0) + at(b, 1); return 0;", "R R W[;1] E");
  expect_body(at, "int *p = malloc(8); p[1] = x; y = at(p, 1); free(p); return 0;", "R W[;0] E[0;]");
}

static void copies_carry_it_too(void **state) {
  (void)state;
  expect_body("", "struct pair p, q; p.first = x; p.second = 1; q = p; z = (int)q.first; return 0;", "R W[;0] E");
  expect_body("__attribute__((noinline)) void copy(struct pair *to, struct pair *from) { memcpy(to, from, sizeof *to); }\n",
              "struct pair p; copy(&p, &s); z = (int)p.second; copy(&s, &p); return 0;", "R W[;0] W[;0] E");
}

static void a_choice_of_values_carries_them(void **state) {
  (void)state;
  expect_body("", "int v = x, u = y; z = (v & -(u != 0)) | 8; return 0;", "R R W[;01] E");
}

static void loops_carry_values_and_decide_by_their_condition(void **state) {
  (void)state;
  expect_body("", "int n = 0; for (int i = 0; i < 2; i++) n += x; y = n; return 0;", "R R W[;01] E");
  expect_body("", "for (int i = 0; i < 2; i++) y += 1; return 0;", "R W[;0] R W[;1] E"); /* the second read stands for the first write */
  expect_body("", "int n = x, k = 0; for (int i = 0; i <= n; i++) k += 2; y = k; return 0;", "R W[0;] E[0;]");
}

static void an_atomic_update_is_no_read_that_others_depend_on(void **state) {
  (void)state;
  expect_body("", "int v = x; z = __atomic_fetch_add(&y, v, 0); return 0;", "R X[;0] W E");
}

static void an_exchange_that_fails_decides_itself(void **state) {
  (void)state;
  expect_body("", "int e = 5; __atomic_compare_exchange_n(&y, &e, 6, 0, 0, 0); z = 1; return 0;", "R[0;] W[0;] E[0;]");
  expect_body("", "int e = x; __atomic_compare_exchange_n(&y, &e, 6, 0, 0, 0); return 0;", "R X[0;] E[0;]");
}

static void what_a_thread_returns_and_begins_depends_on_its_reads(void **state) {
  (void)state;
  expect_body("", "return (void *)(long)x;", "R E[0;]");
  expect_body("void *child(void *p) { return 0; }\n",
              "int v = x; pthread_t t; pthread_create(&t, 0, child, 0); pthread_join(t, 0); return 0;", "R F[0;] o[0;] E[0;]");
}

static void what_external_functions_see_decides(void **state) {
  (void)state;
  expect_body("", "free(malloc(x)); y = 1; return 0;", "R W[0;] E[0;]");
}

static void division_decides_by_its_divisor(void **state) {
  (void)state;
  expect_body("", "int v = x, u = y; z = v / (u + 1); return 0;", "R R W[01;01] E[01;]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_written_value_depends_on_what_it_was_computed_from),
      cmocka_unit_test(all_behind_a_branch_depends_on_it),
      cmocka_unit_test(an_event_depends_on_its_address),
      cmocka_unit_test(arguments_and_results_carry_what_they_were_computed_from),
      cmocka_unit_test(a_call_through_a_pointer_depends_on_it),
      cmocka_unit_test(private_memory_carries_what_was_stored_there),
      cmocka_unit_test(copies_carry_it_too),
      cmocka_unit_test(a_choice_of_values_carries_them),
      cmocka_unit_test(loops_carry_values_and_decide_by_their_condition),
      cmocka_unit_test(an_atomic_update_is_no_read_that_others_depend_on),
      cmocka_unit_test(an_exchange_that_fails_decides_itself),
      cmocka_unit_test(what_a_thread_returns_and_begins_depends_on_its_reads),
      cmocka_unit_test(what_external_functions_see_decides),
      cmocka_unit_test(division_decides_by_its_divisor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

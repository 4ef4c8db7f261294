/* What the library models and programs ask the machine for (models/hd_model.h, include/heddle.h, SV-COMP's primitives). */
#include "machine/library/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/interpret/slots.h"
#include "machine/interpret/undefined.h"
#include "machine/memory/access.h"
#include "machine/remark.h"
#include "machine/sync/sync.h"
#include "machine/sync/table.h"

/* A string of the program, read as it reads it: a step if others may write there. */
static enum run read_string(struct machine *m, struct thread *t, uint64_t address, const char **string) {
  *string = access_string(m, t, address);
  return *string ? access_plain_read(m, t, address, strlen(*string) + 1) : RUN_STOP;
}

enum run system_error(struct machine *m, struct thread *t, int code, uint64_t *result) {
  *result = UINT32_MAX;
  if (m->errno_offset == UINT64_MAX) return RUN_GO; /* the program does not look at errno */
  return access_write(m, t, region_tls(t->tid) + m->errno_offset, 4, (uint32_t)code);
}

/* --- choices and conditions --- */

enum run system_choose(struct machine *m, struct thread *t, uint64_t n, uint64_t *choice) {
  *choice = 0;
  if (n == 1) return RUN_GO;
  if (!machine_visible(m, t, EVENT_CHOICE, 0, n, 0, true)) return RUN_YIELD;
  *choice = t->choice;
  vec_last(&m->trace).value = t->choice;
  t->wrote = true;
  return RUN_GO;
}

static BUILTIN(system_hd_choose) {
  uint64_t n = (uint32_t)args[0];
  if (n == 0) return machine_fail(m, t, FINDING_ASSERTION, "call", "hd_choose(0): there is nothing to choose from");
  return system_choose(m, t, n, result);
}

/* A false assumption ends the execution for all. So it is a step of its own if the one before it may have let others go on, as by creating
 * them: what they do would not be seen in any execution, nor that it is about what was assumed. */
enum run system_assume_that(struct machine *m, struct thread *t, bool holds) {
  if (holds) return RUN_GO;
  bool own = m->single || t->atomic || machine_only_read(m, t);
  if (!own && !sync_visible(m, t, EVENT_YIELD, 0, 0, 0, NEED_NOTHING, EVENT_EXIT)) return RUN_YIELD;
  return machine_stop(m, MACHINE_ASSUMED);
}

static BUILTIN(system_assume) {
  (void)result;
  return system_assume_that(m, t, (uint32_t)args[0] != 0);
}

static BUILTIN(system_klee_assume) {
  (void)result;
  return system_assume_that(m, t, args[0] != 0);
}

static BUILTIN(system_hd_assert) {
  if ((uint32_t)args[0]) return RUN_GO;
  return machine_fail(m, t, FINDING_ASSERTION, "assertion", "hd_assert failed");
}

static BUILTIN(system_verifier_assert) {
  if ((uint32_t)args[0]) return RUN_GO;
  return machine_fail(m, t, FINDING_ASSERTION, "assertion", "__VERIFIER_assert failed");
}

static BUILTIN(system_reach_error) { return machine_fail(m, t, FINDING_ASSERTION, "assertion", "the program reached its error location"); }

static BUILTIN(system_fail) {
  const char *kind = access_string(m, t, args[0]), *message = kind ? access_string(m, t, args[1]) : NULL;
  if (!message) return RUN_STOP;
  for (unsigned k = 0; k < FINDING_COUNT; k++)
    if (strcmp(kind, finding_kind_text((enum finding_kind)k)) == 0) return machine_fail(m, t, (enum finding_kind)k, "call", "%s", message);
  return machine_fail(m, t, FINDING_ABORT, "call", "%s", message);
}

/* A step of its own unless all other threads have been joined: they may do more before the process ends. (Also when they have ended: what
 * is one step must not depend on others.) */
static BUILTIN(system_exit) {
  if (!m->single && !sync_visible(m, t, EVENT_YIELD, 0, 0, 0, NEED_NOTHING, EVENT_EXIT)) return RUN_YIELD;
  interrupts_end(m, t);
  return machine_exits(m, t, args[0]);
}

static BUILTIN(system_unsupported) {
  const char *name = access_string(m, t, args[0]), *why = name ? access_string(m, t, args[1]) : NULL;
  if (!why) return RUN_STOP;
  return machine_unsupported(m, t, "%s is not supported: %s", name, why);
}

/* --- scheduling --- */

static BUILTIN(system_atomic_begin) {
  if (t->atomic == 0 && !sync_visible(m, t, EVENT_ATOMIC, 0, 0, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  t->atomic++;
  return RUN_GO;
}

static BUILTIN(system_atomic_end) {
  if (t->atomic == 0) return machine_fail(m, t, FINDING_THREAD_MISUSE, "use", "the end of an atomic section that did not begin");
  t->atomic--;
  return RUN_GO;
}

/* void __hd_guarded_begin(int *guard): a section that depends on others of the same guard alone. All that it reads and writes, but for the
 * thread's own memory, must be theirs, or awaited by __hd_await_masked(). */
static BUILTIN(system_guarded_begin) {
  if (t->atomic == 0) {
    t->next_order = ORDER_ACQ_REL;
    if (!sync_visible(m, t, EVENT_RMW, args[0], 4, 0, NEED_NOTHING, 0)) return RUN_YIELD;
  }
  t->atomic++;
  return RUN_GO;
}

/* void __hd_guarded_end(int *guard): what the section has done is there for the next one */
static BUILTIN(system_guarded_end) {
  if (t->atomic == 0) return machine_fail(m, t, FINDING_THREAD_MISUSE, "use", "the end of a section with a guard that did not begin");
  if (!m->single) machine_record(m, t, EVENT_RMW, args[0], 4)->order = ORDER_RELEASE;
  t->atomic--;
  return RUN_GO;
}

static BUILTIN(system_yield) { return sync_visible(m, t, EVENT_YIELD, 0, 0, 0, NEED_NOTHING, 0) ? RUN_GO : RUN_YIELD; }

/* Blocks until (*word & mask) == value; the event has the word's value. */
static enum run await(struct machine *m, struct thread *t, uint64_t word, uint32_t mask, uint32_t value, enum event_op op,
                      enum event_order order, uint32_t next) {
  if (!sync_possible(m, t, word, 4)) return RUN_STOP;
  if (t->kept) return sync_waits_within(m, t);
  t->wait_ticket = value, t->wait_object2 = mask;
  t->next_order = (uint8_t)order;
  if (!sync_visible(m, t, op, word, 4, next, NEED_VALUE, EVENT_WAITS)) return RUN_YIELD;
  t->wait_ticket = t->wait_object2 = 0;
  return access_read(m, t, word, 4, &machine_last_event(m)->value);
}

static BUILTIN(system_await) {
  uint32_t next = (uint32_t)args[2];
  enum run run = await(m, t, args[0], UINT32_MAX, (uint32_t)args[1], EVENT_RMW, ORDER_ACQ_REL, next);
  return run == RUN_GO ? access_write(m, t, args[0], 4, next) : run;
}

static BUILTIN(system_await_masked) { return await(m, t, args[0], (uint32_t)args[1], (uint32_t)args[2], EVENT_READ, ORDER_ACQUIRE, 0); }

/* --- output, files, environment, time --- */

/* Best effort: what the program writes is kept in m->output whatever becomes of the echo. */
static void echo(int fd, const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t done = write(fd, bytes, n);
    if (done < 0 && errno != EINTR) return;
    if (done > 0) bytes += done, n -= (size_t)done;
  }
}

/* Reads the bytes, which is a step where others may write them; and then writes them, which is one where the order of outputs counts: in
 * between it carries them. */
static BUILTIN(system_output) {
  int fd = (int)args[0];
  uint64_t from = args[1], n = args[2];
  if (fd != 1 && fd != 2) return machine_unsupported(m, t, "output to descriptor %d", fd);
  if (n == 0) return RUN_GO;
  if (t->phase == 0) {
    enum run run = access_plain_read(m, t, from, n);
    if (run != RUN_GO) return run;
    if (uninitialised_all(from, n)) /* of a part, it may be padding */
      return machine_fail(m, t, FINDING_UNINITIALISED, "output", "output of %llu uninitialised byte%s", (unsigned long long)n,
                          n == 1 ? "" : "s");
    t->carried = 0;
  }
  if (m->options.outputs && fd == 1 && !machine_visible(m, t, EVENT_OUTPUT, output_object(fd), 1, 0, false)) {
    if (t->phase == 0) access_carry(t, from, n);
    t->phase = 1;
    return RUN_YIELD;
  }
  const char *bytes = t->phase ? access_carried(t) : host_at(from);
  text_append(&m->output[fd - 1], bytes, n);
  if (m->options.echo) echo(fd, bytes, n);
  access_carried_done(t);
  t->phase = 0;
  t->wrote = true;
  return RUN_GO;
}

static const char *without_dot(const char *path) {
  while (path[0] == '.' && path[1] == '/') path += 2;
  return path;
}

/* Counts the host's files that are readable, and looks for the name among them, and behind them among those whose bytes are said. */
static uint32_t find_file(const struct machine *m, const char *path) {
  uint32_t at = 1;
  for (uint32_t i = 0; m->options.readable && m->options.readable[i]; i++, at++)
    if (strcmp(path, without_dot(m->options.readable[i])) == 0) return at;
  for (size_t i = 0; i < m->options.nfiles; i++) {
    const char *name = m->options.files[i].name;
    if (name && strcmp(path, without_dot(name)) == 0) return at;
    at += name != NULL;
  }
  return UINT32_MAX;
}

static BUILTIN(system_file_open) {
  const char *path;
  enum run run = read_string(m, t, args[0], &path);
  if (run != RUN_GO) return run;
  *result = find_file(m, without_dot(path));
  for (uint32_t i = 0; i < m->files.count && *result == UINT32_MAX; i++) {
    uint32_t source = m->file_sources.data[i];
    if (i > 0 && source && strcmp(without_dot(path), without_dot(m->options.sources[source - 1].name)) == 0) *result = i;
  }
  return RUN_GO;
}

static const struct text *file_of(const struct machine *m, uint64_t handle) {
  return (uint32_t)handle < m->files.count ? &m->files.data[(uint32_t)handle] : NULL;
}

static bool has_input(const struct machine *m) {
  if (m->options.input_file || m->file_sources.data[0]) return true;
  for (size_t i = 0; i < m->options.nfiles; i++)
    if (!m->options.files[i].name) return true;
  return false;
}

/* Standard input that was not given is empty: the program goes another way than with input. */
static void remark_no_input(struct machine *m, const struct thread *t, uint64_t handle) {
  if ((uint32_t)handle == 0 && !has_input(m)) remark(m, t, REMARK_INPUT_END);
}

static BUILTIN(system_file_read) {
  const struct text *file = file_of(m, args[0]);
  remark_no_input(m, t, args[0]);
  uint64_t offset = args[1], n = args[3];
  *result = 0;
  if (!file || offset >= file->count) return RUN_GO;
  if (n > file->count - offset) n = file->count - offset;
  *result = n;
  uint32_t source = m->file_sources.data[(uint32_t)args[0]];
  return source ? input_read(m, t, source - 1, offset, args[2], n) : access_store(m, t, args[2], file->data + offset, n);
}

static BUILTIN(system_file_size) {
  const struct text *file = file_of(m, args[0]);
  remark_no_input(m, t, args[0]);
  *result = file ? file->count : UINT64_MAX;
  return RUN_GO;
}

static BUILTIN(system_omp_default_team) {
  remark(m, t, REMARK_TEAM);
  return RUN_GO;
}

static BUILTIN(system_library_missing) {
  remark(m, t, REMARK_LIBRARY);
  return RUN_GO;
}

/* int __hd_is_bound(const void *address): false of functions that neither the program nor the models nor the machine has */
static BUILTIN(system_is_bound) {
  uint64_t index = (args[0] - TEXT_BASE) / 16;
  bool is_extern = args[0] >= TEXT_BASE && index >= m->image->nfunctions && index - m->image->nfunctions < m->image->nexterns;
  const struct extern_binding *binding = is_extern ? &m->externs[index - m->image->nfunctions] : NULL;
  *result = !binding || binding->run || binding->native;
  return RUN_GO;
}

/* The bytes of a thread-local variable, which nobody uses now, in all threads. */
static void restore_local(struct machine *m, const struct image_global *g) {
  const struct image *image = m->image;
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct thread *t = m->threads[m->created[i]];
    uint64_t from = region_tls(t->tid) + g->address;
    for (uint64_t k = 0; t->state == THREAD_LIVE && k < g->size; k++) {
      uint64_t at = from + k, word = memory_get(at & ~7ull), shift = (at & 7) * 8;
      uint64_t byte = g->address + k < image->ntls ? image->tls[g->address + k] : 0;
      memory_put(&m->memory, at & ~7ull, (word & ~(0xffull << shift)) | byte << shift);
    }
  }
}

/* void __hd_restore(void *variable): a global of the program gets its first value */
static BUILTIN(system_restore) {
  const struct image *image = m->image;
  uint64_t offset = args[0] - region_tls(t->tid);
  for (uint32_t i = 0; offset < image->header->tls_size && i < image->nglobals; i++)
    if ((image->globals[i].flags & GLOBAL_TLS) && image->globals[i].address == offset) return restore_local(m, &image->globals[i]), RUN_GO;
  const struct image_global *g = NULL;
  for (uint32_t i = 0; i < image->nglobals && !g; i++)
    if (image->globals[i].address == args[0] && !(image->globals[i].flags & (GLOBAL_TLS | GLOBAL_MISSING))) g = &image->globals[i];
  for (uint64_t done = 0, n; g && done < g->size; done += n) {
    uint64_t value = 0, from = g->address - GLOBALS_BASE + done;
    n = g->size - done < 8 ? g->size - done : 8;
    for (uint64_t k = 0; k < n && from + k < image->ndata; k++) value |= (uint64_t)image->data[from + k] << 8 * k;
    while (n & (n - 1)) n &= n - 1; /* 1, 2, 4 or 8 bytes */
    if (access_write(m, t, g->address + done, (uint32_t)n, n == 8 ? value : value & ((1ull << 8 * n) - 1)) != RUN_GO) return RUN_STOP;
  }
  return RUN_GO;
}

/* void __hd_initial(void *to, const void *variable, size_t n): what a global of the program began with */
static BUILTIN(system_initial) {
  const struct image *image = m->image;
  uint64_t from = args[1] - GLOBALS_BASE, n = args[2];
  VEC(uint8_t) bytes = {0};
  for (uint64_t i = 0; i < n; i++) *vec_push(&bytes) = from + i < image->ndata ? image->data[from + i] : 0;
  enum run run = access_store(m, t, args[0], bytes.data, n);
  vec_release(&bytes);
  return run;
}

static BUILTIN(system_sampled) {
  (void)args, (void)nargs, (void)result;
  remark(m, t, REMARK_SAMPLED);
  return RUN_GO;
}

static BUILTIN(system_getenv) {
  const char *name;
  enum run run = read_string(m, t, args[0], &name);
  if (run != RUN_GO) return run;
  size_t n = strlen(name);
  *result = 0;
  for (uint64_t vector = m->arguments[2]; memory_get(vector); vector += 8) {
    const char *entry = host_at(memory_get(vector));
    if (strncmp(entry, name, n) != 0 || entry[n] != '=') continue;
    *result = memory_get(vector) + n + 1;
    break;
  }
  return RUN_GO;
}

/* A processor with what every x86-64 one has, and no optional feature. Registers: eax, ebx, ecx, edx. */
static BUILTIN(system_cpuid) {
  enum { FPU = 1 << 0, CX8 = 1 << 8, CMOV = 1 << 15, MMX = 1 << 23, FXSR = 1 << 24, SSE = 1 << 25, SSE2 = 1 << 26, LONG_MODE = 1 << 29 };
  static const struct {
    uint32_t leaf, registers[4];
  } leaves[] = {{0x0, {1, 0x64646548 /* "Hedd" */, 0x656c6464 /* "ddle" */, 0x6548656c /* "leHe" */}},
                {0x1, {0x600, 0, 0, FPU | CX8 | CMOV | MMX | FXSR | SSE | SSE2}},
                {0x80000000, {0x80000001, 0, 0, 0}},
                {0x80000001, {0, 0, 0, LONG_MODE}}};
  *result = 0;
  for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
    if (leaves[i].leaf == (uint32_t)args[0]) *result = leaves[i].registers[args[2] & 3];
  return RUN_GO;
}

static BUILTIN(system_destructor) {
  uint32_t i = (uint32_t)args[0];
  *result = i < m->image->ndtors ? text_address(m->image->dtors[i].function) : 0;
  return RUN_GO;
}

/* --- numbers --- */

/* Is it one conversion of a floating value, "%-8.3Lf"? Anything else must not reach printf. */
static bool is_float_conversion(const char *spec, bool wide) {
  if (*spec++ != '%') return false;
  spec += strspn(spec, "-+ #0'");
  spec += strspn(spec, "0123456789");
  if (*spec == '.') spec += 1 + strspn(spec + 1, "0123456789");
  if (wide != (*spec == 'L')) return false;
  if (wide) spec++;
  return *spec && strchr("aAeEfFgG", *spec) && spec[1] == 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static enum run format(struct machine *m, struct thread *t, const uint64_t *args, const long double *wide, double value, uint64_t *result) {
  const char *spec = access_string(m, t, args[2]);
  if (!spec) return RUN_STOP;
  if (!is_float_conversion(spec, wide != NULL)) return machine_unsupported(m, t, "the conversion %s", spec);
  struct text out = {0};
  if (wide)
    text_printf(&out, spec, *wide);
  else
    text_printf(&out, spec, value);
  *result = (uint32_t)out.count;
  uint64_t n = out.count < args[1] ? out.count : args[1] - 1;
  if (args[1]) out.data[n] = 0;
  enum run run = args[1] ? access_store(m, t, args[0], out.data, n + 1) : RUN_GO;
  text_release(&out);
  return run;
}
#pragma GCC diagnostic pop

static BUILTIN(system_format_double) { return format(m, t, args, NULL, slot_double(args[3]), result); }

static BUILTIN(system_format_long_double) {
  if (access_check(m, t, args[3], 10, false) != RUN_GO) return RUN_STOP;
  uint64_t slots[2] = {0};
  memcpy(slots, host_at(args[3]), 10);
  long double value = slots_fp80(slots);
  return format(m, t, args, &value, 0, result);
}

static enum run store_used(struct machine *m, struct thread *t, uint64_t to, const char *text, const char *end) {
  return access_write(m, t, to, 8, (uint64_t)(end - text));
}

static BUILTIN(system_parse_double) {
  const char *text;
  enum run run = read_string(m, t, args[0], &text);
  if (run != RUN_GO) return run;
  char *end;
  *result = double_slot(strtod(text, &end));
  return store_used(m, t, args[1], text, end);
}

static BUILTIN(system_parse_float) {
  const char *text;
  enum run run = read_string(m, t, args[0], &text);
  if (run != RUN_GO) return run;
  char *end;
  *result = float_slot(strtof(text, &end));
  return store_used(m, t, args[1], text, end);
}

static BUILTIN(system_parse_long_double) {
  const char *text;
  enum run run = read_string(m, t, args[0], &text);
  if (run != RUN_GO) return run;
  char *end;
  uint64_t slots[2];
  fp80_slots(slots, strtold(text, &end));
  if (access_write(m, t, args[2], 8, slots[0]) != RUN_GO || access_write(m, t, args[2] + 8, 2, slots[1]) != RUN_GO) return RUN_STOP;
  return store_used(m, t, args[1], text, end);
}

const struct builtin system_builtins[] = {
    {"hd_assert", system_hd_assert, 1},
    {"hd_assume", system_assume, 1},
    {"klee_assume", system_klee_assume, 1},
    {"hd_choose", system_hd_choose, 1},
    {"__VERIFIER_assert", system_verifier_assert, 1},
    {"__VERIFIER_assume", system_assume, 1},
    {"__VERIFIER_error", system_reach_error, 0},
    {"reach_error", system_reach_error, 0},
    {"__VERIFIER_atomic_begin", system_atomic_begin, 0},
    {"__VERIFIER_atomic_end", system_atomic_end, 0},
    {"__hd_choose", system_hd_choose, 1},
    {"__hd_assume", system_assume, 1},
    {"__hd_fail", system_fail, 2},
    {"__hd_exit", system_exit, 1},
    {"__hd_unsupported", system_unsupported, 2},
    {"__hd_atomic_begin", system_atomic_begin, 0},
    {"__hd_atomic_end", system_atomic_end, 0},
    {"__hd_guarded_begin", system_guarded_begin, 1},
    {"__hd_guarded_end", system_guarded_end, 1},
    {"__hd_yield", system_yield, 0},
    {"__hd_await", system_await, 3},
    {"__hd_await_masked", system_await_masked, 3},
    {"__hd_output", system_output, 3},
    {"__hd_file_open", system_file_open, 1},
    {"__hd_file_read", system_file_read, 4},
    {"__hd_file_size", system_file_size, 1},
    {"__hd_sampled", system_sampled, 0},
    {"__hd_omp_default_team", system_omp_default_team, 0},
    {"__hd_library_missing", system_library_missing, 0},
    {"__hd_is_bound", system_is_bound, 1},
    {"__hd_restore", system_restore, 1},
    {"__hd_initial", system_initial, 3},
    {"__hd_getenv", system_getenv, 1},
    {"__hd_cpuid", system_cpuid, 3},
    {"__hd_destructor", system_destructor, 1},
    {"__hd_format_double", system_format_double, 4},
    {"__hd_format_long_double", system_format_long_double, 4},
    {"__hd_parse_double", system_parse_double, 2},
    {"__hd_parse_float", system_parse_float, 2},
    {"__hd_parse_long_double", system_parse_long_double, 3},
    {0},
};

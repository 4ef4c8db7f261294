/* Inputs: data that nobody fixes. Each call of hd_symbolic() gives the thread its next input, whose bytes an exploration, or the user,
 * says. It is a step that has one way to go: the initial state of a machine is before it, and so is the same for all inputs. So is what the
 * process is given when it begins (machine_source): one step of thread 0, before all else. */
#include <string.h>

#include "machine/library/system.h"
#include "machine/memory/access.h"
#include "machine/remark.h"
#include "machine/symbolic/symbolic.h"
#include "machine/sync/table.h"

#define INPUT_MOST 65536u /* bytes of one */

static bool has_extern(const struct image *image, const char *name) {
  for (uint32_t i = 0; i < image->nexterns; i++)
    if (strcmp(image_string(image, image->externs[i].name), name) == 0) return true;
  return false;
}

bool image_asks_inputs(const struct image *image) { return has_extern(image, "hd_symbolic") || has_extern(image, "klee_make_symbolic"); }

bool machine_has_inputs(const struct machine *m) { return m->options.nsources || image_asks_inputs(m->image) || machine_gives_nondet(m); }

bool machine_gives_nondet(const struct machine *m) { return m->nondet; }

void machine_sample_nondet(struct machine *m) {
  machine_reset(m);
  m->nondet = false;
  if (!m->symbolic) return;
  symbolic_again(m->symbolic);
  if (machine_has_inputs(m)) return;
  symbolic_free(m->symbolic);
  m->symbolic = NULL;
}

enum machine_data_limit machine_data_limit(const struct machine *m) { return m->data_limit; }

size_t machine_inputs(const struct machine *m) { return m->given.count; }

struct machine_input machine_input(const struct machine *m, size_t i) {
  const struct given *g = &m->given.data[i];
  return (struct machine_input){.thread = text_str(&m->names[g->thread]),
                                .number = g->number,
                                .name = (const char *)m->input.data + g->name,
                                .bytes = m->input.data + g->bytes,
                                .size = g->size};
}

/* The bytes that the user has said are the thread's input `number`, with zeros behind them; false: none. */
static bool find_said(const struct machine *m, const struct thread *t, uint32_t number, uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < m->options.ninputs; i++) {
    const struct machine_input *said = &m->options.inputs[i];
    if (said->number != number || strcmp(said->thread, text_str(&m->names[t->tid])) != 0) continue;
    memset(bytes, 0, size);
    memcpy(bytes, said->bytes, said->size < size ? said->size : size);
    return true;
  }
  return false;
}
static void said_bytes(const struct machine *m, const struct thread *t, uint32_t number, uint8_t *bytes, size_t size) {
  if (!find_said(m, t, number, bytes, size)) memset(bytes, 0, size);
}

static uint8_t *give(struct machine *m, struct thread *t, const char *name, size_t size) {
  struct given *g = vec_push(&m->given);
  *g = (struct given){.thread = t->tid, .number = t->inputs++, .bytes = m->input.count, .size = size, .name = m->input.count + size};
  uint8_t *bytes = vec_push_n(&m->input, size + strlen(name) + 1);
  memcpy(bytes + size, name, strlen(name) + 1);
  g->end = m->input.count;
  return bytes;
}

const struct given *input_give(struct machine *m, struct thread *t, const char *name, size_t size, bool value) {
  uint8_t *bytes = give(m, t, name, size);
  vec_last(&m->given).value = value;
  if (m->symbolic)
    symbolic_bytes(m, &vec_last(&m->given), bytes);
  else
    said_bytes(m, t, t->inputs - 1, bytes, size);
  return &vec_last(&m->given);
}

void input_recorded(struct machine *m, struct thread *t, const char *name, const uint8_t *given, uint8_t *bytes, size_t size) {
  uint8_t *to = give(m, t, name, size);
  memcpy(to, given ? given : bytes, size);
  if (!given) (void)find_said(m, t, t->inputs - 1, to, size);
  memcpy(bytes, to, size);
}

enum run input_stop(struct machine *m, struct thread *t) {
  remark(m, t, REMARK_ASKS);
  m->data_limit = DATA_CALLS;
  return machine_stop(m, MACHINE_LIMIT);
}

/* The thread's last input. */
static const struct given *last_given(const struct machine *m, const struct thread *t) {
  size_t i = m->given.count - 1;
  while (m->given.data[i].thread != t->tid || m->given.data[i].number + 1 != t->inputs) i--;
  return &m->given.data[i];
}

/* Does it matter what is there before it is written to? To threads that wait for a change, and to a buffer, which has stores to shared
 * memory alone; not to the thread itself. */
static bool is_looked_at(const struct machine *m, uint64_t at, uint64_t size) {
  bool shared = false;
  if (m->single) return false;
  for (uint64_t i = 0; i < size && in_arena(at, size) && !shared; i++) shared = *shadow_at(at + i) & SHADOW_SHARED;
  return shared || m->nspinning;
}

/* The input's bytes from `offset` on are written there. */
static enum run store(struct machine *m, struct thread *t, const struct given *given, uint64_t offset, uint64_t to, uint64_t size) {
  if (m->symbolic && !is_looked_at(m, to, size)) m->symbolic->builtin = false;
  enum run run = access_store(m, t, to, m->input.data + given->bytes + offset, size);
  if (m->symbolic) m->symbolic->builtin = true;
  if (run != RUN_GO || !m->symbolic) return run;
  symbolic_made(m, given, offset, to, size);
  if (m->nspinning) symbolic_fix_memory(m, to, size);
  return RUN_GO;
}

/* t->phase is 1 between the input and the write of it, where that is a step. */
static BUILTIN(input_symbolic) {
  uint64_t size = args[1];
  if (t->phase == 0) {
    if (size == 0) return RUN_GO;
    if (size > INPUT_MOST) return machine_unsupported(m, t, "an input of more than %u bytes", INPUT_MOST);
    const char *name = args[2] ? access_string(m, t, args[2]) : "unnamed";
    if (!name) return RUN_STOP;
    if (!machine_visible(m, t, EVENT_CHOICE, 0, 1, 0, true)) return RUN_YIELD;
    if (symbolic_asks_too_often(m, t, UINT32_MAX)) return input_stop(m, t);
    const struct given *given = input_give(m, t, name, size, false);
    memcpy(&vec_last(&m->trace).value, m->input.data + given->bytes, size < 8 ? size : 8);
    t->wrote = true;
    t->phase = 1;
  }
  enum run run = store(m, t, last_given(m, t), 0, args[0], size);
  if (run == RUN_GO) t->phase = 0;
  return run;
}

/* unsigned klee_is_symbolic(uintptr_t value). When the execution is repeated with its input, nothing is symbolic: so the answer is an input
 * of its own. */
static BUILTIN(input_is_symbolic) {
  bool answer = m->symbolic && m->symbolic->argument;
  uint8_t *byte = give(m, t, "klee_is_symbolic", 1);
  if (m->symbolic)
    *byte = answer;
  else
    said_bytes(m, t, t->inputs - 1, byte, 1);
  *result = *byte;
  return RUN_GO;
}

/* --- what the process is given --- */

static void source_name(const struct machine *m, size_t i, struct text *out) {
  const struct machine_source *source = &m->options.sources[i];
  uint64_t number = m->arguments[0];
  switch (source->kind) {
    case SOURCE_STDIN:
      text_puts(out, "standard input");
      return;
    case SOURCE_FILE:
      text_printf(out, "file %s", source->name);
      return;
    case SOURCE_ARGUMENT:
      for (size_t k = i; k < m->options.nsources; k++) number -= m->options.sources[k].kind == SOURCE_ARGUMENT;
      text_printf(out, "argument %llu", (unsigned long long)number);
      return;
    case SOURCE_VARIABLE:
      text_printf(out, "variable %s", source->name);
      return;
  }
}

static enum run give_source(struct machine *m, struct thread *t, size_t i) {
  struct text name = {0};
  source_name(m, i, &name);
  const struct given *given = input_give(m, t, text_str(&name), m->options.sources[i].size, false);
  text_release(&name);
  uint64_t at = m->source_at.data[i];
  for (size_t k = 0; at && k < given->size; k++)
    if (access_write(m, t, at + k, 1, m->input.data[given->bytes + k]) != RUN_GO) return RUN_STOP;
  if (at && m->symbolic) symbolic_made(m, given, 0, at, given->size);
  return RUN_GO;
}

/* void __hd_inputs(void) */
static BUILTIN(input_sources) {
  if (!machine_visible(m, t, EVENT_CHOICE, 0, 1, 0, true)) return RUN_YIELD;
  for (size_t i = 0; i < m->options.nsources; i++)
    if (give_source(m, t, i) != RUN_GO) return RUN_STOP;
  memcpy(&vec_last(&m->trace).value, m->input.data, m->options.sources[0].size < 8 ? m->options.sources[0].size : 8);
  t->wrote = true;
  return RUN_GO;
}

enum run input_read(struct machine *m, struct thread *t, uint32_t source, uint64_t offset, uint64_t to, uint64_t n) {
  const struct given *given = &m->given.data[source];
  return store(m, t, given, offset, to, n);
}

const struct builtin input_builtins[] = {
    {"hd_symbolic", input_symbolic, 3},
    {"klee_make_symbolic", input_symbolic, 3},
    {"klee_is_symbolic", input_is_symbolic, 1},
    {"__hd_inputs", input_sources, 0},
    {0},
};

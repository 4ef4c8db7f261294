/* Inputs: data that nobody fixes. Each call of hd_symbolic() gives the thread its next input, whose bytes an exploration, or the user,
 * says. It is a step that has one way to go: the initial state of a machine is before it, and so is the same for all inputs. */
#include <string.h>

#include "machine/library/system.h"
#include "machine/memory/access.h"
#include "machine/remark.h"
#include "machine/symbolic/symbolic.h"
#include "machine/sync/table.h"

#define INPUT_MOST 65536u /* bytes of one */

bool image_asks_inputs(const struct image *image) {
  for (uint32_t i = 0; i < image->nexterns; i++)
    if (strcmp(image_string(image, image->externs[i].name), "hd_symbolic") == 0) return true;
  return false;
}

size_t machine_inputs(const struct machine *m) { return m->given.count; }

struct machine_input machine_input(const struct machine *m, size_t i) {
  const struct given *g = &m->given.data[i];
  return (struct machine_input){.thread = text_str(&m->names[g->thread]),
                                .number = g->number,
                                .name = (const char *)m->input.data + g->name,
                                .bytes = m->input.data + g->bytes,
                                .size = g->size};
}

/* The bytes that the user has said are the thread's input `number`; else zeros. */
static void said_bytes(const struct machine *m, const struct thread *t, uint32_t number, uint8_t *bytes, size_t size) {
  memset(bytes, 0, size);
  for (size_t i = 0; i < m->options.ninputs; i++) {
    const struct machine_input *said = &m->options.inputs[i];
    if (said->number != number || strcmp(said->thread, text_str(&m->names[t->tid])) != 0) continue;
    memcpy(bytes, said->bytes, said->size < size ? said->size : size);
    return;
  }
}

static void give(struct machine *m, struct thread *t, const char *name, size_t size) {
  struct given *g = vec_push(&m->given);
  *g = (struct given){.thread = t->tid, .number = t->inputs++, .bytes = m->input.count, .size = size, .name = m->input.count + size};
  uint8_t *bytes = vec_push_n(&m->input, size + strlen(name) + 1);
  memcpy(bytes + size, name, strlen(name) + 1);
  g->end = m->input.count;
  if (m->symbolic)
    symbolic_bytes(m, t, g->number, bytes, size);
  else
    said_bytes(m, t, g->number, bytes, size);
}

/* The thread's last input. */
static const struct given *last_given(const struct machine *m, const struct thread *t) {
  size_t i = m->given.count - 1;
  while (m->given.data[i].thread != t->tid || m->given.data[i].number + 1 != t->inputs) i--;
  return &m->given.data[i];
}

/* t->phase is 1 between the input and the write of it, where that is a step. */
static BUILTIN(input_symbolic) {
  uint64_t size = args[1];
  if (t->phase == 0) {
    if (size == 0) return RUN_GO;
    if (size > INPUT_MOST) return machine_unsupported(m, t, "an input of more than %u bytes", INPUT_MOST);
    const char *name = access_string(m, t, args[2]);
    if (!name) return RUN_STOP;
    if (!machine_visible(m, t, EVENT_CHOICE, 0, 1, 0, true)) return RUN_YIELD;
    give(m, t, name, size);
    memcpy(&vec_last(&m->trace).value, m->input.data + last_given(m, t)->bytes, size < 8 ? size : 8);
    t->wrote = true;
    t->phase = 1;
  }
  enum run run = access_store(m, t, args[0], m->input.data + last_given(m, t)->bytes, size);
  if (run != RUN_GO) return run;
  t->phase = 0;
  if (m->symbolic) symbolic_made(m, t, t->inputs - 1, args[0], size);
  return RUN_GO;
}

const struct builtin input_builtins[] = {
    {"hd_symbolic", input_symbolic, 3},
    {0},
};

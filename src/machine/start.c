/* Making a machine, running it to its initial state, and going back there. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "machine/internal.h"

static void load_globals(struct machine *m) {
  const struct image *image = m->image;
  uint64_t size = image->header->data_size;
  if (size) memcpy(host_at(GLOBALS_BASE), image->data, size < image->ndata ? size : image->ndata);
  memset(shadow_at(GLOBALS_BASE), POISON_GLOBAL_GAP, size);
  for (uint32_t i = 0; i < image->nglobals; i++) {
    const struct image_global *g = &image->globals[i];
    if (g->flags & GLOBAL_TLS) continue;
    memset(shadow_at(g->address), SHADOW_OK | (g->flags & GLOBAL_CONST ? SHADOW_READONLY : 0), g->size);
  }
  m->memory.globals_end = (GLOBALS_BASE + size + 7) & ~7ull;
}

/* Puts NULL-terminated strings on main's stack; the address of the vector of pointers; *count of them. */
static uint64_t place_strings(struct machine *m, const char *const *strings, uint64_t *count) {
  uint64_t n = 0;
  while (strings && strings[n]) n++;
  uint64_t vector = stack_alloc(&m->memory, 0, (n + 1) * 8, 8);
  memset(shadow_at(vector), SHADOW_OK, (n + 1) * 8);
  for (uint64_t i = 0; i < n; i++) {
    size_t size = strlen(strings[i]) + 1;
    uint64_t at = stack_alloc(&m->memory, 0, size, 1);
    memcpy(host_at(at), strings[i], size);
    memset(shadow_at(at), SHADOW_OK, size);
    memcpy(host_at(vector + i * 8), &at, 8);
  }
  *count = n;
  return vector;
}

static uint32_t find_function(const struct image *image, const char *name) {
  for (uint32_t i = 0; i < image->nfunctions; i++)
    if (strcmp(image_string(image, image->functions[i].link_name), name) == 0) return i;
  return UINT32_MAX;
}

static enum err read_files(struct machine *m, struct diag *d) {
  struct text *input = vec_push(&m->files);
  *input = (struct text){0};
  enum err e = m->options.input_file ? file_read(m->options.input_file, input, d) : ERR_NONE;
  for (uint32_t i = 0; e == ERR_NONE && m->options.readable && m->options.readable[i]; i++) {
    struct text *file = vec_push(&m->files);
    *file = (struct text){0};
    e = file_read(m->options.readable[i], file, d);
  }
  return e;
}

static void thread_copy(struct thread *to, const struct thread *from, const struct image *image) {
  typeof(to->frames) frames = to->frames;
  typeof(to->slots) slots = to->slots;
  *to = *from;
  to->frames = frames, to->slots = slots;
  vec_clear(&to->frames);
  if (from->frames.count == 0) return;
  memcpy(vec_push_n(&to->frames, from->frames.count), from->frames.data, from->frames.count * sizeof *from->frames.data);
  const struct frame *last = &vec_last(&from->frames);
  const struct image_function *f = &image->functions[last->function];
  size_t used = (size_t)last->base + f->slots + f->nconstants;
  vec_clear(&to->slots);
  memcpy(vec_push_n(&to->slots, used), from->slots.data, used * sizeof *to->slots.data);
  memset(vec_push_n(&to->slots, SLOTS_MARGIN), 0, SLOTS_MARGIN * sizeof *to->slots.data);
}

static void run_to_initial_state(struct machine *m) {
  struct thread *t = m->threads[0];
  m->nrun = 1;
  enum run run = thread_bottom(m, t, 0);
  if (run == RUN_FRAME) thread_run(m, t);
  if (m->status == MACHINE_RUNNING && t->state == THREAD_ENDED) m->status = MACHINE_DONE;
  m->initial_status = m->status;
  m->started = true;
  memory_mark(&m->memory);
  thread_copy(&m->initial, t, m->image);
  m->initial_output[0] = m->output[0].count;
  m->initial_output[1] = m->output[1].count;
  m->initial_exit_code = m->exit_code;
}

enum err machine_new(struct machine **out, const struct image *image, const struct machine_options *options, struct diag *d) {
  if (image->header->main == UINT32_MAX) return diag_set(d, ERR_FORMAT, "the program has no main function");
  struct machine *m = mem_alloc(sizeof *m);
  if (!memory_init(&m->memory)) {
    mem_free(m, sizeof *m);
    diag_hint(d, "is there a limit on virtual memory (ulimit -v)?");
    return diag_set(d, ERR_TOOL, "cannot reserve the address range that programs under test run in");
  }
  m->image = image;
  liveness_init(&m->liveness, image);
  m->options = *options;
  m->own_span = options->no_narrowing ? 0 : REGION_SIZE;
  m->single = true;
  m->budget = 0;
  m->model_main_exit = find_function(image, "__hd_main_exit");
  m->model_thread_exit = find_function(image, "__hd_thread_exit");
  enum err e = read_files(m, d);
  if (e != ERR_NONE) {
    machine_free(m);
    return e;
  }
  load_globals(m);
  builtin_bind(m);
  snprintf(m->names[0], sizeof m->names[0], "0");
  struct thread *t = m->threads[0] = mem_alloc(sizeof *t);
  *t = (struct thread){.state = THREAD_LIVE, .stage = STAGE_CTORS, .low = region_base(0)};
  m->words = 1;
  m->created[m->ncreated++] = 0;
  tset_add(&m->alive, 0);
  region_begin(&m->memory, 0, image->tls, image->header->tls_size, image->header->tls_align);
  const char *const no_name[] = {"program", NULL};
  uint64_t unused;
  m->arguments[1] = place_strings(m, options->arguments ? options->arguments : no_name, &m->arguments[0]);
  m->arguments[2] = place_strings(m, options->environment, &unused);
  run_to_initial_state(m);
  machine_reset(m);
  *out = m;
  return ERR_NONE;
}

static void output_truncate(struct text *output, size_t n) {
  output->count = n;
  if (output->data) output->data[n] = 0;
}

void machine_reset(struct machine *m) {
  m->counts.restores++;
  memory_rollback(&m->memory);
  for (uint32_t i = 1; i < m->ncreated; i++) m->threads[m->created[i]]->state = THREAD_NONE;
  thread_copy(m->threads[0], &m->initial, m->image);
  m->ncreated = m->nrun = 1;
  m->alive = m->enabled = m->watched = m->spinning = (struct tset){0};
  m->nspinning = 0;
  m->single = true;
  m->unjoined = 0;
  vec_clear(&m->trace);
  output_truncate(&m->output[0], m->initial_output[0]);
  output_truncate(&m->output[1], m->initial_output[1]);
  m->exit_code = m->initial_exit_code;
  if (m->initial_status != MACHINE_RUNNING) {
    m->status = m->initial_status;
    return;
  }
  m->status = MACHINE_RUNNING;
  tset_add(&m->alive, 0);
  machine_settle(m);
}

void machine_free(struct machine *m) {
  if (!m) return;
  for (uint32_t i = 0; i < THREADS_MAX; i++) {
    struct thread *t = m->threads[i];
    if (!t) continue;
    vec_release(&t->frames);
    vec_release(&t->slots);
    mem_free(t, sizeof *t);
  }
  vec_release(&m->initial.frames);
  vec_release(&m->initial.slots);
  vec_release(&m->trace);
  finding_release(&m->finding);
  diag_release(&m->diag);
  text_release(&m->output[0]);
  text_release(&m->output[1]);
  liveness_release(&m->liveness);
  hashmap_release(&m->children);
  for (size_t i = 0; i < m->files.count; i++) text_release(&m->files.data[i]);
  vec_release(&m->files);
  mem_free(m->externs, m->image->nexterns * sizeof *m->externs);
  memory_release(&m->memory);
  mem_free(m, sizeof *m);
}

/* Making a machine, running it to its initial state, and going back there. */
#include <assert.h>
#include <string.h>

#include "base/file.h"
#include "machine/internal.h"
#include "machine/library/system.h"
#include "machine/memory/buffer.h"
#include "machine/remark.h"
#include "machine/symbolic/symbolic.h"

static void load_globals(struct machine *m) {
  const struct image *image = m->image;
  uint64_t size = image->header->data_size;
  if (size) memcpy(host_at(GLOBALS_BASE), image->data, size < image->ndata ? size : image->ndata);
  memset(shadow_at(GLOBALS_BASE), POISON_GLOBAL_GAP, size);
  for (uint32_t i = 0; i < image->nglobals; i++) {
    const struct image_global *g = &image->globals[i];
    if (g->flags & GLOBAL_TLS) continue;
    uint8_t shadow = SHADOW_OK | (g->flags & GLOBAL_CONST ? SHADOW_READONLY : 0);
    if (g->flags & GLOBAL_MISSING) shadow = POISON_MISSING;
    memset(shadow_at(g->address), shadow, g->size);
  }
  m->memory.globals_end = (GLOBALS_BASE + size + 7) & ~7ull;
}

/* Puts a string on main's stack, with room for so many bytes more. Its address. */
static uint64_t place_string(struct machine *m, const char *string, size_t more) {
  size_t n = strlen(string), size = n + more + 1;
  uint64_t at = stack_alloc(&m->memory, 0, size, 1);
  memset(host_at(at), 0, size);
  memcpy(host_at(at), string, n);
  memset(shadow_at(at), SHADOW_OK, size);
  return at;
}

/* An argument or variable that the program is given when it begins (symbolic/input.c). */
static uint64_t place_source(struct machine *m, size_t i) {
  const struct machine_source *source = &m->options.sources[i];
  struct text start = {0};
  if (source->kind == SOURCE_VARIABLE) text_printf(&start, "%s=", source->name);
  uint64_t at = place_string(m, text_str(&start), source->size);
  m->source_at.data[i] = at + start.count;
  text_release(&start);
  return at;
}

/* Puts NULL-terminated strings on main's stack, and behind them the sources of that kind; the address of the vector of pointers; *count of
 * them. */
static uint64_t place_strings(struct machine *m, const char *const *strings, enum machine_source_kind kind, uint64_t *count) {
  uint64_t n = 0, all;
  while (strings && strings[n]) n++;
  all = n;
  for (size_t i = 0; i < m->options.nsources; i++) all += m->options.sources[i].kind == kind;
  uint64_t vector = stack_alloc(&m->memory, 0, (all + 1) * 8, 8), to = vector;
  memset(shadow_at(vector), SHADOW_OK, (all + 1) * 8);
  for (uint64_t i = 0; i < n; i++, to += 8) memcpy(host_at(to), &(uint64_t){place_string(m, strings[i], 0)}, 8);
  for (size_t i = 0; i < m->options.nsources; i++) {
    if (m->options.sources[i].kind != kind) continue;
    memcpy(host_at(to), &(uint64_t){place_source(m, i)}, 8);
    to += 8;
  }
  *count = all;
  return vector;
}

static uint32_t find_function(const struct image *image, const char *name) {
  for (uint32_t i = 0; i < image->nfunctions; i++)
    if (strcmp(image_string(image, image->functions[i].link_name), name) == 0) return i;
  return UINT32_MAX;
}

/* Files whose bytes are said, behind those of the host. */
static void add_files(struct machine *m) {
  for (size_t i = 0; i < m->options.nfiles; i++) {
    const struct machine_file *from = &m->options.files[i];
    struct text *file = from->name ? vec_push(&m->files) : m->options.input_file ? NULL : &m->files.data[0];
    if (from->name) *file = (struct text){0};
    if (file) text_append(file, from->bytes, from->size);
  }
}

static enum err read_files(struct machine *m, struct diag *d) {
  struct text *input = vec_push(&m->files);
  *input = (struct text){0};
  enum err e = m->options.input_file ? file_read(m->options.input_file, FILE_INPUT, input, d) : ERR_NONE;
  for (uint32_t i = 0; e == ERR_NONE && m->options.readable && m->options.readable[i]; i++) {
    struct text *file = vec_push(&m->files);
    *file = (struct text){0};
    e = file_read(m->options.readable[i], FILE_INPUT, file, d);
  }
  if (e == ERR_NONE) add_files(m);
  for (size_t i = 0; i < m->files.count; i++) *vec_push(&m->file_sources) = 0;
  for (size_t i = 0; e == ERR_NONE && i < m->options.nsources; i++) {
    const struct machine_source *source = &m->options.sources[i];
    bool is_input = source->kind == SOURCE_STDIN;
    if (!is_input && source->kind != SOURCE_FILE) continue;
    struct text *file = is_input ? &m->files.data[0] : vec_push(&m->files);
    if (!is_input) *file = (struct text){0}, *vec_push(&m->file_sources) = 0;
    for (uint32_t k = 0; k < source->size; k++) text_putc(file, 0);
    m->file_sources.data[is_input ? 0 : m->file_sources.count - 1] = (uint32_t)i + 1;
  }
  return e;
}

/* --- marks --- */

/* Copies of some hundred bytes, a multiple of 8: short enough for the start of a string instruction to show. */
static inline unsigned char *copy(void *to, const void *from, size_t n) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (; n >= 64; n -= 64, t += 64, f += 64) __builtin_memcpy(t, f, 64);
  if (n & 32) __builtin_memcpy(t, f, 32), t += 32, f += 32;
  if (n & 16) __builtin_memcpy(t, f, 16), t += 16, f += 16;
  if (n & 8) __builtin_memcpy(t, f, 8), t += 8;
  __asm__("" : : : "memory"); /* keeps it what it is */
  return t;
}

/* The same of a constant number of bytes: without a loop. */
[[gnu::always_inline]] static inline unsigned char *copy_fixed(void *to, const void *from, size_t n) {
  unsigned char *t = to;
  const unsigned char *f = from;
#pragma GCC unroll 64
  for (size_t i = 0; i + 16 <= n; i += 16) {
    __builtin_memcpy(t + i, f + i, 16);
    __asm__("" : : : "memory");
  }
  if (n & 8) __builtin_memcpy(t + n - 8, f + n - 8, 8);
  return t + n;
}

/* A thread is saved as [frames, slots, undefined slots, interruptions, expressions, 0: 32 bits each | what comes before spin[] | spin[] |
 * frames | slots | undefined slots | interruptions | expressions]. All slots: those above the frames hold what was left there, which must
 * be the same however the state was reached.
 *
 * Between two marks few threads move. So a mark has a list of where its threads are saved, and one that has not changed since an earlier
 * mark is found where that one saved it: thread->saved. Whatever changes a thread other than by its own step calls thread_changes(). */
enum { FRAMES, SLOTS, UNDEFINED, INTERRUPTED, EXPRESSIONS, HEAD = 6 };

static void thread_save(struct machine *m, struct thread *t) {
  const uint32_t head[HEAD] = {(uint32_t)t->frames.count, (uint32_t)t->slots.count, (uint32_t)t->undefined.count,
                               (uint32_t)t->interrupted.count, (uint32_t)t->expressions.count};
  size_t undefined = head[UNDEFINED] * sizeof *t->undefined.data, interrupted = head[INTERRUPTED] * sizeof *t->interrupted.data;
  size_t expressions = head[EXPRESSIONS] * sizeof *t->expressions.data;
  size_t spins = t->spins * sizeof *t->spin, frames = head[FRAMES] * sizeof *t->frames.data, slots = head[SLOTS] * sizeof *t->slots.data;
  t->saved = m->saved.count;
  unsigned char *to =
      vec_push_n(&m->saved, sizeof head + offsetof(struct thread, spin) + spins + frames + slots + undefined + interrupted + expressions);
  to = copy_fixed(to, head, sizeof head);
  to = copy_fixed(to, t, offsetof(struct thread, spin));
  to = copy(to, t->spin, spins);
  to = copy(to, t->frames.data, frames);
  to = copy(to, t->slots.data, slots);
  if (undefined) to = copy(to, t->undefined.data, undefined);
  if (interrupted) to = copy(to, t->interrupted.data, interrupted);
  if (expressions) copy(to, t->expressions.data, expressions);
}

static void thread_load(struct machine *m, struct thread *t, size_t saved) {
  const unsigned char *from = m->saved.data + saved;
  uint32_t head[HEAD];
  t->saved = saved;
  copy_fixed(head, from, sizeof head);
  copy_fixed(t, from += sizeof head, offsetof(struct thread, spin));
  size_t spins = t->spins * sizeof *t->spin, frames = head[FRAMES] * sizeof *t->frames.data, slots = head[SLOTS] * sizeof *t->slots.data;
  if (t->list == LIST_WATCHED) machine_watch(m, t);
  vec_clear(&t->frames);
  vec_clear(&t->slots);
  vec_clear(&t->undefined);
  vec_clear(&t->interrupted);
  vec_clear(&t->expressions);
  copy(t->spin, from += offsetof(struct thread, spin), spins);
  copy(vec_push_n(&t->frames, head[FRAMES]), from += spins, frames);
  copy(vec_push_n(&t->slots, head[SLOTS]), from += frames, slots);
  from += slots;
  if (head[UNDEFINED]) copy(vec_push_n(&t->undefined, head[UNDEFINED]), from, head[UNDEFINED] * sizeof *t->undefined.data);
  from += head[UNDEFINED] * sizeof *t->undefined.data;
  if (m->abandons) t->span = thread_span(m, t);
  if (head[INTERRUPTED]) copy(vec_push_n(&t->interrupted, head[INTERRUPTED]), from, head[INTERRUPTED] * sizeof *t->interrupted.data);
  from += head[INTERRUPTED] * sizeof *t->interrupted.data;
  if (head[EXPRESSIONS]) copy(vec_push_n(&t->expressions, head[EXPRESSIONS]), from, head[EXPRESSIONS] * sizeof *t->expressions.data);
}

/* Is the thread as it was saved? What is computed from it when it is asked for (`own`) does not count. */
[[maybe_unused]] static bool thread_is_saved(const struct machine *m, const struct thread *t) {
  const unsigned char *from = m->saved.data + t->saved;
  uint32_t head[HEAD];
  memcpy(head, from, sizeof head);
  if (head[FRAMES] != t->frames.count || head[SLOTS] != t->slots.count) return false;
  if (head[UNDEFINED] != t->undefined.count || head[INTERRUPTED] != t->interrupted.count) return false;
  if (head[EXPRESSIONS] != t->expressions.count) return false;
  size_t spins = t->spins * sizeof *t->spin, frames = head[FRAMES] * sizeof *t->frames.data, slots = head[SLOTS] * sizeof *t->slots.data;
  if (memcmp(from += sizeof head, t, offsetof(struct thread, own)) != 0) return false;
  if (memcmp(from += offsetof(struct thread, spin), t->spin, spins) != 0) return false;
  return memcmp(from += spins, t->frames.data, frames) == 0 && (!slots || memcmp(from + frames, t->slots.data, slots) == 0);
}

static void threads_save(struct machine *m) {
  for (uint32_t i = 0; i < m->ncreated; i++) {
    struct thread *t = m->threads[m->created[i]];
    if (t->saved == NOT_SAVED) thread_save(m, t);
    assert(thread_is_saved(m, t));
  }
}

/* Where they are. */
static void threads_list(struct machine *m) {
  unsigned char *to = vec_push_n(&m->saved, m->ncreated * sizeof(size_t));
  for (uint32_t i = 0; i < m->ncreated; i++, to += sizeof(size_t)) memcpy(to, &m->threads[m->created[i]]->saved, sizeof(size_t));
}

/* The `n` threads of the list at `at` in m->saved, as they were; returns what is behind it. */
static const unsigned char *threads_load(struct machine *m, size_t at, uint32_t n) {
  const unsigned char *from = m->saved.data + at;
  for (uint32_t i = 0; i < n; i++, from += sizeof(size_t)) {
    struct thread *t = m->threads[m->created[i]];
    size_t saved;
    memcpy(&saved, from, sizeof saved);
    if (t->saved != saved) thread_load(m, t, saved);
  }
  return from;
}

_Static_assert(offsetof(struct thread, spin) % 8 == 0 && sizeof(struct spin_read) % 8 == 0 && sizeof(struct frame) % 8 == 0 &&
                   sizeof(struct interrupted) % 8 == 0,
               "copy()");

size_t machine_mark(struct machine *m, size_t *bytes) {
  size_t saved = m->saved.count, logged = m->memory.log.count;
  threads_save(m);
  struct machine_mark *mark = vec_push(&m->marks);
  mark->enabled = m->enabled, mark->alive = m->alive, mark->watched = m->watched, mark->spinning = m->spinning;
  mark->nspinning = m->nspinning, mark->ncomputed = m->ncomputed, mark->ncreated = m->ncreated, mark->nrun = m->nrun;
  mark->unjoined = m->unjoined, mark->status = m->status, mark->exit_code = m->exit_code;
  mark->single = m->single, mark->was_atomic = m->was_atomic, mark->exhausted = m->exhausted;
  mark->parked = m->parked, mark->circling = m->circling, mark->unended = m->unended;
  mark->events = m->trace.count;
  mark->output[0] = m->output[0].count, mark->output[1] = m->output[1].count;
  mark->saved = m->saved.count;
  mark->invocations = m->invocations ? invocations_count(m) : 0;
  mark->told = m->told.count, mark->operations = m->operations.count, mark->inputs = m->given.count, mark->recorded = m->recorded.count;
  threads_list(m);
  if (m->buffers) buffers_save(m);
  if (m->symbolic) symbolic_mark(m->symbolic);
  size_t number = memory_mark(&m->memory);
  if (bytes) *bytes = m->saved.count - saved + (logged - m->memory.marks.data[number ? number - 1 : 0].log) * sizeof(struct granule);
  return number;
}

static void output_truncate(struct text *output, size_t n) {
  output->count = n;
  if (output->data) output->data[n] = 0;
}

void machine_rollback(struct machine *m, size_t number) {
  const struct machine_mark *to = &m->marks.data[number];
  m->counts.restores++;
  if (number == 0) patience_learn(m);
  memory_rollback(&m->memory, number);
  for (uint32_t i = to->ncreated; i < m->ncreated; i++) m->threads[m->created[i]]->state = THREAD_NONE;
  const unsigned char *from = threads_load(m, to->saved, to->ncreated);
  if (m->buffers) from = buffers_load(m, from, to->ncreated);
  m->saved.count = (size_t)(from - m->saved.data);
  m->enabled = to->enabled, m->alive = to->alive, m->watched = to->watched, m->spinning = to->spinning;
  m->nagain = 0;
  m->nspinning = to->nspinning, m->ncomputed = to->ncomputed, m->ncreated = to->ncreated, m->nrun = to->nrun;
  m->unjoined = to->unjoined, m->status = to->status, m->exit_code = to->exit_code;
  m->single = to->single, m->stores_long = m->single || m->buffers, m->was_atomic = to->was_atomic, m->exhausted = to->exhausted;
  m->parked = to->parked, m->circling = to->circling, m->unended = to->unended;
  m->trace.count = to->events;
  if (m->invocations) invocations_cut(m, to->invocations), m->silent = false;
  m->told.count = to->told, m->operations.count = to->operations;
  path_forget(m, to->recorded);
  m->data_limit = DATA_NO_LIMIT;
  m->given.count = to->inputs, m->input.count = to->inputs ? vec_last(&m->given).end : 0;
  if (m->symbolic) symbolic_rollback(m->symbolic, number);
  output_truncate(&m->output[0], to->output[0]);
  output_truncate(&m->output[1], to->output[1]);
  m->marks.count = number + 1;
  if (m->buffers) buffers_show(m);
}

void machine_reset(struct machine *m) { machine_rollback(m, 0); }

static void run_to_initial_state(struct machine *m) {
  struct thread *t = m->threads[0];
  m->nrun = 1;
  enum run run = thread_bottom(m, t, 0);
  if (run == RUN_FRAME) thread_run(m, t);
  if (m->status == MACHINE_RUNNING && t->state == THREAD_ENDED) m->status = MACHINE_DONE;
  vec_clear(&m->trace);
  if (m->status == MACHINE_RUNNING)
    machine_settle(m);
  else
    m->alive = (struct tset){0};
  machine_mark(m, NULL);
  if (m->buffers) buffers_show(m);
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
  if (!remarks_new(m)) {
    memory_release(&m->memory);
    mem_free(m, sizeof *m);
    return diag_set(d, ERR_TOOL, "no memory for remarks on %u places of the program", image->nsites);
  }
  liveness_init(&m->liveness, image);
  m->options = *options;
  if (options->properties) m->monitor = monitor_new(options->properties);
  if (options->spec) invocations_new(m, options->spec);
  m->notes_steps = m->invocations || (options->scenario && options->scenario->crashes);
  if (options->sequential) m->history = history_new(options->scenario, options->sequential);
  m->own_span = options->no_narrowing ? 0 : REGION_SIZE;
  m->single = m->stores_long = true;
  m->budget = 0;
  m->model_main_exit = find_function(image, "__hd_main_exit");
  m->model_begin = find_function(image, "__hd_begin");
  m->model_thread_exit = find_function(image, "__hd_thread_exit");
  enum err e = read_files(m, d);
  if (e != ERR_NONE) {
    machine_free(m);
    return e;
  }
  if (options->memory != MEMORY_SC) buffers_new(m);
  m->nondet = options->nondet && image_asks_nondet(image);
  if (options->apart || (options->all_inputs && machine_has_inputs(m))) m->symbolic = symbolic_new();
  if (options->apart) m->symbolic->apart = true;
  load_globals(m);
  builtin_bind(m);
  path_begin(m);
  text_puts(&m->names[0], "0");
  struct thread *t = m->threads[0] = mem_alloc(sizeof *t);
  *t = (struct thread){.state = THREAD_LIVE, .stage = STAGE_CTORS, .low = region_base(0), .span = m->own_span, .saved = NOT_SAVED};
  m->words = 1;
  m->created[m->ncreated++] = 0;
  if (m->buffers) buffer_begin(m, 0);
  tset_add(&m->alive, 0);
  region_begin(&m->memory, 0, image->tls, image->header->tls_size, image->header->tls_align);
  if (options->nsources) memset(vec_push_n(&m->source_at, options->nsources), 0, options->nsources * sizeof *m->source_at.data);
  const char *const no_name[] = {"program", NULL};
  uint64_t unused;
  m->arguments[1] = place_strings(m, options->arguments ? options->arguments : no_name, SOURCE_ARGUMENT, &m->arguments[0]);
  m->arguments[2] = place_strings(m, options->environment, SOURCE_VARIABLE, &unused);
  run_to_initial_state(m);
  *out = m;
  return ERR_NONE;
}

void machine_free(struct machine *m) {
  if (!m) return;
  for (uint32_t i = 0; i < THREADS_MAX; i++) {
    struct thread *t = m->threads[i];
    text_release(&m->names[i]);
    if (!t) continue;
    vec_release(&t->frames);
    vec_release(&t->slots);
    vec_release(&t->undefined);
    vec_release(&t->interrupted);
    vec_release(&t->expressions);
    mem_free(t, sizeof *t);
  }
  vec_release(&m->marks);
  vec_release(&m->told);
  history_free(m->history);
  vec_release(&m->operations);
  path_forget(m, 0);
  vec_release(&m->recorded);
  vec_release(&m->given);
  vec_release(&m->input);
  symbolic_free(m->symbolic);
  monitor_free(m->monitor);
  invocations_free(m);
  vec_release(&m->saved);
  vec_release(&m->thread_locals);
  vec_release(&m->trace);
  finding_release(&m->finding);
  diag_release(&m->diag);
  text_release(&m->output[0]);
  text_release(&m->output[1]);
  liveness_release(&m->liveness);
  hashmap_release(&m->children);
  hashmap_release(&m->patience);
  vec_release(&m->impatient);
  for (size_t i = 0; i < m->files.count; i++) text_release(&m->files.data[i]);
  vec_release(&m->files);
  vec_release(&m->file_sources);
  vec_release(&m->source_at);
  buffers_free(m);
  mem_free(m->externs, m->image->nexterns * sizeof *m->externs);
  remarks_free(m);
  memory_release(&m->memory);
  mem_free(m, sizeof *m);
}

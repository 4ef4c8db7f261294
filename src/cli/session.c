#include "cli/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/vec.h"
#include "cli/console.h"
#include "execution/alone.h"
#include "machine/machine.h"
#include "program/compile.h"
#include "program/source.h"
#include "report/schedule_file.h"
#include "trace/path_log.h"

struct session_inputs session_inputs_of(const struct options *o) {
  return (struct session_inputs){.programs = o->programs,
                                 .flags = o->flags,
                                 .arguments = o->arguments,
                                 .allowed = o->allowed,
                                 .readable = o->readable,
                                 .loads = o->loads,
                                 .environment = o->environment,
                                 .properties = o->properties,
                                 .specs = o->specs,
                                 .symbolic_stdin = o->symbolic_stdin,
                                 .symbolic_files = o->symbolic_files,
                                 .symbolic_arguments = o->symbolic_arguments,
                                 .symbolic_variables = o->symbolic_variables,
                                 .input = o->input,
                                 .memory = o->memory,
                                 .loop_bound = o->loop_bound,
                                 .spurious = o->spurious,
                                 .no_leaks = o->no_leaks,
                                 .exit_codes = o->exit_codes,
                                 .linearizable = o->linearizable,
                                 .model = o->model,
                                 .outputs = o->outcomes};
}

static void terminate(struct words *to, const char *first, const struct words *from) {
  if (first) *vec_push(to) = first;
  for (size_t i = 0; i < from->count; i++) *vec_push(to) = from->data[i];
  *vec_push(to) = NULL;
}

enum err session_memory(const char *memory, enum machine_memory *to, struct diag *d) {
  static const char *const names[] = {[MEMORY_SC] = "sc", [MEMORY_TSO] = "tso", [MEMORY_PSO] = "pso"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(memory, names[i])) continue;
    *to = (enum machine_memory)i;
    return ERR_NONE;
  }
  return diag_set(d, ERR_USAGE, "there is no memory model \"%s\"; sc, tso and pso are known", memory);
}

static enum err check_readable(const struct session_inputs *inputs, const char *path, struct diag *d) {
  enum err e = file_check(path, inputs->from_file ? FILE_TEXT : FILE_INPUT, d);
  if (!e && access(path, R_OK) != 0) e = diag_set(d, ERR_FILE, "cannot open %s: %s", path, strerror(errno));
  return e;
}

static enum err check_variable(const char *variable, struct diag *d) {
  const char *equals = strchr(variable, '=');
  if (equals && equals != variable) return ERR_NONE;
  return diag_set(d, ERR_USAGE, "\"%s\" is no variable of an environment: NAME=VALUE", variable);
}

static enum err check_inputs(const struct session_inputs *inputs, enum machine_memory *memory, struct diag *d) {
  if (inputs->programs.count == 0) {
    diag_set(d, ERR_USAGE, "no program given");
    diag_hint(d, "name C or C++ sources, LLVM bitcode, or a program built with heddle cc");
    return ERR_USAGE;
  }
  enum err e = session_memory(inputs->memory, memory, d);
  if (!e && inputs->input) e = check_readable(inputs, inputs->input, d);
  for (size_t i = 0; !e && i < inputs->readable.count; i++) e = check_readable(inputs, inputs->readable.data[i], d);
  for (size_t i = 0; !e && i < inputs->environment.count; i++) e = check_variable(inputs->environment.data[i], d);
  return e;
}

/* Why it stopped, in terms of what the user asked for. */
static enum err stopped(enum err e, struct diag *d) {
  bool by_time = e == ERR_INTERRUPTED && deadline_passed == DEADLINE_TIME;
  return by_time ? diag_set(d, e, "%s", SESSION_OUT_OF_TIME) : e;
}

/* What cannot be watched in a property; NULL: nothing. */
static const struct property_text *unwatched(const struct property *p, const char **what, struct diag *d) {
  const struct property_source *accesses = property_source_of(p, PROPERTY_READ, PROPERTY_DEREFERENCE);
  const struct property_atom *unclear = property_unclear_region(p);
  *what = accesses ? "accesses are no events of properties where programs are checked" : "it does not say which region ends there";
  if (accesses) diag_hint(d, "name a call, a lock or an HD_EVENT there; heddle predict asks about accesses of recorded runs");
  if (!accesses && unclear) diag_hint(d, "each source of the event has to give the parameters that the beginning of the region gives");
  return accesses ? &accesses->name : unclear ? &unclear->at : NULL;
}

/* What the machine is told of: calls, locks and marks. */
static enum err read_properties(struct session *s, const struct session_inputs *inputs, bool *locks, struct diag *d) {
  enum err e = property_files_read(&s->properties, &inputs->properties, d);
  for (size_t i = 0; i < s->properties.files.count && !e; i++) {
    const struct property_file *file = &s->properties.files.data[i];
    for (size_t k = file->first; k < file->first + file->count && !e; k++) {
      const struct property *p = &s->properties.all.list.data[k];
      const char *what;
      const struct property_text *at = unwatched(p, &what, d);
      *locks |= property_source_of(p, PROPERTY_ACQUIRE, PROPERTY_RELEASE) != NULL;
      if (at) e = diag_set(d, ERR_UNSUPPORTED, "%s:%u:%u: %s", file->path, at->line, at->column, what);
    }
  }
  return e;
}

static bool is_known(const struct image *image, const char *prefix, const char *name, size_t length) {
  struct text whole = {0};
  bool known = false;
  text_printf(&whole, "%s%s%.*s", IMAGE_KNOWN_PREFIX, prefix, (int)length, name);
  for (uint32_t i = 0; i < image->nexterns && !known; i++)
    known = strcmp(image_string(image, image->externs[i].name), text_str(&whole)) == 0;
  text_release(&whole);
  return known;
}

/* Each event has a source that the program has. */
static enum err check_names(const struct image *image, const struct property *p, const char *file, struct diag *d) {
  for (size_t i = 0; i < p->events.count; i++) {
    const struct property_event *e = &p->events.data[i];
    const struct property_source *first = &p->sources.data[e->first];
    bool known = false;
    for (const struct property_source *s = first; s < first + e->count && !known; s++) {
      const char *prefix = s->what == PROPERTY_MARK ? "mark:" : "";
      known = (s->what != PROPERTY_CALL && s->what != PROPERTY_MARK) || is_known(image, prefix, s->name.at, s->name.length) ||
              (*prefix && is_known(image, prefix, "*", 1));
    }
    if (known) continue;
    diag_hint(d, "an event that never happens makes a property that says nothing; is the name written as in the program?");
    return diag_set(d, ERR_UNSUPPORTED, "%s:%u:%u: the program has no %s `%.*s'", file, first->name.line, first->name.column,
                    first->what == PROPERTY_MARK ? "mark" : "call of", (int)first->name.length, first->name.at);
  }
  return ERR_NONE;
}

static enum err check_all_names(const struct session *s, const struct words *specs, struct diag *d) {
  enum err e = s->specs ? spec_files_check(s->specs, specs, &s->image, d) : ERR_NONE;
  for (size_t i = 0; i < s->properties.files.count; i++) {
    const struct property_file *file = &s->properties.files.data[i];
    for (size_t k = file->first; k < file->first + file->count && !e && !file->competition; k++)
      e = check_names(&s->image, &s->properties.all.list.data[k], file->path, d);
  }
  return e;
}

/* The user's flags, and those that have the compiler tell the machine of overflows (machine/library/overflow.c). */
static void overflow_flags(const struct session_inputs *inputs, struct words *flags) {
  static const char *const added[] = {"-fsanitize=signed-integer-overflow,shift-base",
                                      "-fno-sanitize-trap=signed-integer-overflow,shift-base"};
  for (size_t i = 0; i < inputs->flags.count; i++) *vec_push(flags) = inputs->flags.data[i];
  for (size_t i = 0; i < sizeof added / sizeof *added; i++) *vec_push(flags) = added[i];
}

/* Overflows are seen in what is compiled for it. */
static enum err check_sources(const struct session_inputs *inputs, struct diag *d) {
  for (size_t i = 0; i < inputs->programs.count; i++) {
    if (compile_is_source(inputs->programs.data[i])) continue;
    return diag_set(d, ERR_USAGE, "no-overflow is asked of sources, which are compiled for it; %s is none", inputs->programs.data[i]);
  }
  return ERR_NONE;
}

static enum path_how how_of(const struct session_inputs *inputs) {
  return inputs->paths ? (enum path_how)inputs->paths->header.how : inputs->how;
}

/* What was run natively, in place of the program. The run that is repeated must be of the same build. */
static enum err build_recorded(struct session *s, const struct session_inputs *inputs, struct program_inputs *program, struct diag *d) {
  uint64_t build = 0;
  if (inputs->programs.count != 1) return diag_set(d, ERR_USAGE, "a recorded run is one of one program");
  s->rebuilt.how = how_of(inputs);
  enum err e = rebuild_woven(&s->rebuilt, inputs->programs.data[0], REBUILD_MODULES, "", d);
  if (!e) e = rebuild_hash(&s->rebuilt, &build, d);
  program->paths = (const char *const *)s->rebuilt.modules.list.data, program->npaths = s->rebuilt.modules.list.count;
  if (e || !inputs->paths || build == inputs->paths->header.build) return e;
  diag_hint(d, "record it again");
  return diag_set(d, ERR_DIVERGED, "%s is another build than that of the run", inputs->programs.data[0]);
}

/* On error the session is to be closed. */
static enum err open_program(struct session *s, const struct session_inputs *inputs, struct diag *d) {
  struct program_inputs program = {.paths = inputs->programs.data,
                                   .npaths = inputs->programs.count,
                                   .flags = inputs->flags.data,
                                   .nflags = inputs->flags.count,
                                   .loads = inputs->loads.data,
                                   .nloads = inputs->loads.count,
                                   .coverage = inputs->coverage,
                                   .operations = inputs->linearizable,
                                   .debug = inputs->debug ? &s->debug : NULL};
  struct text calls = {0};
  struct words flags = {0};
  enum err e = read_properties(s, inputs, &program.locks, d);
  if (!e && inputs->recorded) e = build_recorded(s, inputs, &program, d);
  if (!e && s->properties.overflow) {
    e = check_sources(inputs, d);
    overflow_flags(inputs, &flags);
    program.flags = flags.data, program.nflags = flags.count;
  }
  if (!e) e = spec_files_read(&s->specs, &inputs->specs, d);
  properties_calls(&s->properties.all, &calls);
  if (s->specs) spec_files_calls(s->specs, &calls);
  if (s->properties.all.list.count || s->specs) program.calls = text_str(&calls);
  if (!e) e = program_open(&program, &s->image, d);
  if (!e && (e = check_all_names(s, &inputs->specs, d))) image_close(&s->image);
  text_release(&calls);
  vec_release(&flags);
  return e;
}

/* What the file says that calls of hd_symbolic() were given. */
static void read_data(struct session *s, const struct schedule_file *f) {
  for (size_t i = 0; i < f->data.count; i++) {
    const char *digits = schedule_string(f, f->data.data[i].bytes);
    for (size_t k = 0; digits[k]; k += 2) {
      const char byte[] = {digits[k], digits[k + 1], 0};
      *vec_push(&s->bytes) = (uint8_t)strtoul(byte, NULL, 16);
    }
  }
  const uint8_t *bytes = s->bytes.data;
  for (size_t i = 0; i < f->data.count; i++) {
    const struct schedule_data *data = &f->data.data[i];
    size_t size = strlen(schedule_string(f, data->bytes)) / 2;
    *vec_push(&s->inputs) = (struct machine_input){.thread = schedule_string(f, data->thread),
                                                   .number = data->number,
                                                   .name = schedule_string(f, data->name),
                                                   .bytes = bytes,
                                                   .size = size};
    bytes += size;
  }
}

/* argv[0]; NULL: nothing says it. */
static const char *called_of(const struct session_inputs *inputs) { return inputs->paths ? inputs->paths->called : inputs->called; }

/* Files, and standard input, that are known by their bytes: of the run that is repeated, or as the file says. What the user says instead
 * counts. */
static void read_files(struct session *s, const struct session_inputs *inputs) {
  const struct path_log *log = inputs->paths;
  const struct schedule_file *f = log ? NULL : inputs->data;
  for (size_t i = 0; log && i < log->given.count; i++) {
    const struct path_given *g = &log->given.data[i];
    if (g->kind == PIECE_FILE && g->kept == PATH_KEPT) *vec_push(&s->files) = (struct machine_file){g->name, g->bytes, g->size};
    if (g->kind == PIECE_INPUT) *vec_push(&s->files) = (struct machine_file){NULL, g->bytes, g->size};
  }
  if (log && log->header.input == PATH_KEPT && !path_log_given(log, PIECE_INPUT, ""))
    *vec_push(&s->files) = (struct machine_file){NULL, "", 0};
  for (size_t i = 0; f && i < f->files.count; i++) {
    const struct schedule_bytes *from = &f->files.data[i];
    const char *name = from->name ? schedule_string(f, from->name) : NULL;
    *vec_push(&s->files) = (struct machine_file){name, text_str(&from->bytes), from->bytes.count};
  }
}

struct remark_at {
  uint32_t site;
  enum machine_remark what;
};
struct remarks {
  VEC(struct remark_at) list;
};

static void remarks_of(const struct machine *m, struct remarks *to) {
  for (unsigned what = 0; what < REMARK_NOT_OWN; what++)
    for (uint32_t i = 0; i < machine_image(m)->nsites && machine_remarked_anywhere(m, (enum machine_remark)what); i++)
      if (machine_remarked(m, i, (enum machine_remark)what)) *vec_push(&to->list) = (struct remark_at){i, (enum machine_remark)what};
}

static enum err run_alone(struct session *s, struct diag *d) {
  enum err e = alone_run(&s->sequential, s->model.header ? &s->model : &s->image, &s->options, s->model.header != NULL, d);
  s->options.sequential = &s->sequential;
  return e;
}

/* What executions of earlier machines did, the verdict is about, too. */
enum err session_play_on(struct session *s, const struct scenario *scenario, enum progress_condition asked, struct diag *d) {
  struct remarks remarks = {0};
  if (s->m) remarks_of(s->m, &remarks);
  machine_free(s->m);
  s->m = NULL;
  sequential_release(&s->sequential);
  s->scenario = *scenario;
  s->options.scenario = &s->scenario, s->options.sequential = NULL;
  s->options.no_narrowing = s->narrows_not || scenario->crashes; /* a step is one in every execution, or it is not known where it crashes */
  s->options.crash_states = scenario->crashes ? &s->crash_states : NULL;
  s->options.unjudged = asked != PROGRESS_NOT_ASKED, s->options.repeats = asked == PROGRESS_WAIT_FREE;
  enum err e = asked ? ERR_NONE : run_alone(s, d);
  if (!e) e = machine_new(&s->m, &s->image, &s->options, d);
  if (e) s->m = NULL;
  for (size_t i = 0; i < remarks.list.count && s->m; i++) machine_remark(s->m, remarks.list.data[i].site, remarks.list.data[i].what);
  vec_release(&remarks.list);
  return stopped(e, d);
}

enum err session_play(struct session *s, const struct scenario *scenario, struct diag *d) {
  return session_play_on(s, scenario, PROGRESS_NOT_ASKED, d);
}

/* Another implementation of the same operations. */
static enum err open_model(struct session *s, const struct session_inputs *inputs, struct diag *d) {
  const char *const paths[] = {inputs->model};
  const struct program_inputs program = {
      .paths = paths, .npaths = 1, .flags = inputs->flags.data, .nflags = inputs->flags.count, .operations = true};
  struct object other = {0};
  enum err e = program_open(&program, &s->model, d);
  if (e) return e;
  image_object(&s->model, &other);
  bool same = other.operations.count == s->object.operations.count;
  for (size_t i = 0; same && i < other.operations.count; i++) {
    const struct object_operation *a = &other.operations.data[i], *b = &s->object.operations.data[i];
    same = strcmp(a->name, b->name) == 0 && a->parameters == b->parameters;
  }
  vec_release(&other.operations);
  if (same) return ERR_NONE;
  diag_hint(d, "a model has an HD_OPERATION of the same name, with as many parameters, for each of the program's");
  return diag_set(d, ERR_UNSUPPORTED, "%s has not the same operations as %s", inputs->model, inputs->programs.data[0]);
}

/* The machine for the program; for an object's operations, once it is known what is done with it. */
static enum err open_machine(struct session *s, const struct session_inputs *inputs, struct diag *d) {
  struct scenario scenario;
  if (!inputs->linearizable) return machine_new(&s->m, &s->image, &s->options, d);
  image_object(&s->image, &s->object);
  enum err e = inputs->model ? open_model(s, inputs, d) : ERR_NONE;
  if (e || !inputs->scenario) return e;
  e = scenario_parse(&scenario, &s->object, inputs->scenario, d);
  return e ? e : session_play_on(s, &scenario, inputs->progress, d);
}

enum err session_open(struct session *s, const struct session_inputs *inputs, struct diag *d) {
  *s = (struct session){0};
  enum machine_memory memory = MEMORY_SC;
  enum err e = check_inputs(inputs, &memory, d);
  if (!e) e = unfixed_read(&s->unfixed, inputs, d);
  if (!e) e = open_program(s, inputs, d);
  if (e) {
    unfixed_release(&s->unfixed);
    property_files_release(&s->properties);
    spec_files_free(s->specs);
    rebuild_release(&s->rebuilt);
    text_release(&s->debug);
    return stopped(e, d);
  }
  if (d->message.count) console_warn(d);
  terminate(&s->argv, called_of(inputs) ? called_of(inputs) : inputs->programs.data[0], &inputs->arguments);
  terminate(&s->allowed, NULL, &inputs->allowed);
  terminate(&s->readable, NULL, &inputs->readable);
  terminate(&s->environment, NULL, &inputs->environment);
  if (inputs->data) read_data(s, inputs->data);
  read_files(s, inputs);
  s->options = (struct machine_options){
      .arguments = s->argv.data,
      .environment = s->environment.data,
      .input_file = inputs->input,
      .allowed = s->allowed.data,
      .readable = s->readable.data,
      .files = s->files.data,
      .nfiles = s->files.count,
      .memory = memory,
      .spurious_wakeups = inputs->spurious || inputs->apart,
      .whole_deadlocks = inputs->whole_deadlocks,
      .leaks = !inputs->no_leaks,
      .exit_codes = inputs->exit_codes,
      .see_alone = inputs->alone,
      .outputs = inputs->outputs,
      .all_inputs = inputs->all_inputs,
      .nondet = inputs->nondet,
      .inputs = s->inputs.data,
      .ninputs = s->inputs.count,
      .sources = s->unfixed.list.data,
      .nsources = s->unfixed.list.count,
      .properties = s->properties.all.list.count ? &s->properties.all : NULL,
      .spec = s->specs ? &s->specs->spec : NULL,
      .one_step = inputs->one_step,
      .paths = inputs->paths,
      .echo = inputs->echo,
      .once = inputs->echo,
      .few_threads = inputs->few_threads,
      .apart = inputs->apart,
      .records = inputs->records,
      .no_narrowing = inputs->accesses || inputs->apart || (inputs->content && inputs->content != s->image.header->content),
      .insn_limit = inputs->insn_limit};
  s->narrows_not = s->options.no_narrowing;
  e = open_machine(s, inputs, d);
  if (e) {
    s->m = NULL;
    session_close(s);
  }
  return stopped(e, d);
}

void session_close(struct session *s) {
  if (s->m) machine_free(s->m);
  sequential_release(&s->sequential);
  hashmap_release(&s->crash_states);
  vec_release(&s->object.operations);
  if (s->model.header) image_close(&s->model);
  image_close(&s->image);
  property_files_release(&s->properties);
  spec_files_free(s->specs);
  vec_release(&s->argv);
  vec_release(&s->allowed);
  vec_release(&s->readable);
  vec_release(&s->environment);
  vec_release(&s->inputs);
  vec_release(&s->bytes);
  vec_release(&s->files);
  unfixed_release(&s->unfixed);
  rebuild_release(&s->rebuilt);
  text_release(&s->debug);
}

static void describe_words(const struct words *words, struct schedule_file *f, struct schedule_strings *to) {
  for (size_t i = 0; i < words->count; i++) {
    uint32_t string = schedule_intern(f, words->data[i]);
    *vec_push(to) = string;
  }
}

/* Those that the program may have read. */
static void describe_files(const struct session_inputs *inputs, struct schedule_file *f) {
  const struct path_log *log = inputs->paths;
  bool has_input = false;
  for (size_t i = 0; log && i < log->given.count; i++) {
    const struct path_given *g = &log->given.data[i];
    bool is_input = g->kind == PIECE_INPUT;
    if (is_input ? inputs->input != NULL : g->kind != PIECE_FILE || g->kept != PATH_KEPT) continue;
    schedule_append_bytes(f, is_input ? 0 : schedule_intern(f, g->name), g->bytes, g->size);
    has_input |= is_input;
  }
  if (log && log->header.input == PATH_KEPT && !inputs->input && !has_input) schedule_append_bytes(f, 0, "", 0);
}

void session_describe(const struct session_inputs *inputs, struct schedule_file *f) {
  describe_words(&inputs->programs, f, &f->programs);
  describe_words(&inputs->flags, f, &f->flags);
  describe_words(&inputs->arguments, f, &f->arguments);
  describe_words(&inputs->allowed, f, &f->allowed);
  describe_words(&inputs->readable, f, &f->readable);
  describe_words(&inputs->loads, f, &f->loads);
  describe_words(&inputs->environment, f, &f->environment);
  describe_words(&inputs->properties, f, &f->properties);
  describe_words(&inputs->symbolic_stdin, f, &f->symbolic_stdin);
  describe_words(&inputs->symbolic_files, f, &f->symbolic_files);
  describe_words(&inputs->symbolic_arguments, f, &f->symbolic_arguments);
  describe_words(&inputs->symbolic_variables, f, &f->symbolic_variables);
  if (inputs->scenario) {
    uint32_t scenario = schedule_intern(f, inputs->scenario);
    *vec_push(&f->scenarios) = scenario;
  }
  if (inputs->model) {
    uint32_t model = schedule_intern(f, inputs->model);
    *vec_push(&f->models) = model;
  }
  describe_files(inputs, f);
  f->input = schedule_intern(f, inputs->input ? inputs->input : "");
  f->called = schedule_intern(f, called_of(inputs) ? called_of(inputs) : "");
  f->memory = schedule_intern(f, inputs->memory);
  f->loop_bound = inputs->loop_bound;
  f->spurious = inputs->spurious;
  f->whole_deadlocks = inputs->whole_deadlocks;
  f->no_leaks = inputs->no_leaks;
  f->exit_codes = inputs->exit_codes;
  f->alone = inputs->alone;
  f->nondet = inputs->nondet;
  f->recorded = inputs->recorded;
  f->how = how_of(inputs);
}

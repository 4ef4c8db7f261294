#include "cli/simulated.h"

#include <signal.h>
#include <string.h>

#include "base/file.h"
#include "cli/check.h"
#include "cli/ends.h"
#include "trace/path_log.h"

enum err simulated_check(const struct options *o, struct diag *d) {
  const char *option = strcmp(o->memory, "sc") != 0 ? "--memory"
                       : o->strategy                ? "--strategy"
                       : o->executions              ? "--executions"
                       : o->time > 0                ? "--time"
                       : o->input                   ? "--input"
                       : o->environment.count       ? "--env"
                       : o->readable.count          ? "--file"
                                                    : NULL;
  if (o->simulated && (o->hang > 0 || o->on_failure || o->until_failure))
    return diag_set(d, ERR_USAGE,
                    "--machine goes with none of --until-failure, --on-failure and --hang: it looks for what fails, a hang too");
  if (o->simulated || !option) return ERR_NONE;
  diag_hint(d, "--machine runs the program in the machine, until it fails");
  return diag_set(d, ERR_USAGE, "%s is for executions in the machine, and this program is run natively", option);
}

/* What the program is given, in the order of path_log.given; their bytes. */
typedef VEC(struct text) contents;

static enum err give_file(struct path_log *log, contents *bytes, enum path_piece_kind kind, const char *path, struct diag *d) {
  struct text *t = vec_push(bytes);
  *t = (struct text){0};
  enum err e = file_read(path, FILE_INPUT, t, d);
  if (!e && t->count > PATH_KEPT_MOST) e = diag_set(d, ERR_UNSUPPORTED, "%s has more bytes than a log has room for", path);
  if (!e) *vec_push(&log->given) = (struct path_given){kind, PATH_KEPT, kind == PIECE_FILE ? path : "", text_str(t), t->count};
  return e;
}

static enum err give(const struct options *o, struct path_log *log, contents *bytes, struct diag *d) {
  enum err e = ERR_NONE;
  log->header.input = PATH_KEPT;
  if (o->input) e = give_file(log, bytes, PIECE_INPUT, o->input, d);
  for (size_t i = 0; !e && i < o->readable.count; i++) e = give_file(log, bytes, PIECE_FILE, o->readable.data[i], d);
  for (size_t i = 0; i < o->environment.count; i++)
    *vec_push(&log->given) = (struct path_given){PIECE_VARIABLE, PATH_KEPT, o->environment.data[i], "", 0};
  return e;
}

static int exit_code_of(const struct path_header *h) {
  if (h->end == PATH_END_EXIT) return (int)h->code;
  return 128 + (int)(h->end == PATH_END_HANG ? SIGKILL : h->code);
}

enum err simulated_run(const struct options *o, const struct args *words, const char *program, const char *log_file,
                       struct path_header *header, uint64_t *runs, int *code, struct diag *d) {
  static const char *const kinds = ENDS_ALL;
  struct path_log log = {.program = program, .called = words->list.data[0], .header = {.how = path_how_find(o->paths)}};
  struct options alone = *o;
  contents bytes = {0};
  for (size_t i = 1; i < words->list.count; i++) *vec_push(&log.arguments) = words->list.data[i];
  alone.programs = alone.arguments = alone.only = (struct words){0};
  words_set(&alone.programs, 1, &program);
  words_set(&alone.arguments, log.arguments.count, log.arguments.data);
  words_set(&alone.only, 1, &kinds);
  alone.stop_at_first = alone.no_leaks = alone.exit_codes = alone.no_predict = true;
  if (!alone.strategy) alone.strategy = "random";
  enum err e = give(o, &log, &bytes, d);
  if (!e) *code = check_program(&alone, &(struct check_request){.record = &log});
  if (!e && *code == CHECK_NOTHING) {
    diag_hint(d, "another --seed, more --executions, --strategy=pct or maximal find others");
    e = diag_set(d, ERR_DIVERGED, "no execution failed");
  } else if (!e && *code == 0) {
    e = path_log_write(&log, log_file, d);
    *runs = 1;
    *header = log.header;
    *code = exit_code_of(header);
  }
  log.program = log.called = NULL;
  path_log_release(&log);
  for (size_t i = 0; i < bytes.count; i++) text_release(&bytes.data[i]);
  vec_release(&bytes);
  vec_release(&alone.programs);
  vec_release(&alone.arguments);
  vec_release(&alone.only);
  return e;
}

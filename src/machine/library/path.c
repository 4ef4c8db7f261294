/* What woven code tells of its branches (weave/paths.h), where a run of the program is repeated whose log is known (trace/path_format.h):
 * an execution in which a thread goes another way is none of it. */
#include "machine/internal.h"
#include "machine/library/system.h"
#include "machine/sync/table.h"

void path_child(struct machine *m, struct thread *parent, struct thread *child) {
  const struct path_log *log = m->options.paths;
  child->path = log && parent->path < PATH_THREADS ? path_log_child(log, parent->path, ++parent->made) : PATH_THREADS;
}

/* A thread that has come to the end of its log had not come further when the run ended: it stays where it is, and the others go on. */
static enum run goes(struct machine *m, struct thread *t, uint64_t number, uint32_t bits) {
  const struct path_log *log = m->options.paths;
  if (!log) return RUN_GO;
  if (t->path == PATH_THREADS || t->path_at + bits > log->threads.data[t->path].bits) return thread_stays(m, t);
  if (path_log_number(log, t->path, t->path_at, bits) != number) return system_assume_that(m, t, false);
  t->path_at += bits;
  return RUN_GO;
}

static BUILTIN(path_bit) {
  (void)result;
  return goes(m, t, args[0] & 1, 1);
}

static BUILTIN(path_number) {
  (void)result;
  return goes(m, t, args[0], (uint32_t)args[1]);
}

const struct builtin path_builtins[] = {
    {"__heddle_path_bit", path_bit, 1},
    {"__heddle_path_number", path_number, 2},
    {0},
};

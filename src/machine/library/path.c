/* What woven code tells of its branches (weave/paths.h), where a run of the program is repeated whose log is known (trace/path_format.h):
 * an execution in which a thread goes another way is none of it. */
#include <string.h>

#include "machine/internal.h"
#include "machine/library/system.h"
#include "machine/symbolic/symbolic.h"
#include "machine/sync/table.h"

/* A log is made: the thread is the next one of it. */
static uint32_t begin_log(struct machine *m, uint32_t parent, uint32_t nth) {
  *vec_push(&m->recorded) = (struct path_thread){.parent = parent, .nth = nth, .known = true};
  return (uint32_t)m->recorded.count - 1;
}

void path_begin(struct machine *m) {
  if (m->options.records) (void)begin_log(m, 0, 0);
}

void path_child(struct machine *m, struct thread *parent, struct thread *child) {
  const struct path_log *log = m->options.paths;
  child->path = PATH_THREADS;
  if (log && parent->path < PATH_THREADS) child->path = path_log_child(log, parent->path, ++parent->made);
  if (m->options.records) child->path = begin_log(m, parent->path, ++parent->made);
}

/* Without a log to go along. Where one is made, the thread goes on behind `logged`: what was there before the execution went back is gone.
 * That is no part of its state: a loop that makes the same turn for ever hangs. */
static void keep(struct machine *m, struct thread *t, uint64_t number, uint32_t bits) {
  if (!m->options.records) {
    t->path_at += bits;
    return;
  }
  path_log_cut(&m->recorded.data[t->path], t->logged);
  path_log_append(&m->recorded.data[t->path], number, bits);
  t->logged += bits;
}

void path_forget(struct machine *m, size_t threads) {
  for (; m->recorded.count > threads; m->recorded.count--) vec_release(&vec_last(&m->recorded).words);
}

void machine_recorded(struct machine *m, struct path_log *to) {
  for (uint32_t i = 0; i < m->ncreated; i++) {
    const struct thread *t = m->threads[m->created[i]];
    path_log_cut(&m->recorded.data[t->path], t->logged);
  }
  for (size_t i = 0; i < m->recorded.count; i++) {
    const struct path_thread *from = &m->recorded.data[i];
    struct path_thread *thread = vec_push(&to->threads);
    *thread = (struct path_thread){.parent = from->parent, .nth = from->nth, .known = true, .bits = from->bits};
    if (from->words.count) memcpy(vec_push_n(&thread->words, from->words.count), from->words.data, from->words.count * sizeof(uint64_t));
  }
}

uint32_t machine_log_thread(const struct machine *m, uint32_t thread) { return m->threads[thread]->path; }

#define PATH_GIVEN_MOST 4096u

static void depart(struct machine *m, const struct thread *t) {
  const struct path_log *log = m->options.paths;
  struct machine_departure d = {.thread = t->tid, .site = m->site, .at = t->path_at, .of = log->threads.data[t->path].bits};
  for (uint32_t i = 0; i < m->ncreated; i++) d.all += m->threads[m->created[i]]->path_at;
  for (size_t i = 0; i < log->threads.count; i++) d.whole += log->threads.data[i].bits;
  if (!m->departure.whole || d.all > m->departure.all) m->departure = d;
}

bool machine_departure(const struct machine *m, struct machine_departure *to) {
  *to = m->departure;
  return to->whole != 0;
}

/* A thread that has come to the end of its log had not come further when the run ended: it stays where it is, and the others go on. */
static bool has_ended(const struct machine *m, const struct thread *t, uint64_t bits) {
  return t->path == PATH_THREADS || t->path_at + bits > m->options.paths->threads.data[t->path].bits;
}

/* Without the log, where a schedule says what threads do, their places in it are counted all the same: no turn of a loop is like the one
 * before (fingerprint.c), as none was when the schedule was found. */
static enum run goes(struct machine *m, struct thread *t, uint64_t number, uint32_t bits) {
  if (!m->options.paths) {
    keep(m, t, number, bits);
    return RUN_GO;
  }
  if (has_ended(m, t, bits)) return thread_stays(m, t);
  uint64_t logged = path_log_number(m->options.paths, t->path, t->path_at, bits);
  if (m->options.apart) apart_told(m, bits, logged);
  if (logged != number) {
    depart(m, t);
    return system_assume_that(m, t, false);
  }
  t->path_at += bits;
  return RUN_GO;
}

enum run path_exits(struct machine *m, struct thread *t) {
  const struct path_log *log = m->options.paths;
  if (log->header.end != PATH_END_EXIT) return RUN_GO;
  apart_told(m, 8, log->header.code);
  if ((uint32_t)m->exit_code == log->header.code) return RUN_GO;
  if (t->path < PATH_THREADS) depart(m, t);
  return machine_stop(m, MACHINE_ASSUMED); /* it is a step already */
}

static BUILTIN(path_bit) {
  (void)result;
  return goes(m, t, args[0] & 1, 1);
}

static BUILTIN(path_number) {
  (void)result;
  return goes(m, t, args[0], (uint32_t)args[1]);
}

/* Only the first thread can be: as long as it has made none. */
static BUILTIN(path_alone) {
  (void)m, (void)args;
  *result = t->tid == 0 && t->children == 0;
  return RUN_GO;
}

/* (value, bits, name) */
static BUILTIN(path_result) {
  uint32_t bits = (uint32_t)args[1];
  uint8_t given[8], bytes[8];
  const char *name = access_string(m, t, args[2]);
  if (!name) return RUN_STOP;
  memcpy(bytes, &args[0], sizeof bytes);
  if (m->options.paths) {
    if (has_ended(m, t, bits)) return thread_stays(m, t);
    uint64_t number = path_log_number(m->options.paths, t->path, t->path_at, bits);
    memcpy(given, &number, sizeof given);
  }
  input_recorded(m, t, name, m->options.paths ? given : NULL, bytes, (bits + 7) / 8);
  *result = 0;
  memcpy(result, bytes, (bits + 7) / 8);
  if (m->options.paths)
    t->path_at += bits;
  else
    keep(m, t, *result, bits);
  return RUN_GO;
}

/* (address, size, name) */
static BUILTIN(path_bytes) {
  uint8_t given[PATH_GIVEN_MOST], bytes[PATH_GIVEN_MOST];
  uint64_t size = args[1];
  (void)result;
  const char *name = access_string(m, t, args[2]);
  if (!name) return RUN_STOP;
  if (size == 0) return RUN_GO;
  if (size > PATH_GIVEN_MOST) return machine_unsupported(m, t, "%s() that gives more than %u bytes", name, PATH_GIVEN_MOST);
  if (m->options.paths && has_ended(m, t, size * 8)) return thread_stays(m, t);
  for (uint64_t i = 0; i < size; i++) {
    uint64_t is;
    if (access_read(m, t, args[0] + i, 1, &is) != RUN_GO) return RUN_STOP;
    bytes[i] = (uint8_t)is;
    if (m->options.paths) given[i] = (uint8_t)path_log_number(m->options.paths, t->path, t->path_at + i * 8, 8);
  }
  input_recorded(m, t, name, m->options.paths ? given : NULL, bytes, size);
  if (m->options.paths) t->path_at += size * 8;
  for (uint64_t i = 0; i < size; i++) {
    if (!m->options.paths) keep(m, t, bytes[i], 8);
    if (access_write(m, t, args[0] + i, 1, bytes[i]) != RUN_GO) return RUN_STOP;
  }
  return RUN_GO;
}

const struct builtin path_builtins[] = {
    {"__heddle_path_bit", path_bit, 1},     {"__heddle_path_number", path_number, 2}, {"__heddle_path_result", path_result, 3},
    {"__heddle_path_bytes", path_bytes, 3}, {"__heddle_path_alone", path_alone, 0},   {0},
};

#include "cli/native/enact.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"
#include "cli/native/enact_file.h"
#include "cli/native/rebuild.h"
#include "cli/options.h"
#include "program/process.h"
#include "report/place.h"

enum { LOOK_US = 2000, STILL_LOOKS = 100 /* for so long nobody can go on */, ASLEEP_LOOKS = 25 };

struct enacting {
  const struct witness_file *w;
  const struct enact_options *o;
  struct enforce_file *f;
  struct enacted *out;
  pid_t pid;
  int status;
  double since;           /* the last time that something happened */
  double released;        /* when nobody was held any more; 0: somebody is */
  uint32_t seen;          /* the position, or beats, then */
  uint32_t still, asleep; /* looks */
};

static const char *const seen_texts[] = {
#define X(name, seen) seen,
    ENFORCE_KIND_LIST(X)
#undef X
};

void enacted_release(struct enacted *e) { text_release(&e->what); }

void enact_place(const struct witness_file *w, uint32_t site, struct text *out) {
  const struct witness_site *s = witness_file_site(w, site);
  if (!s || !s->line)
    text_puts(out, "an unknown place");
  else
    place_file_text(witness_file_string(w, s->file), out), text_printf(out, ":%" PRIu32 ":%" PRIu32, s->line, s->column);
}

void enact_step_text(const struct witness_file *w, const struct witness_step *s, const char *mark, struct text *out) {
  text_printf(out, "%s thread %s %s at ", mark, witness_file_string(w, w->threads.data[s->thread]), recorded_op_text(s->op));
  enact_place(w, s->site, out);
  text_putc(out, '\n');
}

void enact_steps_text(const struct witness_file *w, uint32_t position, bool all, struct text *out) {
  enum { SHOWN = 12 };
  size_t done = position < w->steps.count ? position : w->steps.count, from = all || done < SHOWN ? 0 : done - SHOWN;
  size_t to = all || done == w->steps.count ? w->steps.count : done + 1;
  if (from) text_printf(out, "  (%zu steps before)\n", from);
  for (size_t i = from; i < to; i++) enact_step_text(w, &w->steps.data[i], i < done ? "  done:  " : "  not:   ", out);
  for (size_t i = 0; i < w->ends.count && to == w->steps.count; i++) enact_step_text(w, &w->ends.data[i], "  before:", out);
}

/* --- starting --- */

static void set_environment(const char *file, const char *links) {
  const char *libraries = getenv("LD_LIBRARY_PATH");
  struct text value = {0};
  text_printf(&value, "witness=%s", file);
  rebuild_pad(&value);
  setenv("HEDDLE_OPTIONS", text_str(&value), true);
  text_clear(&value);
  text_printf(&value, "%s%s%s", links, libraries ? ":" : "", libraries ? libraries : "");
  if (*links) setenv("LD_LIBRARY_PATH", text_str(&value), true);
  text_release(&value);
}

static void close_streams(void) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int i = 0; i < 3 && null >= 0; i++) dup2(null, i);
}

static void set_inputs(const struct enact_options *o) {
  int input = o->input && !o->gdb ? open(o->input, O_RDONLY | O_CLOEXEC) : -1;
  if (input >= 0) dup2(input, 0);
  for (size_t i = 0; o->environment && i < o->environment->count; i++) {
    const char *word = o->environment->data[i], *equals = strchr(word, '=');
    struct text name = {0};
    if (!equals) continue;
    text_printf(&name, "%.*s", (int)(equals - word), word);
    setenv(text_str(&name), equals + 1, true);
    text_release(&name);
  }
}

/* gdb, if it is to be there, in front of the program. */
static enum err make_command(const struct enacting *e, const char *program, struct text *path, struct args *command, struct diag *d) {
  const struct words *gdb = e->o->gdb;
  text_puts(path, gdb ? "" : program);
  if (gdb && !process_find("gdb", path)) {
    diag_hint(d, "install the package gdb");
    return diag_set(d, ERR_TOOL, "there is no gdb");
  }
  if (gdb) args_add(command, "gdb"), args_add(command, "-q"), args_add(command, "-iex"), args_add(command, "set confirm off");
  if (gdb) args_append_argv(command, gdb->count, gdb->data);
  if (gdb) args_add(command, "--args"), args_add(command, program);
  for (size_t i = gdb ? 1 : 0; i < e->w->arguments.count; i++) args_add(command, witness_file_string(e->w, e->w->arguments.data[i]));
  return ERR_NONE;
}

/* In a process group of its own if it is quiet, so that all that it starts can be ended. */
static enum err start(struct enacting *e, const char *program, const char *file, const char *links, struct diag *d) {
  struct text path = {0};
  struct args command = {0};
  enum err err = make_command(e, program, &path, &command, d);
  char **words = (char **)(uintptr_t)args_argv(&command);
  fflush(NULL);
  if (err) {
    args_release(&command), text_release(&path);
    return err;
  }
  e->pid = fork();
  if (e->pid == 0) {
    set_environment(file, links);
    if (e->o->quiet) setpgid(0, 0), close_streams();
    set_inputs(e->o);
    personality(ADDR_NO_RANDOMIZE); /* addresses decide what some programs do; where it is forbidden, they may differ */
    execv(text_str(&path), words);
    _exit(127);
  }
  args_release(&command), text_release(&path);
  return e->pid < 0 ? diag_set(d, ERR_TOOL, "cannot start a process: %s", strerror(errno)) : ERR_NONE;
}

static void end(struct enacting *e) {
  if (e->pid <= 0) return;
  kill(e->o->quiet ? -e->pid : e->pid, SIGKILL);
  while (waitpid(e->pid, &e->status, 0) < 0 && errno == EINTR) {
  }
  e->pid = 0;
}

/* --- looking --- */

static const struct enforce_thread *thread_of(const struct enacting *e, uint32_t step) {
  return &enforce_threads(e->f)[enforce_steps(e->f)[step].thread];
}

/* Nobody who is known can go on: the next step's thread does something else, or is not there. */
static bool is_stuck(const struct enacting *e) {
  uint32_t position = __atomic_load_n(&e->f->position, __ATOMIC_ACQUIRE);
  if (position < e->f->steps && thread_of(e, position)->state == ENFORCE_NOT_THERE) return false; /* it may begin late */
  for (uint32_t i = 0; i < e->f->threads; i++) {
    uint32_t state = __atomic_load_n(&enforce_threads(e->f)[i].state, __ATOMIC_ACQUIRE);
    if (state == ENFORCE_RUNS) return false;
    if (state == ENFORCE_WAITS && position < e->f->steps && enforce_steps(e->f)[position].thread == i) return false;
  }
  return true;
}

/* Does the thread of that number sleep in one of the C library's waits, without a limit? */
static bool task_sleeps(const struct enacting *e, const char *task) {
  enum { FUTEX = 202 };
  char path[64], line[256];
  unsigned long long number, word, op, value, limit;
  snprintf(path, sizeof path, "/proc/%d/task/%.20s/syscall", e->pid, task);
  FILE *f = fopen(path, "re");
  bool read = f && fgets(line, sizeof line, f);
  if (f) fclose(f);
  return read && sscanf(line, "%llu %llx %llx %llx %llx", &number, &word, &op, &value, &limit) == 5 && number == FUTEX && limit == 0;
}

/* Do all threads of the process? Then nothing in it will wake them. */
static bool all_sleep(const struct enacting *e) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", e->pid);
  DIR *tasks = opendir(path);
  bool all = tasks != NULL;
  for (struct dirent *t; all && (t = readdir(tasks));) all = t->d_name[0] == '.' || task_sleeps(e, t->d_name);
  if (tasks) closedir(tasks);
  return all;
}

/* Those of which the finding says so, whatever the others do; if it says it of none, all. */
static bool is_asleep(const struct enacting *e) {
  uint32_t n = 0, asleep = 0;
  for (uint32_t i = 0; i < e->f->threads; i++) {
    const struct enforce_thread *t = &enforce_threads(e->f)[i];
    char task[32];
    if (!t->hangs) continue;
    snprintf(task, sizeof task, "%" PRIu32, t->task);
    n++, asleep += t->task && task_sleeps(e, task);
  }
  return n ? asleep == n : all_sleep(e);
}

/* --- what came of it --- */

static void tell_state(const struct enacting *e, const struct enforce_thread *t, struct text *out) {
  static const char *const texts[] = {"it was never there",
                                      "it did something else, last seen at ",
                                      "it waits for its turn at ",
                                      "it has done all its steps, and stands at ",
                                      "it stands at ",
                                      "it has ended, last seen at "};
  text_puts(out, texts[t->state <= ENFORCE_ENDED ? t->state : 0]);
  if (t->state != ENFORCE_NOT_THERE) enact_place(e->w, t->site, out);
}

/* The first step that was not done, and where its thread is. */
static void tell_step(const struct enacting *e, const char *how) {
  struct text *out = &e->out->what;
  uint32_t at = e->f->position;
  if (at >= e->f->steps) {
    for (uint32_t i = 0; i < e->f->ends; i++) {
      if (e->f->stands[i].there) continue;
      const struct enforce_step *s = &enforce_steps(e->f)[e->f->steps + i];
      text_printf(out, "%s before thread %s came to ", how, enforce_threads(e->f)[s->thread].name);
      enact_place(e->w, s->site, out);
      text_puts(out, ": "), tell_state(e, &enforce_threads(e->f)[s->thread], out);
      return;
    }
    text_printf(out, "%s when all steps were done", how);
    if (e->o->ending && e->o->ending->how == ENACT_ANY_SIGNAL) text_puts(out, "; what is misused need not end a native run");
    return;
  }
  text_printf(out, "%s at step %" PRIu32 " of %" PRIu32 ", thread %s's at ", how, at + 1, e->f->steps, thread_of(e, at)->name);
  enact_place(e->w, enforce_steps(e->f)[at].site, out);
  text_puts(out, ": "), tell_state(e, thread_of(e, at), out);
}

static void tell_result(const struct enacting *e) {
  struct text *out = &e->out->what;
  e->out->confirmed = e->f->result == ENFORCE_CONFIRMED;
  if (e->out->confirmed) text_puts(out, seen_texts[e->f->kind]);
  if (e->f->result == ENFORCE_OTHER) text_printf(out, "all steps were done, but %.*s", (int)sizeof e->f->why - 1, e->f->why);
  if (e->f->result != ENFORCE_LEFT) return;
  if (e->f->step >= e->f->steps)
    text_printf(out, "before thread %s came to ", thread_of(e, e->f->step)->name);
  else
    text_printf(out, "at step %" PRIu32 " of %" PRIu32 ", thread %s's at ", e->f->step + 1, e->f->steps, thread_of(e, e->f->step)->name);
  enact_place(e->w, enforce_steps(e->f)[e->f->step].site, out);
  text_printf(out, ", %.*s", (int)sizeof e->f->why - 1, e->f->why);
  text_puts(out, ", at "), enact_place(e->w, e->f->other, out);
}

/* All steps were done, in the last of which the thread got NULL, and then there was no memory. (The access itself may not be recorded, as
 * nobody else touches what it is of in the run: trace/thin.h.) */
static bool is_null(const struct enacting *e) {
  bool no_memory = WIFSIGNALED(e->status) && (WTERMSIG(e->status) == SIGSEGV || WTERMSIG(e->status) == SIGBUS);
  return e->f->kind == ENFORCE_NULL_POINTER && e->f->position >= e->f->steps && no_memory;
}

/* Has every step been done, or begun, but for those that need not come? */
static bool is_through(const struct enacting *e) {
  for (uint32_t i = e->f->position; i < e->f->steps; i++) {
    const struct enforce_step *s = &enforce_steps(e->f)[i];
    if (!s->loose && s->begun == ENFORCE_WAITING) return false;
  }
  return true;
}

/* Has the process ended as it is to? */
static bool is_as_meant(const struct enacting *e) {
  const struct enact_ending *ending = e->o->ending;
  if (!ending || !is_through(e)) return false;
  int signal = WIFSIGNALED(e->status) ? WTERMSIG(e->status) : 0;
  if (ending->how == ENACT_EXIT) return WIFEXITED(e->status) && WEXITSTATUS(e->status) != 0;
  if (ending->how == ENACT_SIGNAL) return signal == ending->signal || (ending->signal == SIGSEGV && signal == SIGBUS);
  return ending->how == ENACT_ANY_SIGNAL && signal;
}

static void tell_how(const struct enacting *e, struct text *out) {
  if (WIFSIGNALED(e->status))
    text_printf(out, "the program was ended by signal %d (%s)", WTERMSIG(e->status), strsignal(WTERMSIG(e->status)));
  else
    text_printf(out, "the program ended with exit code %d", WEXITSTATUS(e->status));
}

/* The process has ended by itself, or a signal. */
static void tell_end(const struct enacting *e) {
  if (is_as_meant(e)) {
    e->out->confirmed = true;
    tell_how(e, &e->out->what), text_puts(&e->out->what, " behind the last step");
  } else if (e->f->result != ENFORCE_OPEN) {
    tell_result(e);
  } else if (is_null(e)) {
    e->out->confirmed = true;
    text_puts(&e->out->what, "the thread read NULL, and the program was ended, since there is no memory");
  } else if (e->f->waits && !e->o->ending) {
    e->out->confirmed = !WIFSIGNALED(e->status);
    text_puts(&e->out->what, WIFSIGNALED(e->status) ? "a signal ended the program while the thread waited"
                                                    : "the thread waited behind the last notification, until the program ended");
  } else {
    struct text how = {0};
    tell_how(e, &how);
    tell_step(e, text_str(&how));
    text_release(&how);
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* True if there is nothing more to come. */
static bool look(struct enacting *e) {
  if (e->f->waits && e->released == 0) e->released = now();
  bool turning = e->o->ending && e->o->ending->how == ENACT_TURNS && e->f->waits; /* what goes on is no sign of life */
  uint32_t seen = __atomic_load_n(&e->f->position, __ATOMIC_ACQUIRE) + (turning ? 0 : __atomic_load_n(&e->f->beats, __ATOMIC_ACQUIRE));
  if (seen != e->seen) e->seen = seen, e->since = now(), e->still = e->asleep = 0;
  if (e->f->waits) {
    e->asleep = is_asleep(e) ? e->asleep + 1 : 0;
    e->out->confirmed = e->asleep > ASLEEP_LOOKS;
    if (e->out->confirmed) text_puts(&e->out->what, seen_texts[e->f->kind]);
    if (e->out->confirmed) return true;
  } else {
    e->still = is_stuck(e) ? e->still + 1 : 0;
    if (e->still > STILL_LOOKS) {
      tell_step(e, "the threads came to a standstill");
      return true;
    }
  }
  bool overdue = e->f->waits && e->o->ending && now() - e->released > e->o->limit; /* others may go on for ever */
  if (now() - e->since < e->o->limit && !overdue && !deadline_passed) return false;
  e->out->confirmed = turning && !deadline_passed;
  if (e->out->confirmed)
    text_puts(&e->out->what, "no thread came to an end any more behind the last step");
  else if (deadline_passed)
    tell_step(e, "the run was interrupted");
  else if (e->f->waits && e->o->ending)
    tell_step(e, "the program ran on, although each thread should wait");
  else if (e->f->waits)
    text_puts(&e->out->what, "the thread waited behind the last notification, but another one might still notify it");
  else
    tell_step(e, "nothing happened any more");
  return true;
}

static void watch(struct enacting *e) {
  e->since = now();
  for (bool over = false; !over;) {
    pid_t pid = waitpid(e->pid, &e->status, WNOHANG);
    if (pid == e->pid) {
      if (e->o->quiet) kill(-e->pid, SIGKILL); /* what it has started */
      e->pid = 0;
      tell_end(e);
      over = true;
    } else if (!(over = look(e))) {
      usleep(LOOK_US);
    }
  }
  end(e);
  e->out->position = e->f->position;
}

/* gdb decides when it is over. */
static void debug(struct enacting *e) {
  void (*before)(int) = signal(SIGINT, SIG_IGN); /* gdb's */
  if (e->o->input) fprintf(stderr, "heddle: note: the program's standard input is to be %s: in gdb, run < %s\n", e->o->input, e->o->input);
  while (waitpid(e->pid, &e->status, 0) < 0 && errno == EINTR) {
  }
  e->pid = 0;
  signal(SIGINT, before);
  e->out->debugged = process_exit_code(e->status);
}

static bool has_addresses(const struct witness_file *w) {
  for (size_t i = 0; i < w->steps.count; i++)
    if (w->steps.data[i].address) return true;
  for (size_t i = 0; i < w->ends.count; i++)
    if (w->ends.data[i].address) return true;
  return false;
}

static enum err run(const struct witness_file *w, const struct enact_options *o, const char *program, const char *links, bool addresses,
                    struct enacted *out, struct diag *d) {
  struct enacting e = {.w = w, .o = o, .out = out};
  struct text file = {0};
  size_t size = 0;
  text_clear(&out->what);
  enum err err = enact_file_new(w, o, addresses, &file, &e.f, &size, d);
  if (!err) err = start(&e, program, text_str(&file), links, d);
  if (!err && o->gdb)
    debug(&e);
  else if (!err)
    watch(&e);
  if (e.f) munmap(e.f, size), unlink(text_str(&file));
  text_release(&file);
  return err;
}

/* Where addresses may have become others, places alone are tried as well. */
enum err enact(const struct witness_file *w, const struct enact_options *o, struct enacted *out, struct diag *d) {
  struct rebuild r = {0};
  struct text path = {0}, links = {0};
  const char *program = o->program ? o->program : witness_file_string(w, w->program);
  bool addresses = has_addresses(w);
  enum err e = process_find(program, &path) ? ERR_NONE : diag_set(d, ERR_FILE, "cannot run %s: %s", program, strerror(errno));
  if (!e) e = rebuild_woven(&r, text_str(&path), REBUILD_ENFORCING, "", d);
  if (!e) e = rebuild_link(&r.libraries, &links, d);
  if (!e) e = run(w, o, text_str(&r.program), text_str(&links), addresses, out, d);
  if (!e && addresses && !out->confirmed && !deadline_passed) e = run(w, o, text_str(&r.program), text_str(&links), false, out, d);
  rebuild_unlink(&r.libraries, &links);
  rebuild_release(&r);
  text_release(&path), text_release(&links);
  return e;
}

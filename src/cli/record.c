/* heddle record: a program of `heddle cc` is built again so that its threads tell which way their branches go, and run. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/native/feed.h"
#include "cli/native/launch.h"
#include "cli/simulated.h"
#include "program/process.h"
#include "trace/path_log.h"

/* Runs of --until-failure without a number. */
#define RUNS_USUAL 1000

struct recording {
  const struct options *o;
  struct rebuild rebuilt;
  struct text program; /* the user's, with its whole path */
  struct text log, links;
  struct args words;
  struct feed feed;
  struct launch_end end;
};

/* --- the log's file --- */

static enum err failed_to(const struct recording *r, const char *what, struct diag *d) {
  return diag_set(d, ERR_FILE, "cannot %s %s: %s", what, text_str(&r->log), strerror(errno));
}

/* The program finds its header, and adds chunks. */
static enum err make_log(const struct recording *r, struct diag *d) {
  struct path_log log = {.header = {.how = r->rebuilt.how}, .program = text_str(&r->program), .called = r->words.list.data[0]};
  struct text first = {0};
  for (size_t i = 1; i < r->words.list.count; i++) *vec_push(&log.arguments) = r->words.list.data[i];
  enum err e = rebuild_hash(&r->rebuilt, &log.header.build, d);
  if (!e) e = path_log_head(&log, &first, d);
  int fd = e ? -1 : open(text_str(&r->log), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (!e && fd < 0) e = failed_to(r, "write", d);
  if (!e && write(fd, first.data, first.count) != (ssize_t)first.count) e = failed_to(r, "write", d);
  if (fd >= 0) close(fd);
  text_release(&first);
  path_log_release(&log);
  return e;
}

/* The log says how the run ended, and ends itself where nothing more was written. */
static enum err end_log(struct recording *r, double seconds, struct path_header *header, struct diag *d) {
  int fd = open(text_str(&r->log), O_RDWR | O_CLOEXEC);
  if (fd < 0) return failed_to(r, "write", d);
  enum err e = pread(fd, header, sizeof *header, 0) == sizeof *header ? ERR_NONE : failed_to(r, "read", d);
  int status = r->end.status;
  header->end = r->end.hung ? PATH_END_HANG : WIFSIGNALED(status) ? PATH_END_SIGNAL : PATH_END_EXIT;
  header->code = (uint32_t)(r->end.hung ? 0 : WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  header->milliseconds = (uint64_t)(seconds * 1000);
  struct stat s;
  off_t whole = fstat(fd, &s) == 0 ? s.st_size / PATH_CHUNK : 0; /* what a thread had no room for is not there */
  if (whole && header->chunks >= whole) header->chunks = (uint32_t)whole - 1;
  if (!e && header->threads) feed_keep(&r->feed, fd, header);
  if (!e && (pwrite(fd, header, sizeof *header, 0) != sizeof *header || ftruncate(fd, (off_t)PATH_CHUNK * (header->chunks + 1)) != 0))
    e = failed_to(r, "write", d);
  close(fd);
  return e;
}

/* --- runs --- */

static bool has_failed(const struct path_header *h) { return h->end != PATH_END_EXIT || h->code != 0; }

static enum err run_once(struct recording *r, struct path_header *header, struct diag *d) {
  enum err e = feed_start(&r->feed, d); /* first: if there is no other run, the log is that of the last one */
  if (!e) e = make_log(r, d);
  if (e) return e;
  setenv(PATH_VARIABLE, text_str(&r->log), true);
  double began = deadline_now();
  e = launch_run(text_str(&r->rebuilt.program), args_argv(&r->words), r->o->hang, &r->end, d);
  unsetenv(PATH_VARIABLE);
  feed_stop(&r->feed);
  if (!e) e = end_log(r, deadline_now() - began, header, d);
  if (!e && header->threads == 0) {
    diag_hint(d, "a program that ends before its first branch, or whose main() is of another compiler, leaves none");
    e = diag_set(d, ERR_TOOL, "the program has left no log");
    unlink(text_str(&r->log));
  }
  return e;
}

static enum err run_all(struct recording *r, uint64_t *runs, struct path_header *header, struct diag *d) {
  uint64_t most = r->o->until_failure == NUMBER_LEFT_OUT ? RUNS_USUAL : r->o->until_failure;
  enum err e = ERR_NONE;
  for (*runs = 0; !e && (*runs == 0 || (*runs < most && !has_failed(header))); ++*runs) e = run_once(r, header, d);
  return e;
}

static void end_text(const struct path_header *h, struct text *out) {
  if (h->end == PATH_END_HANG)
    text_puts(out, "hung");
  else if (h->end == PATH_END_SIGNAL)
    text_printf(out, "ended by signal %u (%s)", h->code, strsignal((int)h->code));
  else
    text_printf(out, "ended with exit code %u", h->code);
}

static void tell(const struct recording *r, uint64_t runs, const struct path_header *h) {
  struct text text = {0};
  const char *shown = r->o->log_file ? r->o->log_file : strrchr(text_str(&r->log), '/') + 1;
  end_text(h, &text);
  fprintf(stderr, "heddle: the run %s%s", text_str(&text), runs > 1 ? "" : "\n");
  if (runs > 1) fprintf(stderr, ", which was number %llu\n", (unsigned long long)runs);
  if (h->lost)
    fprintf(stderr, "heddle: %u thread%s not in the log, or not to the end: there was no room\n", h->lost, h->lost == 1 ? " is" : "s are");
  if (r->o->on_failure && !has_failed(h))
    unlink(text_str(&r->log));
  else
    fprintf(stderr, "heddle: the log is in %s: %llu KB of %u thread%s%s%s\n", shown,
            (unsigned long long)(h->chunks + 1) * (PATH_CHUNK / 1024), h->threads, h->threads == 1 ? "" : "s",
            has_failed(h) ? "; to find such an execution: heddle reproduce " : "", has_failed(h) ? shown : "");
  text_release(&text);
}

static void release(struct recording *r, struct text *path) {
  args_release(&r->words);
  text_release(&r->program), text_release(&r->log), text_release(&r->links), text_release(path);
}

static enum err start(const struct options *o, int *code, struct diag *d) {
  struct recording r = {.o = o, .feed = {.pipe = -1, .spool = -1}};
  struct path_header header = {0};
  struct text path = {0};
  uint64_t runs = 0;
  char whole[PATH_MAX];
  enum err e = o->programs.count == 0 ? diag_set(d, ERR_USAGE, "no program given") : ERR_NONE;
  for (size_t i = 0; i < o->programs.count; i++) args_add(&r.words, o->programs.data[i]);
  for (size_t i = 0; i < o->arguments.count; i++) args_add(&r.words, o->arguments.data[i]);
  if (!e && !process_find(r.words.list.data[0], &path))
    e = diag_set(d, ERR_FILE, "cannot run %s: %s", r.words.list.data[0], strerror(errno));
  if (!e) text_puts(&r.program, realpath(text_str(&path), whole) ? whole : text_str(&path));
  if (!e) e = launch_output(o->log_file, o->programs.data[0], ".paths", &r.log, d);
  if (!e) e = simulated_check(o, d);
  r.rebuilt.how = path_how_find(o->paths);
  if (!e && r.rebuilt.how == PATH_HOWS) e = diag_set(d, ERR_USAGE, "--paths takes bits, all or numbers");
  if (!e && o->simulated) {
    e = simulated_run(o, &r.words, text_str(&r.program), text_str(&r.log), &header, &runs, code, d);
    if (!e && runs) tell(&r, runs, &header);
    release(&r, &path);
    return e;
  }
  if (!e) e = rebuild_woven(&r.rebuilt, text_str(&path), REBUILD_PATHS, "", d);
  if (!e) e = rebuild_link(&r.rebuilt.libraries, &r.links, d);
  if (!e) e = feed_begin(&r.feed, d);
  if (!e) {
    launch_say_missing(&r.rebuilt);
    if (r.links.count) rebuild_search(&r.links);
    e = run_all(&r, &runs, &header, d);
  }
  if (!e) tell(&r, runs, &header);
  *code = process_exit_code(r.end.status);
  rebuild_unlink(&r.rebuilt.libraries, &r.links);
  rebuild_release(&r.rebuilt);
  feed_release(&r.feed);
  release(&r, &path);
  return e;
}

int command_record(int argc, char **argv) {
  struct options o;
  struct diag d = {0};
  int code;
  if (!command_options("record", argc, argv, &o, &code)) return code;
  if (start(&o, &code, &d)) code = console_complain(&d);
  diag_release(&d);
  options_release(&o);
  return code;
}

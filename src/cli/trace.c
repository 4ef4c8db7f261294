/* heddle trace: a program of `heddle cc` is built again so that it records what it does (rebuild.h), and run. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/native/launch.h"
#include "cli/native/pack.h"
#include "cli/property_files.h"
#include "program/process.h"
#include "trace/build.h"

/* "100M"; 0 if it is no size. */
static uint64_t size_of(const char *text) {
  static const char units[] = "KMG";
  char *end;
  errno = 0;
  uint64_t n = strtoull(text, &end, 10);
  const char *unit = *end ? strchr(units, *end) : NULL;
  unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
  bool whole = *text >= '0' && *text <= '9' && !errno && (unit ? !end[1] : !*end);
  return whole && n <= UINT64_MAX >> shift ? n << shift : 0;
}

/* Not the one that runs, but the user's: it is what the trace is of. A path with a space in it cannot be handed on. */
static void name_program(const char *program, struct text *out) {
  char path[PATH_MAX];
  struct text build = {0};
  if (realpath(program, path) && !strchr(path, ' ') && trace_build_of(path, &build))
    text_printf(out, " traced=%s:%s", text_str(&build), path);
  text_release(&build);
}

static void set_environment(const char *trace, uint64_t ring, const char *program, const struct text *links, bool strangers) {
  const char *before = getenv("HEDDLE_OPTIONS");
  struct text value = {0};
  text_printf(&value, "%s%strace=%s", before ? before : "", before ? " " : "", trace);
  if (ring) text_printf(&value, " ring_kb=%llu", (unsigned long long)((ring + 1023) >> 10));
  name_program(program, &value);
  if (strangers) text_puts(&value, " strangers");
  rebuild_pad(&value);
  setenv("HEDDLE_OPTIONS", text_str(&value), true);
  if (links->count) rebuild_search(links);
  text_release(&value);
}

static bool is_since(const struct timespec *t, const struct timespec *since) {
  return t->tv_sec > since->tv_sec || (t->tv_sec == since->tv_sec && t->tv_nsec >= since->tv_nsec);
}

/* How many traces of children there are: FILE.PID. */
static unsigned count_children(const char *path, const struct timespec *since) {
  const char *name = file_last_part(path);
  struct text folder = {0};
  unsigned n = 0;
  text_append(&folder, path, (size_t)(name - path));
  DIR *dir = opendir(folder.count ? text_str(&folder) : ".");
  for (struct dirent *e; dir && (e = readdir(dir));) {
    size_t length = strlen(name);
    struct stat s;
    const char *digits = e->d_name + length + 1;
    if (strncmp(e->d_name, name, length) != 0 || e->d_name[length] != '.' || !*digits || digits[strspn(digits, "0123456789.")]) continue;
    if (fstatat(dirfd(dir), e->d_name, &s, 0) != 0) continue;
    if (is_since(&s.st_mtim, since)) n++;
  }
  if (dir) closedir(dir);
  text_release(&folder);
  return n;
}

/* A full disk may have no place for it: then the trace is as large as it is. */
static void pack(const char *path, bool all) {
  struct diag d = {0};
  if (access(path, R_OK) == 0 && pack_trace(path, all, &d)) console_warn(&d);
  diag_release(&d);
}

static enum err tell(const char *shown, const char *path, const struct timespec *since, struct diag *d) {
  struct stat s, live;
  struct text rest = {0};
  if (stat(path, &s) != 0 || !is_since(&s.st_mtim, since)) return diag_set(d, ERR_TOOL, "the program has left no trace in %s", shown);
  text_printf(&rest, "%s.live", path);
  bool cut = stat(text_str(&rest), &live) == 0;
  unsigned children = count_children(path, since);
  fprintf(stderr, "heddle: the trace is in %s: %lld KB", shown, ((long long)s.st_blocks * 512 + 1023) / 1024);
  if (cut) fprintf(stderr, ", the newest events in %s.live", shown);
  if (children) fprintf(stderr, "; %s.PID: %u of child processes", shown, children);
  fprintf(stderr, "\n");
  text_release(&rest);
  return ERR_NONE;
}

static enum err start(const struct options *o, int *code, struct diag *d) {
  struct rebuild r = {0};
  struct property_files properties = {0};
  struct text path = {0}, trace = {0}, links = {0}, calls = {0};
  struct args words = {0};
  struct timespec since = {0};
  struct launch_end end = {0};
  uint64_t ring = o->ring ? size_of(o->ring) : 0;
  enum err e = ERR_NONE;
  if (o->programs.count == 0) e = diag_set(d, ERR_USAGE, "no program given");
  if (!e && o->ring && ring == 0) e = diag_set(d, ERR_USAGE, "--ring takes a size like 100M, not \"%s\"", o->ring);
  for (size_t i = 0; i < o->programs.count; i++) args_add(&words, o->programs.data[i]);
  for (size_t i = 0; i < o->arguments.count; i++) args_add(&words, o->arguments.data[i]);
  if (!e && !process_find(words.list.data[0], &path)) e = diag_set(d, ERR_FILE, "cannot run %s: %s", words.list.data[0], strerror(errno));
  if (!e) e = launch_output(o->output, o->programs.data[0], ".trace", &trace, d);
  if (!e) e = property_files_read(&properties, &o->properties, d);
  properties_calls(&properties.all, &calls);
  if (!e) e = rebuild_woven(&r, text_str(&path), REBUILD_RECORDING, text_str(&calls), d);
  if (!e) e = rebuild_link(&r.libraries, &links, d);
  if (!e) {
    launch_say_missing(&r);
    clock_gettime(CLOCK_REALTIME_COARSE, &since);
    set_environment(text_str(&trace), ring, text_str(&path), &links, r.missing.list.count > 0);
    e = launch_run(text_str(&r.program), args_argv(&words), 0, &end, d);
  }
  if (!e) pack(text_str(&trace), o->everything || property_files_name_accesses(&properties));
  if (!e) e = tell(o->output ? o->output : file_last_part(text_str(&trace)), text_str(&trace), &since, d);
  *code = process_exit_code(end.status);
  rebuild_unlink(&r.libraries, &links);
  rebuild_release(&r);
  args_release(&words);
  text_release(&path), text_release(&trace), text_release(&links), text_release(&calls);
  property_files_release(&properties);
  return e;
}

int command_trace(int argc, char **argv) {
  struct options o;
  struct diag d = {0};
  int code;
  if (!command_options("trace", argc, argv, &o, &code)) return code;
  if (start(&o, &code, &d)) code = console_complain(&d);
  diag_release(&d);
  options_release(&o);
  return code;
}

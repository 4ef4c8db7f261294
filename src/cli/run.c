/* heddle run: a native program under the runtime (runtime/). This process becomes the program: signals and the exit code are its own. With
 * --confirm it stays, and runs the program again (confirm.h). */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/native/confirm.h"
#include "cli/spec_files.h"
#include "program/args.h"
#include "program/elf_file.h"
#include "program/install.h"
#include "program/process.h"

enum built { BUILT_NOT, BUILT_STATIC, BUILT_FOR_US };

static void needed(void *context, int64_t tag, const char *library) {
  (void)tag;
  static const char *const names[] = {"libtsan.so", "libclang_rt.tsan"}; /* gcc's and clang's */
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(library, names[i], strlen(names[i])) == 0) *(enum built *)context = BUILT_FOR_US;
}

/* A runtime that is a part of the program: ThreadSanitizer's, or Heddle's. */
static void has_own(void *context, const struct elf_symbol *s) {
  enum built *built = context;
  if (s->defined && *built == BUILT_NOT && strcmp(s->name, "__tsan_init") == 0) *built = BUILT_STATIC;
  if (s->defined && strncmp(s->name, "heddle_fast_", strlen("heddle_fast_")) == 0) *built = BUILT_FOR_US;
}

/* How the program was built, as far as its file tells. Scripts and the like are run as they are: what they start may be for us. */
static enum err examine(const char *path, enum built *built, struct diag *d) {
  struct elf elf;
  *built = BUILT_FOR_US;
  int fd;
  size_t n;
  enum err e = file_open(path, FILE_PROGRAM, &fd, &n, d);
  if (e) return ERR_NONE; /* execv() will say what is wrong */
  void *bytes = n ? mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close(fd);
  if (bytes == MAP_FAILED) return ERR_NONE;
  if (elf_is(bytes, n)) {
    e = elf_read(&elf, path, bytes, n, d);
    *built = BUILT_NOT;
    if (!e) elf_symbols(&elf, ELF_ALL_SYMBOLS, has_own, built), elf_symbols(&elf, ELF_DYNAMIC_SYMBOLS, has_own, built);
    if (!e) elf_dynamic(&elf, needed, built);
  }
  munmap(bytes, n);
  return e;
}

static enum err check(const char *path, struct diag *d) {
  enum built built;
  enum err e = examine(path, &built, d);
  if (e || built == BUILT_FOR_US) return e;
  if (built == BUILT_STATIC) diag_hint(d, "link it with heddle link or with -shared-libsan, or build it with heddle cc -fheddle=run");
  if (built == BUILT_STATIC) return diag_set(d, ERR_UNSUPPORTED, "%s contains ThreadSanitizer's own runtime", path);
  diag_hint(d,
            "build it with heddle cc -fheddle=run or gcc -fsanitize=thread; --children is for programs that start such ones, --preload for "
            "those that load such libraries");
  return diag_set(d, ERR_UNSUPPORTED, "%s was not built to be watched", path);
}

static void set_environment(const struct options *o, const struct args *specs, const char *suppressions, const char *folder) {
  struct text value = {0};
  const char *before = getenv("HEDDLE_OPTIONS"), *libraries = getenv("LD_LIBRARY_PATH"), *preloaded = getenv("LD_PRELOAD");
  text_puts(&value, before ? before : "");
  if (o->exit_code) text_printf(&value, " exit_code=%llu", (unsigned long long)o->exit_code);
  if (o->atexit_sleep != 1000) text_printf(&value, " atexit_sleep_ms=%llu", (unsigned long long)o->atexit_sleep);
  if (o->halt_on_error) text_puts(&value, " halt_on_error");
  if (o->report_unwatched) text_puts(&value, " report_unwatched");
  if (o->thread_leaks) text_puts(&value, " thread_leaks");
  if (o->analysis) text_printf(&value, " analysis=%s", o->analysis);
  if (o->unbounded) text_puts(&value, " unbounded");
  if (o->log) text_printf(&value, " log=%s", o->log);
  if (o->json || strcmp(o->format, "json") == 0) text_puts(&value, " format=json");
  if (*suppressions) text_printf(&value, " suppressions=%s", suppressions);
  for (size_t i = 0; i < specs->list.count; i++) text_printf(&value, " spec=%s", specs->list.data[i]);
  setenv("HEDDLE_OPTIONS", text_str(&value), 1);
  text_clear(&value);
  text_printf(&value, "%s%s%s", folder, libraries ? ":" : "", libraries ? libraries : "");
  setenv("LD_LIBRARY_PATH", text_str(&value), 1);
  if (o->preload) { /* its functions come before the C library's then */
    text_clear(&value);
    text_printf(&value, "libtsan.so.2%s%s", preloaded ? ":" : "", preloaded ? preloaded : "");
    setenv("LD_PRELOAD", text_str(&value), 1);
  }
  text_release(&value);
}

static enum err check_options(const struct options *o, struct diag *d) {
  if (o->programs.count + o->arguments.count == 0) return diag_set(d, ERR_USAGE, "no program given");
  if (o->analysis && strcmp(o->analysis, "hb") != 0 && strcmp(o->analysis, "wdc") != 0 && strcmp(o->analysis, "ovp") != 0)
    return diag_set(d, ERR_USAGE, "--analysis is hb, wdc or ovp, not \"%s\"", o->analysis);
  if (o->exit_code > 255) return diag_set(d, ERR_USAGE, "--exit-code takes a number up to 255");
  if (o->atexit_sleep > 1000000) return diag_set(d, ERR_USAGE, "--atexit-sleep-ms takes a number up to 1000000");
  if (o->confirm_hold < 1 || o->confirm_hold > 60000) return diag_set(d, ERR_USAGE, "--confirm-hold-ms takes a number from 1 to 60000");
  if (o->log && strchr(o->log, ' ')) return diag_set(d, ERR_USAGE, "--log: a file's name with a space in it cannot be handed on");
  if (strcmp(o->format, "text") != 0 && strcmp(o->format, "json") != 0)
    return diag_set(d, ERR_USAGE, "there is no report format \"%s\"; text and json are", o->format);
  return ERR_NONE;
}

/* Processes that the program starts may do so in other folders. */
static enum err find_file(const char *name, const char *what, const char *option, char path[PATH_MAX], struct diag *d) {
  if (!realpath(name, path) || access(path, R_OK) != 0)
    return diag_set(d, ERR_FILE, "cannot read %s from %s: %s", what, name, strerror(errno));
  enum err e = file_check(path, FILE_TEXT, d); /* the runtime reads it: in a process that must not wait */
  if (e) return e;
  if (strchr(path, ' ')) return diag_set(d, ERR_USAGE, "--%s: a file's name with a space in it cannot be handed on", option);
  return ERR_NONE;
}

static enum err find_suppressions(const char *name, char path[PATH_MAX], struct diag *d) {
  path[0] = 0;
  return name ? find_file(name, "suppressions", "suppressions", path, d) : ERR_NONE;
}

/* All of them together can be read, as the runtime will. */
static enum err find_specs(const struct options *o, struct args *paths, struct diag *d) {
  struct spec_files *specs = NULL;
  char path[PATH_MAX];
  enum err e = ERR_NONE;
  for (size_t i = 0; i < o->specs.count && !e; i++) {
    e = find_file(o->specs.data[i], "a specification", "spec", path, d);
    if (!e) args_add(paths, path);
  }
  if (!e) e = spec_files_read(&specs, &o->specs, d);
  spec_files_free(specs);
  return e;
}

/* This process becomes the program, unless it is to be run again. */
static enum err run_it(const struct options *o, const char *path, char *const *words, int *code, struct diag *d) {
  enum { RUNS = 20 };
  struct confirm_limits limits = {.runs = o->confirm == NUMBER_LEFT_OUT ? RUNS : o->confirm, .seconds = o->confirm_time};
  limits.hold_ms = (uint32_t)o->confirm_hold;
  if (limits.runs) return confirm_run(path, words, &limits, code, d);
  execv(path, words);
  return diag_set(d, ERR_FILE, "cannot run %s: %s", path, strerror(errno));
}

static enum err start(const struct options *o, int *code, struct diag *d) {
  struct args words = {0}, specs = {0};
  struct text path = {0}, folder = {0};
  char suppressions[PATH_MAX];
  for (size_t i = 0; i < o->programs.count; i++) args_add(&words, o->programs.data[i]);
  for (size_t i = 0; i < o->arguments.count; i++) args_add(&words, o->arguments.data[i]);
  enum err e = check_options(o, d);
  if (!e) e = find_suppressions(o->suppressions, suppressions, d);
  if (!e) e = find_specs(o, &specs, d);
  if (!e && !process_find(words.list.data[0], &path)) e = diag_set(d, ERR_FILE, "cannot run %s: %s", words.list.data[0], strerror(errno));
  if (!e && !o->children && !o->preload) e = check(text_str(&path), d);
  if (!e) e = install_find_runtime(&folder, d);
  if (!e) {
    set_environment(o, &specs, suppressions, text_str(&folder));
    e = run_it(o, text_str(&path), args_argv(&words), code, d);
  }
  args_release(&words);
  args_release(&specs);
  text_release(&path);
  text_release(&folder);
  return e;
}

int command_run(int argc, char **argv) {
  struct options o;
  struct diag d = {0};
  int code;
  if (!command_options("run", argc, argv, &o, &code)) return code;
  if (start(&o, &code, &d)) code = console_complain(&d);
  diag_release(&d);
  options_release(&o);
  return code;
}

#include "program/compile.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "program/args.h"
#include "program/install.h"
#include "program/kept_bitcode.h"
#include "program/process.h"

static bool has_extension(const char *path, const char *const *extensions) {
  const char *dot = strrchr(path, '.');
  if (!dot || strchr(dot, '/')) return false;
  for (; *extensions; extensions++)
    if (strcmp(dot, *extensions) == 0) return true;
  return false;
}

static bool is_cxx(const char *path) {
  static const char *const extensions[] = {".cc", ".cpp", ".cxx", ".C", ".c++", ".cp", ".CPP", ".ii", NULL};
  return has_extension(path, extensions);
}

bool compile_is_source(const char *path) {
  static const char *const extensions[] = {".c", ".i", NULL};
  return is_cxx(path) || has_extension(path, extensions);
}

bool compile_has_openmp(const char *const *flags, size_t n) {
  bool has = false;
  for (size_t i = 0; i < n; i++) {
    if (strcmp(flags[i], "-fopenmp") == 0 || strncmp(flags[i], "-fopenmp=", strlen("-fopenmp=")) == 0) has = true;
    if (strcmp(flags[i], "-fno-openmp") == 0) has = false;
  }
  return has;
}

/* A source that a preprocessor has written. */
static bool is_preprocessed(const char *path) {
  static const char *const extensions[] = {".i", ".ii", NULL};
  return has_extension(path, extensions);
}

/* It goes through the preprocessor again, which changes nothing where no macro is defined, but writes down what the output depends on, and
 * takes away what gcc's C library says to gcc alone: that memory from a function is given back by another one. */
static void preprocessed_line(const char *path, struct args *a) {
  if (!is_preprocessed(path)) return;
  args_add(a, "-x"), args_add(a, is_cxx(path) ? "c++" : "c");
  args_add(a, "-undef"), args_add(a, "-D__malloc__(...)=__malloc__");
}

static bool for_linker(const char *flag) {
  return strncmp(flag, "-l", 2) == 0 || strncmp(flag, "-L", 2) == 0 || strncmp(flag, "-Wl,", 4) == 0;
}

/* What OpenMP's threadprivate variables are is the models' business (models/openmp/private.c): thread-local ones would begin anew with the
 * threads of each region. */
static void openmp_line(const struct compile_request *r, struct args *a) {
  if (!compile_has_openmp(r->flags, r->nflags)) return;
  args_add(a, COMPILE_OPENMP_PRIVATE);
  if (r->install->openmp_include.count) args_add(a, "-idirafter"), args_add(a, text_str(&r->install->openmp_include));
}

/* Optimised code has other accesses than the program, and no locals that are read before they are written: LLVM gives those any value. So
 * the user's -O is what the front end makes of it, unless -fheddle-optimised asks for more. */
static bool is_optimised(const struct compile_request *r) {
  bool optimised = false;
  for (size_t i = 0; i < r->nflags; i++) optimised |= strcmp(r->flags[i], "-fheddle-optimised") == 0;
  return optimised;
}

static void command_line(const struct compile_request *r, struct args *a) {
  /* -O0 without optnone: the loader must still be allowed to turn locals into registers. A source can make clang crash, which would write
   * files of its own. Types are described also where clang would leave that to the library that they come from: gdb has not got it. */
  static const char *const fixed[] = {"-g",
                                      "-fstandalone-debug",
                                      "-O0",
                                      "-Xclang",
                                      "-disable-O0-optnone",
                                      "-emit-llvm",
                                      "-c",
                                      "-Wno-unused-command-line-argument",
                                      "-fno-crash-diagnostics"};
  args_add(a, text_str(is_cxx(r->source) ? &r->install->clangxx : &r->install->clang));
  args_append_argv(a, sizeof fixed / sizeof *fixed, fixed);
  if (isatty(STDERR_FILENO)) args_add(a, "-fcolor-diagnostics");
  for (size_t i = 0; i < r->nflags; i++)
    if (!for_linker(r->flags[i]) && strcmp(r->flags[i], "-fheddle-optimised") != 0) args_add(a, r->flags[i]);
  if (!is_optimised(r)) args_add(a, "-Xclang"), args_add(a, "-disable-llvm-passes");
  /* After all others: installed, this is the system's folder, whose place in the order matters. */
  if (r->install->include.count) args_add(a, "-idirafter"), args_add(a, text_str(&r->install->include));
  openmp_line(r, a);
  preprocessed_line(r->source, a);
  args_add_file(a, r->source);
}

static struct cache_key manifest_key(const struct args *a) {
  static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
  struct cache_key k = {0};
  char folder[PATH_MAX];
  cache_key_string(&k, getcwd(folder, sizeof folder) ? folder : "");
  cache_key_identity(&k, a->list.data[0]);
  for (size_t i = 0; i < a->list.count; i++) cache_key_string(&k, a->list.data[i]);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i]);
    cache_key_string(&k, value ? value : "");
  }
  return k;
}

/* Adds path and content of the file; false if it cannot be read. */
static bool add_content(struct cache_key *k, const char *path) {
  struct text content = {0};
  struct diag ignored = {0};
  bool ok = file_read(path, FILE_TEXT, &content, &ignored) == ERR_NONE;
  cache_key_string(k, path);
  cache_key_bytes(k, text_str(&content), content.count);
  text_release(&content);
  diag_release(&ignored);
  return ok;
}

/* The key of the compiled source: what `names` (NUL-terminated, one after the other) hold now, on top of the manifest's key. */
static bool dependencies_key(const struct text *names, struct cache_key *k) {
  for (size_t at = 0; at < names->count; at += strlen(names->data + at) + 1)
    if (!add_content(k, names->data + at)) return false;
  return names->count > 0;
}

/* Reads the dependencies that clang wrote for make: "x: a b \<newline> c", with "\ ", "\#" and "$$". */
static void parse_dependencies(const struct text *rule, struct text *names) {
  const char *p = strchr(text_str(rule), ':');
  if (!p) return;
  for (p++; *p;) {
    while (*p == ' ' || *p == '\n' || (*p == '\\' && p[1] == '\n')) p++;
    if (!*p) break;
    while (*p && *p != ' ' && *p != '\n') {
      if ((*p == '\\' && (p[1] == ' ' || p[1] == '#')) || (*p == '$' && p[1] == '$')) p++;
      text_putc(names, *p++);
    }
    text_putc(names, 0);
  }
}

/* A manifest is the list of names; the bitcode's key follows from their content. */
static bool recall(const struct compile_request *r, struct cache_key k, const char *manifest, struct text *bitcode) {
  struct text names = {0};
  struct diag ignored = {0};
  bool known = cache_has(manifest) && file_read(manifest, FILE_TEXT, &names, &ignored) == ERR_NONE && names.count &&
               names.data[names.count - 1] == 0;
  if (known && dependencies_key(&names, &k)) {
    cache_path(r->cache, k, "bc", bitcode);
    known = cache_has(text_str(bitcode)) && kept_bitcode_is_whole(text_str(bitcode));
  } else {
    known = false;
  }
  if (!known) text_clear(bitcode);
  text_release(&names);
  diag_release(&ignored);
  return known;
}

/* The compiler is done: files its output under the key of what it read, and with `keep` the manifest. */
static enum err remember(const struct compile_request *r, struct cache_key k, const char *rule_path, const char *output, bool keep,
                         struct text *bitcode, struct diag *d) {
  struct text rule = {0}, names = {0}, made = {0}, kept = {0};
  struct cache_key manifest = k;
  enum err e = file_read(rule_path, FILE_TEXT, &rule, d);
  if (e == ERR_NONE) e = file_read(output, FILE_PROGRAM, &made, d);
  if (e == ERR_NONE) {
    parse_dependencies(&rule, &names);
    if (!dependencies_key(&names, &k)) keep = false;
    kept_bitcode_write(&made, &kept);
    cache_path(r->cache, k, "bc", bitcode);
    e = cache_put(r->cache, k, "bc", kept.data, kept.count, d);
  }
  if (e == ERR_NONE && keep) e = cache_put(r->cache, manifest, "dep", names.data, names.count, d);
  text_release(&rule);
  text_release(&names);
  text_release(&made);
  text_release(&kept);
  return e;
}

static enum err run_compiler(const struct compile_request *r, struct args *a, struct cache_key k, struct text *bitcode, struct diag *d) {
  struct text output = {0}, rule = {0}, messages = {0};
  int status;
  cache_temporary(r->cache, k, "bc", &output);
  cache_temporary(r->cache, k, "d", &rule);
  args_add(a, "-MD"), args_add(a, "-MT"), args_add(a, "x"), args_add(a, "-MF"), args_add(a, text_str(&rule));
  args_add(a, "-o"), args_add(a, text_str(&output));
  enum err e = process_run(a, PROCESS_ERRORS_SHOW, &messages, &status, d);
  if (e == ERR_NONE && status != 0) {
    e = diag_set(d, ERR_TOOL, "%s does not compile", r->source);
    if (is_preprocessed(r->source))
      diag_hint(d, "if it was preprocessed for another compiler, name the source itself, or preprocess it by heddle cc -E");
  }
  if (e == ERR_NONE) e = remember(r, k, text_str(&rule), text_str(&output), messages.count == 0, bitcode, d);
  unlink(text_str(&rule));
  unlink(text_str(&output));
  text_release(&output);
  text_release(&rule);
  text_release(&messages);
  return e;
}

enum err compile_source(const struct compile_request *r, struct text *bitcode, struct diag *d) {
  struct args a = {0};
  struct text manifest = {0};
  enum err e = ERR_NONE;
  command_line(r, &a);
  struct cache_key k = manifest_key(&a);
  cache_path(r->cache, k, "dep", &manifest);
  if (!recall(r, k, text_str(&manifest), bitcode)) {
    e = install_check_compiler(a.list.data[0], d);
    if (e == ERR_NONE) e = run_compiler(r, &a, k, bitcode, d);
  }
  args_release(&a);
  text_release(&manifest);
  return e;
}

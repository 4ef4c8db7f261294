#include "program/install.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "program/args.h"
#include "program/process.h"

struct place {
  const char *installed, *built;
};
static const struct place loader_place = {"libexec/heddle/heddle-load", "src/program/heddle-load"};
static const struct place libc_place = {"share/heddle/libc.bc", "models/libc/libc.bc"};
static const struct place libcxx_place = {"share/heddle/libcxx.bc", "models/libcxx.bc"};
static const struct place objects_place = {"share/heddle/objects.bc", "models/objects/objects.bc"};
static const struct place runtime_place = {"libexec/heddle/run/libtsan.so.2", "runtime/libtsan.so.2"};
static const struct place header_place = {"include/heddle.h", "include/heddle.h"};
static const struct place openmp_place = {"share/heddle/openmp.bc", "models/openmp/openmp.bc"};
static const struct place openmp_tasks_place = {"share/heddle/openmp-tasks.bc", "models/openmp/openmp-tasks.bc"};
static const struct place openmp_header_place = {"share/heddle/openmp/omp.h", "include/openmp/omp.h"};

enum { LEVELS = 5 }; /* how many folders up from the program a root may be: tests/unit/program/test_x needs four */

static bool find_under(const char *root, const struct place *place, struct text *out) {
  const char *const relatives[] = {place->built, place->installed};
  for (int i = 0; i < 2; i++) {
    text_clear(out);
    text_printf(out, "%s/%s", root, relatives[i]);
    if (access(text_str(out), R_OK) == 0) return true;
  }
  text_clear(out);
  return false;
}

/* The root of this installation: the folder under which the loader is. */
static bool find_root(char root[PATH_MAX], struct text *loader) {
  const char *chosen = getenv("HEDDLE_ROOT");
  if (chosen && *chosen) return strlen(chosen) < PATH_MAX && (strcpy(root, chosen), find_under(root, &loader_place, loader));
  ssize_t n = readlink("/proc/self/exe", root, PATH_MAX - 1);
  if (n <= 0) return false;
  root[n] = 0;
  for (int i = 0; i < LEVELS; i++) {
    char *slash = strrchr(root, '/');
    if (!slash || slash == root) return false;
    *slash = 0;
    if (find_under(root, &loader_place, loader)) return true;
  }
  return false;
}

void install_find_compilers(struct install *install) {
  const char *c = getenv("HEDDLE_CLANG"), *cxx = getenv("HEDDLE_CLANGXX");
  text_puts(&install->clang, c && *c ? c : HEDDLE_CLANG_DEFAULT);
  text_puts(&install->clangxx, cxx && *cxx ? cxx : HEDDLE_CLANGXX_DEFAULT);
}

/* What the compiler writes when it runs so; false if it cannot be run, or fails. */
static bool ask(struct args *command, struct text *answer) {
  int out = file_in_memory("answer", NULL, 0), null = open("/dev/null", O_RDWR | O_CLOEXEC);
  pid_t pid = out < 0 || null < 0 ? -1 : process_start(command, null, out, null);
  bool known = pid > 0 && process_wait(pid) == 0 && file_read_from(out, answer);
  if (out >= 0) close(out);
  if (null >= 0) close(null);
  return known;
}

enum err install_check_compiler(const char *compiler, struct diag *d) {
  static const char *const words[] = {"-dM", "-E", "-x", "c", "-"};
  struct args command = {0};
  struct text macros = {0};
  enum err e = ERR_NONE;
  if (!getenv("HEDDLE_CLANG") && !getenv("HEDDLE_CLANGXX")) return ERR_NONE;
  args_add(&command, compiler);
  args_append_argv(&command, sizeof words / sizeof *words, words);
  if (ask(&command, &macros) && !strstr(text_str(&macros), "#define __clang__ ")) {
    e = diag_set(d, ERR_TOOL, "%s is not clang", compiler);
    diag_hint(d, "name a clang in HEDDLE_CLANG, and its clang++ in HEDDLE_CLANGXX, or neither");
  }
  text_release(&macros);
  args_release(&command);
  return e;
}

static void find_openmp_header(const char *root, struct install *install) {
  if (find_under(root, &openmp_header_place, &install->openmp_include)) *strrchr(install->openmp_include.data, '/') = 0;
}

void install_find_openmp_header(struct install *install) {
  char root[PATH_MAX];
  struct text loader = {0};
  if (find_root(root, &loader)) find_openmp_header(root, install);
  text_release(&loader);
}

enum err install_find(struct install *install, struct diag *d) {
  char root[PATH_MAX];
  install_find_compilers(install);
  if (!find_root(root, &install->loader)) {
    diag_hint(d, "set HEDDLE_ROOT to the folder that Heddle is installed in, or to its build folder");
    return diag_set(d, ERR_TOOL, "heddle-load is missing: Heddle's installation is not complete");
  }
  if (find_under(root, &header_place, &install->include)) *strrchr(install->include.data, '/') = 0;
  find_openmp_header(root, install);
  find_under(root, &openmp_place, &install->openmp);
  find_under(root, &openmp_tasks_place, &install->openmp_tasks);
  find_under(root, &objects_place, &install->objects);
  find_under(root, &libcxx_place, &install->libcxx);
  if (find_under(root, &libc_place, &install->libc)) return ERR_NONE;
  diag_hint(d, "build or install Heddle again");
  return diag_set(d, ERR_TOOL, "%s/%s is missing: Heddle's installation is not complete", root, libc_place.installed);
}

enum err install_find_runtime(struct text *folder, struct diag *d) {
  char root[PATH_MAX];
  struct text loader = {0};
  bool found = find_root(root, &loader) && find_under(root, &runtime_place, folder);
  text_release(&loader);
  if (found) {
    *strrchr(folder->data, '/') = 0;
    folder->count = strlen(folder->data);
    return ERR_NONE;
  }
  diag_hint(d, "build or install Heddle again");
  return diag_set(d, ERR_TOOL, "%s is missing: Heddle's installation is not complete", runtime_place.installed);
}

void install_release(struct install *install) {
  text_release(&install->loader);
  text_release(&install->libc);
  text_release(&install->libcxx);
  text_release(&install->objects);
  text_release(&install->openmp);
  text_release(&install->openmp_tasks);
  text_release(&install->openmp_include);
  text_release(&install->include);
  text_release(&install->clang);
  text_release(&install->clangxx);
}

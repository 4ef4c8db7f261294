/* Opening programs, with a stand-in for heddle-load: a script that writes down its command line, so that what reaches the loader, and how
 * often it is run, can be seen. */
#include "program/source.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "program/elf_file.h"
#include "program/embed.h"

static char root[] = "/tmp/heddle-test-XXXXXX";
static char opened[512]; /* the path image_open() was last given */

/* In place of image.c's. */
enum err image_open(struct image *image, const char *path, struct diag *d) {
  memset(image, 0, sizeof *image);
  snprintf(opened, sizeof opened, "%s", path);
  struct text content = {0};
  enum err e = file_read(path, FILE_PROGRAM, &content, d);
  if (e == ERR_NONE && strncmp(text_str(&content), "image", 5) != 0) e = diag_set(d, ERR_FORMAT, "%s: damaged", path);
  text_release(&content);
  return e;
}

static void put(const char *name, const char *content) {
  struct diag d = {0};
  char path[512];
  snprintf(path, sizeof path, "%s/%s", root, name);
  assert_int_equal(file_write(path, content, strlen(content), &d), ERR_NONE);
}

static void get(const char *name, struct text *out) {
  struct diag d = {0};
  char path[512];
  snprintf(path, sizeof path, "%s/%s", root, name);
  assert_int_equal(file_read(path, FILE_PROGRAM, out, &d), ERR_NONE);
}

static int lines_of(const char *name) {
  struct text t = {0};
  int n = 0;
  get(name, &t);
  for (size_t i = 0; i < t.count; i++) n += t.data[i] == '\n';
  text_release(&t);
  return n;
}

static enum err open_with(const char *const *paths, size_t npaths, const char *const *flags, size_t nflags, struct diag *d) {
  const struct program_inputs in = {.paths = paths, .npaths = npaths, .flags = flags, .nflags = nflags};
  struct image image;
  return program_open(&in, &image, d);
}

static enum err open_one(const char *path, struct diag *d) { return open_with(&path, 1, NULL, 0, d); }

static int set_up(void **state) {
  (void)state;
  static const char script[] =
      "#!/bin/sh\nroot=$(dirname \"$0\")/../..\n[ -f $root/fail ] && { cat $root/fail >&2; exit 2; }\n"
      "echo \"$@\" >>$root/runs\nwhile [ $# -gt 0 ]; do case $1 in -o) out=$2; shift;; --models) shift;; *) in=\"$in $1\";; esac; shift; "
      "done\n"
      "{ echo image; cat $in; } >\"$out\"\n";
  assert_non_null(mkdtemp(root));
  assert_int_equal(chdir(root), 0);
  assert_int_equal(system("mkdir -p src/program models/libc include 'a folder'"), 0);
  put("src/program/heddle-load", script);
  assert_int_equal(chmod("src/program/heddle-load", 0755), 0);
  put("models/libc/libc.bc", "models");
  put("include/heddle.h", "#pragma once\nvoid hd_assert(int);\n");
  put("runs", "");
  setenv("HEDDLE_ROOT", root, 1);
  setenv("XDG_CACHE_HOME", root, 1);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  char command[600];
  snprintf(command, sizeof command, "rm -rf %s", root);
  return chdir("/") || system(command);
}

static void a_source_is_compiled_once_and_again_when_a_header_changes(void **state) {
  (void)state;
  struct diag d = {0};
  put("a folder/value.h", "#define VALUE 1\n");
  put("main.c", "#include \"a folder/value.h\"\n#include \"heddle.h\"\nint main(void) { hd_assert(VALUE); }\n");
  int before = lines_of("runs");
  assert_int_equal(open_one("main.c", &d), ERR_NONE);
  assert_int_equal(lines_of("runs"), before + 1);
  char first[512];
  strcpy(first, opened);
  assert_int_equal(open_one("main.c", &d), ERR_NONE);
  assert_int_equal(lines_of("runs"), before + 1);
  assert_string_equal(first, opened);
  put("a folder/value.h", "#define VALUE 2\n");
  assert_int_equal(open_one("main.c", &d), ERR_NONE);
  assert_int_equal(lines_of("runs"), before + 2);
  assert_string_not_equal(first, opened);
  diag_release(&d);
}

static void flags_reach_the_compiler_and_are_part_of_the_key(void **state) {
  (void)state;
  struct diag d = {0};
  const char *path = "flags.c", *const yes[] = {"-DYES", "-pthread", "-lm"}, *const no[] = {"-DNO"};
  put("flags.c", "#ifndef YES\n#error no\n#endif\nint main(void) { return 0; }\n");
  assert_int_equal(open_with(&path, 1, yes, 3, &d), ERR_NONE);
  int errors = dup(2);
  assert_int_equal(dup2(open("messages", O_WRONLY | O_CREAT, 0666), 2), 2);
  enum err e = open_with(&path, 1, no, 1, &d);
  dup2(errors, 2);
  assert_int_equal(e, ERR_TOOL);
  assert_int_equal(system("grep -q '#error no' messages"), 0);
  assert_non_null(strstr(text_str(&d.message), "flags.c"));
  diag_release(&d);
}

static void sources_in_c_and_cxx_and_bitcode_mix(void **state) {
  (void)state;
  struct diag d = {0};
  const char *const paths[] = {"one.c", "two.cc", "three.bc"};
  put("one.c", "extern int two(void); int main(void) { return two(); }\n");
  put("two.cc", "extern \"C\" int three(void); extern \"C\" int two() { return three(); }\n");
  put("three.c", "int three(void) { return 3; }\n");
  assert_int_equal(system("clang-19 -c -emit-llvm three.c -o three.bc"), 0);
  int before = lines_of("runs");
  assert_int_equal(open_with(paths, 3, NULL, 0, &d), ERR_NONE);
  assert_int_equal(open_with(paths, 3, NULL, 0, &d), ERR_NONE);
  assert_int_equal(lines_of("runs"), before + 1);
  put("three.c", "int three(void) { return 4; }\n");
  assert_int_equal(system("clang-19 -c -emit-llvm three.c -o three.bc"), 0);
  assert_int_equal(open_with(paths, 3, NULL, 0, &d), ERR_NONE);
  assert_int_equal(lines_of("runs"), before + 2);
  diag_release(&d);
}

/* Adds the bitcode that `text` stands for to the file, as heddle cc does. */
static void embed(const char *file, const char *section, const char *source, const char *text) {
  struct diag d = {0};
  struct text records = {0};
  const struct embed_record r = {.kind = EMBED_MODULE, .name = source, .folder = root, .flags = "", .note = ""};
  embed_write(&r, text, strlen(text), &records);
  assert_int_equal(elf_add_section(file, section, records.data, records.count, &d), ERR_NONE);
  text_release(&records);
}

static void assert_image_holds(const char *content) {
  struct text t = {0};
  struct diag d = {0};
  assert_int_equal(file_read(opened, FILE_PROGRAM, &t, &d), ERR_NONE);
  assert_string_equal(text_str(&t), content);
  text_release(&t);
}

static void a_program_brings_its_modules_and_those_of_its_libraries_first(void **state) {
  (void)state;
  struct diag d = {0};
  put("lib.c", "int f(void) { return 1; }\n");
  put("exe.c", "int f(void); int main(void) { return f(); }\n");
  assert_int_equal(system("clang-19 -shared -fPIC lib.c -o libf.so && clang-19 exe.c -L. -lf -Wl,-rpath,'$ORIGIN' -o exe && cp exe bare"),
                   0);
  embed("libf.so", EMBED_OBJECT_SECTION, "lib.c", "<library>");
  embed("libf.so", EMBED_OBJECT_SECTION, "both.c", "<both>");
  embed("exe", EMBED_OBJECT_SECTION, "both.c", "<both>");
  embed("exe", EMBED_OBJECT_SECTION, "exe.c", "<program>");
  int before = lines_of("runs");
  assert_int_equal(open_one("./exe", &d), ERR_NONE);
  assert_image_holds("image\n<library><both><program>");
  assert_int_equal(open_one("exe", &d), ERR_NONE);
  assert_int_equal(lines_of("runs"), before + 1);
  embed("libf.so", EMBED_OBJECT_SECTION, "more.c", "<more>");
  assert_int_equal(open_one("exe", &d), ERR_NONE);
  assert_image_holds("image\n<library><both><more><program>");
  assert_int_equal(open_one("bare", &d), ERR_NONE); /* its library's */
  assert_int_equal(system("! ls heddle | grep tmp"), 0);
  diag_release(&d);
}

static void a_program_without_bitcode_is_refused_with_advice(void **state) {
  (void)state;
  struct diag d = {0};
  put("native.c", "int lost(void) { return 1; } int main(void) { return lost(); }\n");
  assert_int_equal(system("clang-19 native.c -o native"), 0);
  assert_int_equal(open_one("native", &d), ERR_UNSUPPORTED);
  assert_non_null(strstr(text_str(&d.message), "native carries no bitcode"));
  assert_non_null(strstr(text_str(&d.hint), "heddle cc"));
  diag_release(&d);
}

static void a_damaged_image_is_made_again(void **state) {
  (void)state;
  struct diag d = {0};
  put("damaged.c", "int main(void) { return 0; }\n");
  assert_int_equal(open_one("damaged.c", &d), ERR_NONE);
  assert_int_equal(truncate(opened, 2), 0);
  int before = lines_of("runs");
  assert_int_equal(open_one("damaged.c", &d), ERR_NONE);
  assert_int_equal(lines_of("runs"), before + 1);
  diag_release(&d);
}

static void new_models_make_a_new_image(void **state) {
  (void)state;
  struct diag d = {0};
  put("models.c", "int main(void) { return 0; }\n");
  assert_int_equal(open_one("models.c", &d), ERR_NONE);
  int before = lines_of("runs");
  put("models/libc/libc.bc", "models, improved");
  assert_int_equal(open_one("models.c", &d), ERR_NONE);
  assert_int_equal(lines_of("runs"), before + 1);
  diag_release(&d);
}

static void what_is_no_program_is_one_error(void **state) {
  (void)state;
  struct diag d = {0};
  put("text.bc", "this is not bitcode\n");
  put("empty.bc", "");
  put("document.pdf", "%PDF");
  assert_int_equal(open_one("text.bc", &d), ERR_FORMAT);
  assert_int_equal(open_one("empty.bc", &d), ERR_FORMAT);
  assert_int_equal(open_one("document.pdf", &d), ERR_FORMAT);
  assert_int_equal(open_one("missing.c", &d), ERR_FILE);
  assert_int_equal(open_one("missing", &d), ERR_FILE);
  assert_int_equal(open_one("a folder", &d), ERR_FILE);
  assert_int_equal(open_with(NULL, 0, NULL, 0, &d), ERR_USAGE);
  diag_release(&d);
}

static void the_loader_s_message_is_ours(void **state) {
  (void)state;
  struct diag d = {0};
  put("refused.c", "int main(void) { return 0; }\n");
  put("fail", "heddle-load: main (refused.c:1): inline assembly is not supported\nhint: compile with -DNO_ASM\n");
  assert_int_equal(open_one("refused.c", &d), ERR_UNSUPPORTED);
  assert_string_equal(text_str(&d.message), "main (refused.c:1): inline assembly is not supported");
  assert_string_equal(text_str(&d.hint), "compile with -DNO_ASM");
  put("fail", "");
  assert_int_equal(open_one("refused.c", &d), ERR_TOOL);
  unlink("fail");
  assert_int_equal(open_one("refused.c", &d), ERR_NONE);
  diag_release(&d);
}

static void a_missing_part_of_the_installation_is_named(void **state) {
  (void)state;
  struct diag d = {0};
  put("main.c", "int main(void) { return 0; }\n");
  rename("models/libc/libc.bc", "libc.bc");
  assert_int_equal(open_one("main.c", &d), ERR_TOOL);
  assert_non_null(strstr(text_str(&d.message), "libc.bc"));
  rename("libc.bc", "models/libc/libc.bc");
  setenv("HEDDLE_ROOT", "/nonexistent", 1);
  assert_int_equal(open_one("main.c", &d), ERR_TOOL);
  assert_non_null(strstr(text_str(&d.message), "heddle-load"));
  setenv("HEDDLE_ROOT", root, 1);
  diag_release(&d);
}

static void concurrent_openers_agree(void **state) {
  (void)state;
  put("crowd.c", "int main(void) { return 7; }\n");
  pid_t children[6];
  for (int i = 0; i < 6; i++) {
    children[i] = fork();
    if (children[i]) continue;
    struct diag d = {0};
    _exit(open_one("crowd.c", &d) == ERR_NONE ? 0 : 1);
  }
  for (int i = 0; i < 6; i++) {
    int status;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    assert_int_equal(status, 0);
  }
  assert_int_equal(system("! ls heddle | grep tmp"), 0);
}

static void nothing_stays_allocated(void **state) {
  (void)state;
  assert_int_equal(mem_live(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_source_is_compiled_once_and_again_when_a_header_changes),
      cmocka_unit_test(flags_reach_the_compiler_and_are_part_of_the_key),
      cmocka_unit_test(sources_in_c_and_cxx_and_bitcode_mix),
      cmocka_unit_test(a_program_brings_its_modules_and_those_of_its_libraries_first),
      cmocka_unit_test(a_program_without_bitcode_is_refused_with_advice),
      cmocka_unit_test(a_damaged_image_is_made_again),
      cmocka_unit_test(new_models_make_a_new_image),
      cmocka_unit_test(what_is_no_program_is_one_error),
      cmocka_unit_test(the_loader_s_message_is_ours),
      cmocka_unit_test(a_missing_part_of_the_installation_is_named),
      cmocka_unit_test(concurrent_openers_agree),
      cmocka_unit_test(nothing_stays_allocated),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

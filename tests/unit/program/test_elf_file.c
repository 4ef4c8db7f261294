/* On real objects and programs, made here with clang, and on thousands of damaged ones. */
#include "program/elf_file.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "program/bundle.h"
#include "program/embed.h"
#include "program/show.h"

static char root[] = "/tmp/heddle-test-XXXXXX";

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(root) || chdir(root) != 0) return 1;
  return system(
      "echo 'int f(void) { return 1; }' >f.c; echo 'int f(void); int main(void) { return f() + 41; }' >m.c\n"
      "clang-19 -c f.c m.c && clang-19 -shared -fPIC f.c -o libf.so");
}

static int tear_down(void **state) {
  (void)state;
  char command[64] = "rm -rf ";
  return chdir("/") || system(strcat(command, root));
}

static void load(const char *path, struct text *content, struct elf *elf) {
  struct diag d = {0};
  assert_int_equal(file_read(path, FILE_PROGRAM, content, &d), ERR_NONE);
  assert_int_equal(elf_read(elf, path, content->data, content->count, &d), ERR_NONE);
}

static int count_sections(const char *path, const char *name, const char *content, size_t n) {
  struct text t = {0};
  struct elf elf;
  int found = 0;
  load(path, &t, &elf);
  for (size_t i = 0; i < elf.nsections; i++) {
    struct elf_section s = elf_section(&elf, i);
    found += strcmp(s.name, name) == 0 && s.size == n && memcmp(s.data, content, n) == 0;
  }
  text_release(&t);
  return found;
}

static void an_added_section_is_there_and_the_program_as_before(void **state) {
  (void)state;
  struct diag d = {0};
  assert_int_equal(elf_add_section("f.o", ".heddle.test", "12345678", 8, &d), ERR_NONE);
  assert_int_equal(elf_add_section("m.o", ".heddle.test", "ABCDEFGH", 8, &d), ERR_NONE);
  assert_int_equal(count_sections("f.o", ".heddle.test", "12345678", 8), 1);
  assert_int_equal(system("clang-19 m.o f.o -o p"), 0);
  assert_int_equal(count_sections("p", ".heddle.test", "ABCDEFGH12345678", 16), 1);
  assert_int_equal(elf_add_section("p", ".heddle.link", "link", 4, &d), ERR_NONE);
  assert_int_equal(elf_add_section("p", ".heddle.more", "more", 4, &d), ERR_NONE);
  assert_int_equal(count_sections("p", ".heddle.link", "link", 4), 1);
  assert_int_equal(count_sections("p", ".heddle.more", "more", 4), 1);
  assert_int_equal(system("./p; test $? = 42"), 0);
  assert_int_equal(system("readelf -SW p 2>&1 >/dev/null | grep . && exit 1; strip -g p && ./p; test $? = 42"), 0);
}

/* More sections than the header's field can count. */
static void files_with_very_many_sections_work(void **state) {
  (void)state;
  struct diag d = {0};
  FILE *f = fopen("many.c", "w");
  for (int i = 0; i < 33000; i++) fprintf(f, "int v%d = 1;\n", i);
  for (int i = 0; i < 33000; i++) fprintf(f, "const int c%d = 1;\n", i);
  fclose(f);
  assert_int_equal(system("clang-19 -c -fdata-sections many.c"), 0);
  assert_int_equal(elf_add_section("many.o", ".heddle.test", "1234", 4, &d), ERR_NONE);
  assert_int_equal(count_sections("many.o", ".heddle.test", "1234", 4), 1);
  assert_int_equal(system("readelf -SW many.o 2>&1 | grep -q heddle.test && clang-19 -r many.o -o again.o"), 0);
}

struct names {
  int files, functions;
};

static void count_symbol(void *context, const struct elf_symbol *s) {
  struct names *n = context;
  n->files += s->type == STT_FILE && strcmp(s->name, "f.c") == 0;
  n->functions += s->type == STT_FUNC && s->defined && strcmp(s->name, "f") == 0;
}

static void symbols_are_listed(void **state) {
  (void)state;
  struct text t = {0};
  struct elf elf;
  struct names n = {0};
  load("f.o", &t, &elf);
  assert_true(elf_symbols(&elf, ELF_ALL_SYMBOLS, count_symbol, &n));
  assert_int_equal(n.files, 1);
  assert_int_equal(n.functions, 1);
  text_release(&t);
}

static void count_needed(void *context, int64_t tag, const char *string) {
  *(int *)context += tag == DT_NEEDED && strcmp(string, "libf.so") == 0;
}

static void needed_libraries_are_listed(void **state) {
  (void)state;
  struct text t = {0};
  struct elf elf;
  int n = 0;
  assert_int_equal(system("clang-19 m.o -L. -lf -o q"), 0);
  load("q", &t, &elf);
  elf_dynamic(&elf, count_needed, &n);
  assert_int_equal(n, 1);
  text_release(&t);
}

static void other_files_are_one_error(void **state) {
  (void)state;
  struct diag d = {0};
  struct elf elf;
  assert_int_equal(elf_read(&elf, "x", "not an ELF file", 15, &d), ERR_FORMAT);
  assert_int_equal(elf_read(&elf, "x", ELFMAG, 4, &d), ERR_FORMAT);
  assert_int_equal(elf_read(&elf, "x", "", 0, &d), ERR_FORMAT);
  assert_int_equal(system("clang-19 -c --target=arm-linux-gnueabi f.c -o arm.o && clang-19 -c --target=s390x-linux-gnu f.c -o s390.o"), 0);
  assert_int_equal(elf_add_section("arm.o", ".x", "", 0, &d), ERR_UNSUPPORTED);
  assert_int_equal(elf_add_section("s390.o", ".x", "", 0, &d), ERR_UNSUPPORTED);
  assert_int_equal(elf_add_section("missing.o", ".x", "", 0, &d), ERR_FILE);
  diag_release(&d);
}

static uint64_t next(uint64_t *seed) {
  *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
  return *seed;
}

static void touch_symbol(void *context, const struct elf_symbol *s) { *(size_t *)context += strlen(s->name); }
static void touch_dynamic(void *context, int64_t tag, const char *s) { *(size_t *)context += strlen(s) + (size_t)(tag & 1); }

/* Reads everything there is; true if the file was accepted. */
static bool read_everything(const char *bytes, size_t n) {
  struct diag d = {0};
  struct elf elf;
  size_t sum = 0;
  enum err e = elf_read(&elf, "x", bytes, n, &d);
  if (e != ERR_NONE) assert_true(d.message.count > 0);
  for (size_t i = 0; e == ERR_NONE && i < elf.nsections; i++) {
    struct elf_section s = elf_section(&elf, i);
    sum += strlen(s.name) + s.size + (s.size ? s.data[0] + s.data[s.size - 1] : 0);
  }
  if (e == ERR_NONE) elf_symbols(&elf, ELF_ALL_SYMBOLS, touch_symbol, &sum), elf_dynamic(&elf, touch_dynamic, &sum);
  diag_release(&d);
  return e == ERR_NONE && sum > 0;
}

/* The bytes in a block of exactly their size, so that a sanitizer sees the first byte read beyond. */
static bool read_copy(const char *bytes, size_t n) {
  char *copy = malloc(n ? n : 1);
  memcpy(copy, bytes, n);
  bool ok = read_everything(copy, n);
  free(copy);
  return ok;
}

static void damaged_files_never_crash(void **state) {
  (void)state;
  static const char *const files[] = {"f.o", "libf.so"};
  uint64_t seed = 88172645463325252u;
  for (int k = 0; k < 2; k++) {
    struct text t = {0};
    struct elf elf;
    int refused = 0;
    load(files[k], &t, &elf);
    for (size_t n = 0; n < t.count; n += 1 + n / 64) refused += !read_copy(t.data, n);
    for (int i = 0; i < 4000; i++) {
      struct text broken = {0};
      text_append(&broken, t.data, t.count);
      for (int c = 0; c < 3; c++) {
        /* headers and section table more often than the rest */
        size_t at = next(&seed) % 3 ? (next(&seed) % 2 ? next(&seed) % 64 : elf.section_table + next(&seed) % (elf.nsections * 64))
                                    : next(&seed) % t.count;
        broken.data[at] = (char)(next(&seed) % 4 ? (uint64_t)(broken.data[at] ^ (1 << next(&seed) % 8)) : next(&seed) % 2 ? 0xff : 0);
      }
      refused += !read_copy(broken.data, broken.count);
      text_release(&broken);
    }
    assert_true(refused > 100);
    text_release(&t);
  }
}

static void damaged_bitcode_is_one_error(void **state) {
  (void)state;
  struct diag d = {0};
  struct text records = {0}, out = {0};
  const struct embed_record r = {.kind = EMBED_MODULE, .name = "f.c", .folder = "/", .flags = "", .note = ""};
  embed_write(&r, "bitcode", 7, &records);
  records.data[records.count / 2] ^= 1;
  assert_int_equal(system("cp libf.so damaged.so"), 0);
  assert_int_equal(elf_add_section("damaged.so", EMBED_OBJECT_SECTION, records.data, records.count, &d), ERR_NONE);
  assert_int_equal(program_show("damaged.so", &out, &d), ERR_FORMAT);
  assert_non_null(strstr(text_str(&d.message), "damaged.so"));
  assert_int_equal(program_show("libf.so", &out, &d), ERR_UNSUPPORTED);
  assert_int_equal(program_show("f.c", &out, &d), ERR_FORMAT);
  assert_int_equal(program_show("missing", &out, &d), ERR_FILE);
  text_release(&records);
  text_release(&out);
  diag_release(&d);
}

static void nothing_stays_allocated(void **state) {
  (void)state;
  assert_int_equal(mem_live(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_added_section_is_there_and_the_program_as_before),
      cmocka_unit_test(files_with_very_many_sections_work),
      cmocka_unit_test(symbols_are_listed),
      cmocka_unit_test(needed_libraries_are_listed),
      cmocka_unit_test(other_files_are_one_error),
      cmocka_unit_test(damaged_files_never_crash),
      cmocka_unit_test(damaged_bitcode_is_one_error),
      cmocka_unit_test(nothing_stays_allocated),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

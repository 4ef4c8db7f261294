#include "program/cache.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"

static char root[] = "/tmp/heddle-test-XXXXXX";

static int set_up(void **state) {
  (void)state;
  return !mkdtemp(root) || chdir(root) != 0;
}

static int tear_down(void **state) {
  (void)state;
  char command[64] = "rm -rf ";
  return chdir("/") || system(strcat(command, root));
}

static void assert_folder(const char *expected) {
  struct cache c = {0};
  struct diag d = {0};
  assert_int_equal(cache_open(&c, &d), ERR_NONE);
  assert_string_equal(text_str(&c.folder), expected);
  assert_int_equal(access(expected, W_OK), 0);
  cache_close(&c);
}

static void the_folder_follows_the_environment(void **state) {
  (void)state;
  char path[128], fallback[128];
  snprintf(path, sizeof path, "%s/new/xdg", root);
  setenv("XDG_CACHE_HOME", path, 1);
  strcat(path, "/heddle");
  assert_folder(path);
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", root, 1);
  snprintf(path, sizeof path, "%s/.cache/heddle", root);
  assert_folder(path);
  setenv("HOME", "/dev/null", 1);
  setenv("TMPDIR", root, 1);
  snprintf(fallback, sizeof fallback, "%s/heddle-%ld", root, (long)geteuid());
  assert_folder(fallback);
  struct stat s;
  assert_int_equal(stat(fallback, &s), 0);
  assert_int_equal(s.st_mode & 077, 0);
}

/* In a folder that everybody may write to, somebody else could have been there first. */
static void a_shared_folder_prepared_by_others_is_refused(void **state) {
  (void)state;
  char fallback[128], target[128];
  struct cache c = {0};
  struct diag d = {0};
  setenv("HOME", "/dev/null", 1);
  setenv("TMPDIR", root, 1);
  snprintf(fallback, sizeof fallback, "%s/heddle-%ld", root, (long)geteuid());
  snprintf(target, sizeof target, "%s/target", root);
  rmdir(fallback);
  assert_int_equal(mkdir(target, 0700), 0);
  assert_int_equal(symlink(target, fallback), 0);
  assert_int_equal(cache_open(&c, &d), ERR_FILE);
  assert_int_equal(unlink(fallback), 0);
  assert_int_equal(mkdir(fallback, 0700), 0);
  assert_int_equal(chmod(fallback, 0777), 0);
  assert_int_equal(cache_open(&c, &d), ERR_FILE);
  assert_true(d.hint.count > 0);
  assert_int_equal(rmdir(fallback), 0);
  cache_close(&c);
  diag_release(&d);
}

static void touch(const struct cache *c, unsigned i, time_t when, struct text *path) {
  text_clear(path);
  cache_path(c, (struct cache_key){i, 0}, "hdi", path);
  int fd = open(text_str(path), O_WRONLY | O_CREAT, 0666);
  assert_true(fd >= 0);
  const struct timespec times[2] = {{when, 0}, {when, 0}};
  assert_int_equal(futimens(fd, times), 0);
  close(fd);
}

static void entries_used_longest_ago_go_first(void **state) {
  (void)state;
  enum { ENTRIES = 2100 };
  struct cache c = {0};
  struct diag d = {0};
  struct text path = {0}, temporary = {0};
  setenv("XDG_CACHE_HOME", root, 1);
  assert_int_equal(cache_open(&c, &d), ERR_NONE);
  for (unsigned i = 0; i < ENTRIES; i++) touch(&c, i, 1000000 + (time_t)i, &path);
  touch(&c, 7, 1000000, &path);
  assert_true(cache_has(text_str(&path))); /* used now */
  cache_temporary(&c, (struct cache_key){ENTRIES, 0}, "hdi", &temporary);
  close(open(text_str(&temporary), O_WRONLY | O_CREAT, 0666));
  text_clear(&path);
  cache_path(&c, (struct cache_key){ENTRIES, 0}, "hdi", &path);
  assert_int_equal(cache_commit(&c, text_str(&temporary), text_str(&path), &d), ERR_NONE);
  unsigned left = 0;
  for (unsigned i = 0; i <= ENTRIES; i++) {
    text_clear(&path);
    cache_path(&c, (struct cache_key){i, 0}, "hdi", &path);
    bool there = access(text_str(&path), F_OK) == 0;
    left += there;
    if (i == 7 || i > ENTRIES - 900) assert_true(there);
    if (i < 900 && i != 7) assert_false(there);
  }
  assert_in_range(left, 900, 1100);
  assert_int_equal(access(text_str(&temporary), F_OK), -1);
  text_release(&path);
  text_release(&temporary);
  cache_close(&c);
}

static void a_key_depends_on_order_and_boundaries(void **state) {
  (void)state;
  struct cache_key a = {0}, b = {0}, c = {0};
  cache_key_string(&a, "ab"), cache_key_string(&a, "c");
  cache_key_string(&b, "a"), cache_key_string(&b, "bc");
  cache_key_string(&c, "c"), cache_key_string(&c, "ab");
  assert_memory_not_equal(&a, &b, sizeof a);
  assert_memory_not_equal(&a, &c, sizeof a);
  assert_true(a.a != a.b);
}

static void nothing_stays_allocated(void **state) {
  (void)state;
  assert_int_equal(mem_live(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_folder_follows_the_environment),
      cmocka_unit_test(a_shared_folder_prepared_by_others_is_refused),
      cmocka_unit_test(entries_used_longest_ago_go_first),
      cmocka_unit_test(a_key_depends_on_order_and_boundaries),
      cmocka_unit_test(nothing_stays_allocated),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

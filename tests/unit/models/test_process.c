/* How processes end, signals, options, dates, the environment, keys. */
#include <pthread.h>

#include "models.h"

MODEL(exit);
MODEL(atexit);
MODEL(at_quick_exit);
MODEL(quick_exit);
MODEL(abort);
MODEL(signal);
MODEL(raise);
MODEL(sigprocmask);
MODEL(puts);
MODEL(gmtime_r);
MODEL(timegm);
MODEL(strftime);
MODEL(asctime_r);
MODEL(getenv);
MODEL(setenv);
MODEL(unsetenv);
MODEL(putenv);
MODEL(clearenv);
MODEL(getopt);
MODEL(getopt_long);
MODEL(tsearch);
MODEL(tfind);
MODEL(tdelete);
MODEL(twalk);
MODEL(tdestroy);
MODEL(hcreate);
MODEL(hsearch);
MODEL(hdestroy);
MODEL(pthread_key_create);
MODEL(pthread_key_delete);
MODEL(pthread_setspecific);
MODEL(pthread_getspecific);
MODEL(pthread_once);
void m___assert_fail(const char *expression, const char *file, unsigned line, const char *function);
int m___cxa_atexit(void (*function)(void *), void *argument, void *library);
void m___hd_thread_exit(void);
int m___sprintf_chk(char *to, int flag, size_t object, const char *format, ...);
extern int m_optind, m_opterr, m_optopt;
extern char *m_optarg;

static void say_one(void) { m_puts("one"); }
static void say_two(void) { m_puts("two"); }
static void say_text(void *text) { m_puts(text); }
static void register_another(void) {
  m_puts("registering");
  m_atexit(say_one);
}

static void exit_runs_handlers_backwards(void **state) {
  (void)state;
  SHIM_RUN({
    m_atexit(say_one);
    m___cxa_atexit(say_text, "argument", NULL);
    m_atexit(register_another);
    m_atexit(say_two);
    for (int i = 0; i < 100; i++) m___cxa_atexit(say_text, ".", NULL);
    m_exit(5);
  });
  assert_int_equal(shim.ended, SHIM_EXITED);
  assert_int_equal(shim.code, 5);
  assert_string_equal(shim.output[1] + 200, "two\nregistering\none\nargument\none\n");
  SHIM_RUN(m_exit(0));
  assert_string_equal(shim.output[1], "");
}

static void exit_runs_destructors_after_handlers(void **state) {
  (void)state;
  shim_destructors[0] = say_two;
  shim_destructors[1] = say_one;
  SHIM_RUN({
    m_atexit(say_one);
    m_exit(0);
  });
  shim_destructors[0] = shim_destructors[1] = NULL;
  assert_string_equal(shim.output[1], "one\ntwo\none\n");
}

static void quick_exit_runs_its_own_handlers(void **state) {
  (void)state;
  SHIM_RUN({
    m_atexit(say_one);
    m_at_quick_exit(say_two);
    m_quick_exit(1);
  });
  assert_int_equal(shim.code, 1);
  assert_string_equal(shim.output[1], "two\n");
  SHIM_RUN(m_exit(0)); /* so that the handler is gone */
}

static void failures_say_where(void **state) {
  (void)state;
  SHIM_RUN(m___assert_fail("x == 1", "bank.c", 12, "transfer"));
  assert_int_equal(shim.ended, SHIM_FAILED);
  assert_string_equal(shim.kind, "assertion");
  assert_string_equal(shim.message, "bank.c:12: transfer: assertion `x == 1' failed");
  SHIM_RUN(m_abort());
  assert_string_equal(shim.kind, "abort");
  char small[4];
  SHIM_RUN(m___sprintf_chk(small, 1, sizeof small, "%d", 12345));
  assert_string_equal(shim.kind, "out-of-bounds");
}

static int last_signal;
static void note_signal(int number) { last_signal = number; }

static void signals_run_handlers(void **state) {
  (void)state;
  m_signal(SIGUSR1, note_signal);
  assert_int_equal(m_raise(SIGUSR1), 0);
  assert_int_equal(last_signal, SIGUSR1);
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  last_signal = 0;
  m_sigprocmask(SIG_BLOCK, &set, &old);
  m_raise(SIGUSR1);
  assert_int_equal(last_signal, 0);
  m_sigprocmask(SIG_SETMASK, &old, NULL);
  assert_int_equal(last_signal, SIGUSR1);
  SHIM_RUN(m_raise(SIGTERM));
  assert_string_equal(shim.kind, "abort");
  assert_string_equal(shim.message, "the program is ended by signal SIGTERM");
}

static void dates_agree(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    time_t t = (time_t)(draw() >> (8 + below(50))) * (below(2) ? 1 : -1);
    struct tm a, b;
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
    const struct tm *x = m_gmtime_r(&t, &a), *y = gmtime_r(&t, &b);
    assert_int_equal(x != NULL, y != NULL);
    if (!x) continue;
    if (a.tm_year != b.tm_year || a.tm_yday != b.tm_yday || a.tm_mon != b.tm_mon || a.tm_mday != b.tm_mday || a.tm_hour != b.tm_hour ||
        a.tm_min != b.tm_min || a.tm_sec != b.tm_sec || a.tm_wday != b.tm_wday)
      fail_msg("gmtime(%ld)", (long)t);
    assert_int_equal(m_timegm(&a), t);
    static const char *const formats[] = {"%a %A %b %B %c %d %D %e %F",          "%g %G %H %I %j %k %l %m %M",
                                          "%p %P %r %R %s %S %T %u %U %V %w %W", "%x %X %y %Y %C %z %%",
                                          "%_5d|%-d|%05e|%^a|%#p|%10Y|%-j|%_H",  "%Ey %Od %"};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
      char u[256] = "", v[256] = "";
      size_t m = m_strftime(u, sizeof u, formats[k], &a), n = strftime(v, sizeof v, formats[k], &b);
      if (m != n || strcmp(u, v)) fail_msg("strftime(\"%s\", %ld): \"%s\", expected \"%s\"", formats[k], (long)t, u, v);
    }
    char u[64] = "", v[64] = "";
    const char *p = m_asctime_r(&a, u), *q = asctime_r(&b, v);
    assert_int_equal(p != NULL, q != NULL);
    if (p) assert_string_equal(u, v);
  }
}

static void fields_are_normalised_alike(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    struct tm a = {.tm_year = (int)below(300),
                   .tm_mon = (int)below(60) - 30,
                   .tm_mday = (int)below(100) - 50,
                   .tm_hour = (int)below(100) - 50,
                   .tm_min = (int)below(200) - 100,
                   .tm_sec = (int)below(200) - 100},
              b = a;
    assert_int_equal(m_timegm(&a), timegm(&b));
    assert_int_equal(a.tm_mday, b.tm_mday);
    assert_int_equal(a.tm_yday, b.tm_yday);
  }
}

static void the_environment_can_be_changed(void **state) {
  (void)state;
  assert_string_equal(m_getenv("SHIM"), "shim value");
  assert_null(m_getenv("OTHER"));
  assert_int_equal(m_setenv("OTHER", "1", 0), 0);
  assert_int_equal(m_setenv("OTHER", "2", 0), 0);
  assert_string_equal(m_getenv("OTHER"), "1");
  assert_int_equal(m_setenv("SHIM", "new", 1), 0);
  assert_string_equal(m_getenv("SHIM"), "new");
  static char entry[] = "PUT=yes";
  assert_int_equal(m_putenv(entry), 0);
  assert_string_equal(m_getenv("PUT"), "yes");
  assert_int_equal(m_unsetenv("SHIM"), 0);
  assert_null(m_getenv("SHIM"));
  assert_int_equal(m_setenv("A=B", "1", 0), -1);
  m_clearenv();
  assert_null(m_getenv("OTHER"));
}

static void options_are_parsed_alike(void **state) {
  (void)state;
  static char *const words[] = {"-a",     "-b",       "-bvalue", "-ab", "operand", "--",        "-",        "--long", "--long=1", "--lon",
                                "--with", "--with=2", "-c",      "-cx", "-x",      "--unknown", "--flag=3", "--flag", "-abc",     "--w"};
  static const struct option longs[] = {
      {"long", no_argument, NULL, 'l'}, {"with", required_argument, NULL, 'w'}, {"flag", optional_argument, NULL, 'f'}, {0}};
  static const char *const shorts[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::"};
  for (int i = 0; i < 20000; i++) {
    char *mine[10] = {(char *)"program"}, *theirs[10];
    int n = 1 + (int)below(7);
    for (int k = 1; k < n; k++) mine[k] = words[below(sizeof words / sizeof *words)];
    memcpy(theirs, mine, sizeof mine);
    const char *set = shorts[below(4)];
    bool with_longs = below(2);
    m_optind = optind = 0;
    m_opterr = opterr = 0;
    for (;;) {
      int a = with_longs ? m_getopt_long(n, mine, set, longs, NULL) : m_getopt(n, mine, set);
      int b = with_longs ? getopt_long(n, theirs, set, longs, NULL) : getopt(n, theirs, set);
      if (a != b || m_optind != optind || (a == '?' && m_optopt != optopt) || (m_optarg != NULL) != (optarg != NULL))
        fail_msg("getopt gives %d at %d (%c), expected %d at %d (%c); arguments %s %s %s, \"%s\"", a, m_optind, m_optopt, b, optind, optopt,
                 n > 1 ? theirs[1] : "", n > 2 ? theirs[2] : "", n > 3 ? theirs[3] : "", set);
      if (optarg) assert_string_equal(m_optarg, optarg);
      if (a == -1) break;
    }
    assert_memory_equal(mine, theirs, (size_t)n * sizeof *mine);
  }
}

static int compare_ints(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int walked[200], walked_count;
static void note_walk(const void *node, VISIT which, int depth) {
  (void)depth;
  if (which != postorder && which != leaf) return;
  const int *key;
  memcpy(&key, node, sizeof key);
  walked[walked_count++] = *key;
}
static void keep(void *key) { (void)key; }

static void trees_keep_their_order(void **state) {
  (void)state;
  static int keys[100];
  void *root = NULL;
  bool present[100] = {false};
  for (int i = 0; i < 100; i++) keys[i] = i;
  for (int i = 0; i < 3000; i++) {
    unsigned k = below(100);
    assert_int_equal(m_tfind(&keys[k], &root, compare_ints) != NULL, present[k]);
    if (below(2)) {
      assert_int_equal(**(int **)m_tsearch(&keys[k], &root, compare_ints), (int)k);
      present[k] = true;
    } else {
      assert_int_equal(m_tdelete(&keys[k], &root, compare_ints) != NULL, present[k]);
      present[k] = false;
    }
    walked_count = 0;
    m_twalk(root, note_walk);
    int at = 0;
    for (int j = 0; j < 100; j++)
      if (present[j]) assert_int_equal(walked[at++], j);
    assert_int_equal(at, walked_count);
  }
  m_tdestroy(root, keep);
}

static void hash_tables_find_what_was_entered(void **state) {
  (void)state;
  static char names[50][8];
  assert_true(m_hcreate(60));
  for (long i = 0; i < 50; i++) {
    sprintf(names[i], "key%ld", i);
    assert_null(m_hsearch((ENTRY){names[i], NULL}, FIND));
    assert_non_null(m_hsearch((ENTRY){names[i], (void *)i}, ENTER));
  }
  for (long i = 0; i < 50; i++) assert_int_equal((long)m_hsearch((ENTRY){names[i], NULL}, FIND)->data, i);
  m_hdestroy();
}

static int destroyed;
static void count_destroyed(void *value) { destroyed += (int)(intptr_t)value; }

static void keys_hold_a_value_for_each_thread(void **state) {
  (void)state;
  pthread_key_t keys[20];
  for (int i = 0; i < 20; i++) assert_int_equal(m_pthread_key_create(&keys[i], count_destroyed), 0);
  for (int i = 0; i < 20; i++) assert_int_equal(m_pthread_setspecific(keys[i], (void *)(intptr_t)(i + 1)), 0);
  for (int i = 0; i < 20; i++) assert_int_equal((intptr_t)m_pthread_getspecific(keys[i]), i + 1);
  pthread_key_t old = keys[3];
  assert_int_equal(m_pthread_key_delete(old), 0);
  assert_int_equal(m_pthread_setspecific(old, &destroyed), EINVAL);
  assert_int_equal(m_pthread_key_create(&keys[3], NULL), 0);
  assert_null(m_pthread_getspecific(keys[3]));
  m___hd_thread_exit();
  assert_int_equal(destroyed, 20 * 21 / 2 - 4);
  assert_null(m_pthread_getspecific(keys[0]));
  for (int i = 0; i < 20; i++) assert_int_equal(m_pthread_key_delete(keys[i]), 0);
}

static int once_runs;
static void run_once(void) { once_runs++; }

static void once_runs_once(void **state) {
  (void)state;
  pthread_once_t once = PTHREAD_ONCE_INIT;
  for (int i = 0; i < 3; i++) assert_int_equal(m_pthread_once(&once, run_once), 0);
  assert_int_equal(once_runs, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exit_runs_handlers_backwards),
      cmocka_unit_test(exit_runs_destructors_after_handlers),
      cmocka_unit_test(quick_exit_runs_its_own_handlers),
      cmocka_unit_test(failures_say_where),
      cmocka_unit_test(signals_run_handlers),
      cmocka_unit_test(dates_agree),
      cmocka_unit_test(fields_are_normalised_alike),
      cmocka_unit_test(the_environment_can_be_changed),
      cmocka_unit_test(options_are_parsed_alike),
      cmocka_unit_test(trees_keep_their_order),
      cmocka_unit_test(hash_tables_find_what_was_entered),
      cmocka_unit_test(keys_hold_a_value_for_each_thread),
      cmocka_unit_test(once_runs_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

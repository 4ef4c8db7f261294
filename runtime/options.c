/* HEDDLE_OPTIONS and TSAN_OPTIONS. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/access.h"
#include "analysis/action.h"
#include "analysis/confirm.h"
#include "analysis/locked.h"
#include "enforce/enforce.h"
#include "record/module.h"
#include "record/opened.h"
#include "record/record.h"
#include "record/system.h"
#include "report/plan.h"
#include "report/report.h"
#include "report/suppression.h"
#include "runtime.h"

struct options options = {.log = STDERR_FILENO, .atexit_sleep = 1000, .analysis = ANALYSIS_OVP};

/* What is being read. */
static struct { const char *from, *name; } now;

static _Noreturn void wrong(const char *wanted, const char *value) {
  rt_die("heddle: %s: %s is %s, not \"%s\"\n", now.from, now.name, wanted, value);
}

static int number(const char *value, int most, const char *wanted) {
  int n = 0;
  const char *c = value;
  for (; *c >= '0' && *c <= '9' && n <= most; c++) n = n * 10 + (*c - '0');
  if (*c || n > most || !*value) wrong(wanted, value);
  return n;
}

static void set_exit_code(const char *value) { options.exit_code = number(value, 255, "a number up to 255"); }

static void set_atexit_sleep(const char *value) { options.atexit_sleep = number(value, 1000000, "a number up to 1000000"); }

/* The file of reports. A program may close all descriptors that it does not know, and open files of its own in their place, or change to
 * another root. */
static struct {
  struct rt_text path; /* absolute */
  bool open;
  dev_t device;
  ino_t inode;
} file;

/* A negative number, and errno, if it cannot be had. */
static int open_log(void) {
  struct stat about;
  int fd = open(file.path.data, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  int far = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 1000); /* out of the way of programs that count on low numbers */
  if (far >= 0) close(fd), fd = far;
  file.open = fd >= 0 && fstat(fd, &about) == 0;
  if (file.open) file.device = about.st_dev, file.inode = about.st_ino;
  return fd;
}

static bool is_open(void) {
  struct stat about;
  return file.open && fstat(options.log, &about) == 0 && about.st_dev == file.device && about.st_ino == file.inode;
}

static void set_log(const char *value) {
  char folder[PATH_MAX];
  const char *from = value[0] != '/' ? getcwd(folder, sizeof folder) : NULL;
  file.path.count = 0;
  rt_printf(&file.path, "%s%s%s", from ? from : "", from ? "/" : "", value);
  options.log = open_log(), options.log_prefix = NULL;
  if (options.log < 0) rt_die("heddle: %s: cannot write %s: %s\n", now.from, value, strerrordesc_np(errno));
}

static const char *kept(const char *value) {
  size_t n = rt_length(value) + 1;
  char *copy = rt_alloc(n);
  if (!copy) rt_die("heddle: no memory for options\n");
  rt_copy(copy, value, n);
  return copy;
}

static void set_log_path(const char *value) {
  options.log = rt_equal(value, "stdout") ? STDOUT_FILENO : STDERR_FILENO;
  options.log_prefix = rt_equal(value, "stdout") || rt_equal(value, "stderr") ? NULL : kept(value);
}

void options_log_path(const char *path) { set_log_path(path); }
void options_log_descriptor(int fd) { options.log = fd, options.log_prefix = NULL, file.open = false; }

/* Where it cannot be had any more, reports are better on standard error than nowhere. */
int options_log(void) {
  static int process;
  if (!options.log_prefix && !file.open) return options.log;
  if (options.log_prefix && process != getpid()) {
    process = getpid(), file.open = false, file.path.count = 0;
    rt_printf(&file.path, "%s.%d", options.log_prefix, process);
  }
  if (is_open()) return options.log;
  options.log = open_log();
  if (options.log >= 0) return options.log;
  rt_say("heddle: cannot write %s: %s: reports come here instead\n", file.path.data, strerrordesc_np(errno));
  file.open = false, options.log_prefix = NULL;
  return options.log = STDERR_FILENO;
}

const char *options_log_file(void) {
  options_log();
  return file.open ? file.path.data : NULL;
}

static void set_format(const char *value) {
  options.json = rt_equal(value, "json");
  if (!options.json && !rt_equal(value, "text")) wrong("text or json", value);
}

static void set_analysis(const char *value) {
  static const char *const names[] = {[ANALYSIS_HB] = "hb", [ANALYSIS_WDC] = "wdc", [ANALYSIS_OVP] = "ovp"};
  unsigned i = 0;
  while (i < sizeof names / sizeof names[0] && !rt_equal(value, names[i])) i++;
  if (i == sizeof names / sizeof names[0]) wrong("hb, wdc or ovp", value);
  options.analysis = (enum analysis)i;
}

static struct {
  const char *file;    /* NULL: nothing is recorded */
  const char *program; /* BUILD:PATH; NULL: the one that runs */
  uint64_t ring;
  const char *witness; /* to be carried out */
} trace;
static void set_trace(const char *value) { trace.file = kept(value); }
static void set_traced(const char *value) { trace.program = kept(value); }
static void set_witness(const char *value) { trace.witness = kept(value); }
static void set_ring(const char *value) { trace.ring = (uint64_t)number(value, 1 << 30, "a number of KB up to 1073741824") << 10; }

static void no_value(const char *value) {
  if (*value) rt_die("heddle: %s: %s has no value\n", now.from, now.name);
}
static void set_unbounded(const char *value) { no_value(value), keep_all = true; }
static void set_strangers(const char *value) { no_value(value), modules_have_strangers(); }
static void set_halt(const char *value) { no_value(value), options.halt = true; }
static void set_unwatched(const char *value) { no_value(value), options.unwatched = true; }
static void set_thread_leaks(const char *value) { no_value(value), options.thread_leaks = true; }

struct named {
  const char *name;
  void (*set)(const char *value);
};
static const struct named table[] = {{"analysis", set_analysis},
                                     {"atexit_sleep_ms", set_atexit_sleep},
                                     {"confirm", plans_open},
                                     {"exit_code", set_exit_code},
                                     {"format", set_format},
                                     {"halt_on_error", set_halt},
                                     {"log", set_log},
                                     {"report_unwatched", set_unwatched},
                                     {"ring_kb", set_ring},
                                     {"spec", actions_read},
                                     {"strangers", set_strangers},
                                     {"suppressions", suppressions_read},
                                     {"thread_leaks", set_thread_leaks},
                                     {"trace", set_trace},
                                     {"traced", set_traced},
                                     {"unbounded", set_unbounded},
                                     {"witness", set_witness}};
enum { OPTIONS = sizeof table / sizeof table[0] };

static _Noreturn void unknown(const char *name) {
  static struct rt_text names;
  for (int i = 0; i < OPTIONS; i++) rt_printf(&names, "%s%s", i == 0 ? "" : i == OPTIONS - 1 ? " and " : ", ", table[i].name);
  rt_die("heddle: HEDDLE_OPTIONS: there is no option \"%s\": %s are\n", name, names.data ? names.data : "");
}

static bool set(const struct named *options_of, size_t n, const char *name, const char *value) {
  now.name = name;
  for (size_t i = 0; i < n; i++) {
    if (!rt_equal(options_of[i].name, name)) continue;
    options_of[i].set(value);
    return true;
  }
  return false;
}

/* ThreadSanitizer's flags that mean something here. */
static bool truth(const char *value) {
  if (rt_equal(value, "1") || rt_equal(value, "yes") || rt_equal(value, "true")) return true;
  if (!rt_equal(value, "0") && !rt_equal(value, "no") && !rt_equal(value, "false")) wrong("0 or 1", value);
  return false;
}
static void show(uint32_t kinds, const char *value) { options.hidden = truth(value) ? options.hidden & ~kinds : options.hidden | kinds; }
#define KIND(k) (1u << FINDING_##k)
static void set_tsan_halt(const char *value) { options.halt = truth(value); }
static void set_tsan_leaks(const char *value) { options.thread_leaks = truth(value); }
static void set_deadlocks(const char *value) { show(KIND(CYCLE), value); }
static void set_atomic_races(const char *value) { options.no_atomic_races = !truth(value); }
static void set_bugs(const char *value) { show(UINT32_MAX, value); }
static void set_destroyed(const char *value) { show(KIND(LOCKED), value); }
static void set_mutex_bugs(const char *value) { show(KIND(UNHELD) | KIND(DESTROYED) | KIND(HELD), value); }
static void set_signal_unsafe(const char *value) { show(KIND(SIGNAL), value); }

static const struct named tsan[] = {{"atexit_sleep_ms", set_atexit_sleep},
                                    {"detect_deadlocks", set_deadlocks},
                                    {"exitcode", set_exit_code},
                                    {"halt_on_error", set_tsan_halt},
                                    {"log_path", set_log_path},
                                    {"report_atomic_races", set_atomic_races},
                                    {"report_bugs", set_bugs},
                                    {"report_destroy_locked", set_destroyed},
                                    {"report_mutex_bugs", set_mutex_bugs},
                                    {"report_signal_unsafe", set_signal_unsafe},
                                    {"report_thread_leaks", set_tsan_leaks},
                                    {"suppressions", suppressions_read}};

static bool is_among(char c, const char *set) {
  while (*set && *set != c) set++;
  return c && *set;
}

/* The next word of *text, as `name` and `value`, or false. A value may be in quotation marks if `quotes` are such. */
static bool next_word(const char **text, const char *separators, const char *quotes, char *word, size_t size, const char **value) {
  const char *at = *text;
  size_t n = 0;
  char quote = 0;
  while (is_among(*at, separators)) at++;
  *value = NULL;
  for (; *at && n < size - 1 && (quote || !is_among(*at, separators)); at++) {
    if (*at == '=' && !*value) {
      word[n++] = 0, *value = &word[n];
      if (is_among(at[1], quotes)) quote = *++at;
    } else if (quote && *at == quote) {
      quote = 0;
    } else {
      word[n++] = *at;
    }
  }
  word[n] = 0;
  if (!*value) *value = &word[n];
  *text = at;
  return n > 0;
}

static void read_heddle(const char *text) {
  char word[4096];
  const char *value;
  now.from = "HEDDLE_OPTIONS";
  while (text && next_word(&text, " ", "", word, sizeof word, &value))
    if (!set(table, OPTIONS, word, value)) unknown(word);
}

/* Those that mean nothing here are named, all at once. */
static void read_tsan(const char *text, const char *from) {
  static struct rt_text others;
  char word[4096];
  const char *value;
  unsigned n = 0;
  now.from = from;
  while (text && next_word(&text, " ,:\t\n\r", "'\"", word, sizeof word, &value))
    if (!set(tsan, sizeof tsan / sizeof tsan[0], word, value)) rt_printf(&others, "%s%s", n++ ? ", " : "", word);
  if (n) rt_say("heddle: %s: without a meaning here: %s\n", from, others.data ? others.data : "");
  others.count = 0;
}

void options_read(const char *heddle, const char *tsan_options, const char *program) {
  read_tsan(program, "__tsan_default_options()");
  read_tsan(tsan_options, "TSAN_OPTIONS");
  read_heddle(heddle);
  if (plans && plans->tries) { /* whatever the user wants to be told of, it was told of by the first run */
    options.analysis = ANALYSIS_HB, options.hidden = UINT32_MAX;
    options.exit_code = 0, options.halt = options.thread_leaks = false;
    confirm_start();
  }
  if (trace.file || trace.witness) { /* nothing is analysed */
    options.analysis = ANALYSIS_HB, options.hidden = UINT32_MAX;
    options.exit_code = options.atexit_sleep = 0, options.halt = options.thread_leaks = false;
    access_instead = record_access, ignored_accesses = 1;
    hd_fast.self->ignore_reads = hd_fast.self->ignore_writes = ignored_accesses;
    if (trace.witness)
      enforce_start(trace.witness);
    else
      record_start(trace.file, trace.ring, trace.program), opened_begin(), system_start();
  }
  if (options.analysis != ANALYSIS_HB) locked_start(), threads_weaken();
  analysis = options.analysis;
}

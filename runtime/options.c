/* HEDDLE_OPTIONS. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/action.h"
#include "analysis/locked.h"
#include "report/suppression.h"
#include "runtime.h"

struct options options = {.log = STDERR_FILENO, .analysis = ANALYSIS_OVP};

static int number(const char *value) {
  int n = 0;
  for (; *value >= '0' && *value <= '9' && n < 100000; value++) n = n * 10 + (*value - '0');
  return *value ? -1 : n;
}

static void set_exit_code(const char *value) {
  options.exit_code = number(value);
  if (options.exit_code < 0 || options.exit_code > 255)
    rt_die("heddle: HEDDLE_OPTIONS: exit_code is a number up to 255, not \"%s\"\n", value);
}

static void set_log(const char *value) {
  int fd = open(value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) rt_die("heddle: HEDDLE_OPTIONS: cannot write %s: %s\n", value, strerrordesc_np(errno));
  options.log = fcntl(fd, F_DUPFD_CLOEXEC, 1000); /* out of the way of programs that count on low numbers */
  if (options.log < 0)
    options.log = fd;
  else
    close(fd);
}

static void set_format(const char *value) {
  options.json = rt_equal(value, "json");
  if (!options.json && !rt_equal(value, "text")) rt_die("heddle: HEDDLE_OPTIONS: format is text or json, not \"%s\"\n", value);
}

static void set_analysis(const char *value) {
  static const char *const names[] = {[ANALYSIS_HB] = "hb", [ANALYSIS_WDC] = "wdc", [ANALYSIS_OVP] = "ovp"};
  unsigned i = 0;
  while (i < sizeof names / sizeof names[0] && !rt_equal(value, names[i])) i++;
  if (i == sizeof names / sizeof names[0]) rt_die("heddle: HEDDLE_OPTIONS: analysis is hb, wdc or ovp, not \"%s\"\n", value);
  options.analysis = (enum analysis)i;
}

static void set_unbounded(const char *value) {
  if (*value) rt_die("heddle: HEDDLE_OPTIONS: unbounded has no value\n");
  keep_all = true;
}

static const struct {
  const char *name;
  void (*set)(const char *value);
} table[] = {{"analysis", set_analysis}, {"exit_code", set_exit_code},        {"format", set_format},      {"log", set_log},
             {"spec", actions_read},     {"suppressions", suppressions_read}, {"unbounded", set_unbounded}};
enum { OPTIONS = sizeof table / sizeof table[0] };

static _Noreturn void unknown(const char *name) {
  static struct rt_text names;
  for (int i = 0; i < OPTIONS; i++) rt_printf(&names, "%s%s", i == 0 ? "" : i == OPTIONS - 1 ? " and " : ", ", table[i].name);
  rt_die("heddle: HEDDLE_OPTIONS: there is no option \"%s\": %s are\n", name, names.data ? names.data : "");
}

static void set(const char *name, const char *value) {
  for (int i = 0; i < OPTIONS; i++) {
    if (!rt_equal(table[i].name, name)) continue;
    table[i].set(value);
    return;
  }
  unknown(name);
}

void options_read(const char *text) {
  char word[4096], *value;
  while (text && *text) {
    size_t n = 0;
    while (*text == ' ') text++;
    for (value = NULL; *text && *text != ' ' && n < sizeof word - 1; text++) {
      if (*text == '=' && !value)
        word[n++] = 0, value = &word[n];
      else
        word[n++] = *text;
    }
    word[n] = 0;
    if (n) set(word, value ? value : "");
  }
  if (options.analysis != ANALYSIS_HB) locked_start(), threads_weaken();
  analysis = options.analysis;
}

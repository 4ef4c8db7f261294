/* getopt and getopt_long, with the C library's permutation of arguments. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "stream.h"

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static int first_operand, last_operand; /* operands that were passed over: [first, last) */
static char *rest;                      /* of a group of short options */
static bool started;

enum order { PERMUTE, REQUIRE, RETURN };

struct call {
  int count;
  char **arguments;
  const char *shorts;
  const struct option *longs;
  int *index;
  bool single_dash, quiet, colon;
};

static void complain(const struct call *c, const char *format, ...) {
  if (c->quiet) return;
  va_list list;
  va_start(list, format);
  __hd_stream_format(stderr, format, list);
  va_end(list);
}

/* Brings the options [last_operand, optind) before the operands [first_operand, last_operand). */
static void exchange(char **a) {
  int options = optind - last_operand;
  for (int i = 0; i < options; i++) {
    char *moved = a[last_operand + i];
    for (int k = last_operand + i; k > first_operand + i; k--) a[k] = a[k - 1];
    a[first_operand + i] = moved;
  }
  first_operand += options;
  last_operand = optind;
}

static bool is_option(const char *s) { return s[0] == '-' && s[1]; }

/* Goes to the next argument that holds options; -1 at the end, 1 for an operand that is to be returned. */
static int next_argument(const struct call *c, enum order order) {
  if (last_operand > optind) last_operand = optind;
  if (first_operand > optind) first_operand = optind;
  if (order == PERMUTE) {
    if (first_operand != last_operand && last_operand != optind)
      exchange(c->arguments);
    else if (last_operand != optind)
      first_operand = optind;
    while (optind < c->count && !is_option(c->arguments[optind])) optind++;
    last_operand = optind;
  }
  if (optind < c->count && !hd_strcmp(c->arguments[optind], "--")) {
    optind++;
    if (first_operand != last_operand && last_operand != optind)
      exchange(c->arguments);
    else if (first_operand == last_operand)
      first_operand = optind;
    last_operand = optind = c->count;
  }
  if (optind >= c->count) {
    if (first_operand != last_operand) optind = first_operand;
    return -1;
  }
  if (is_option(c->arguments[optind])) return 0;
  if (order == REQUIRE) return -1;
  optarg = c->arguments[optind++];
  return 1;
}

/* The long option that `name` means: exact, or the only one that it abbreviates. */
static const struct option *find_long(const struct call *c, const char *name, size_t n, bool *ambiguous) {
  const struct option *found = NULL;
  *ambiguous = false;
  for (const struct option *o = c->longs; o->name; o++) {
    if (hd_strncmp(o->name, name, n)) continue;
    if (hd_strlen(o->name) == n) {
      *ambiguous = false;
      return o;
    }
    if (!found)
      found = o;
    else if (found->has_arg != o->has_arg || found->flag != o->flag || found->val != o->val)
      *ambiguous = true;
  }
  return found;
}

static int take_long(const struct call *c, const char *dashes, char *name) {
  size_t n = 0;
  while (name[n] && name[n] != '=') n++;
  bool ambiguous;
  const struct option *o = find_long(c, name, n, &ambiguous);
  const char *program = c->arguments[0];
  rest = NULL;
  optind++;
  optopt = 0;
  if (!o || ambiguous) {
    if (ambiguous)
      complain(c, "%s: option '%s%s' is ambiguous\n", program, dashes, name);
    else
      complain(c, "%s: unrecognized option '%s%s'\n", program, dashes, name);
    return '?';
  }
  if (name[n] && !o->has_arg) {
    complain(c, "%s: option '%s%s' doesn't allow an argument\n", program, dashes, o->name);
    optopt = o->val;
    return '?';
  }
  if (name[n]) optarg = name + n + 1;
  if (o->has_arg == required_argument && !name[n]) {
    if (optind >= c->count) {
      complain(c, "%s: option '%s%s' requires an argument\n", program, dashes, o->name);
      optopt = o->val;
      return c->colon ? ':' : '?';
    }
    optarg = c->arguments[optind++];
  }
  if (c->index) *c->index = (int)(o - c->longs);
  if (!o->flag) return o->val;
  *o->flag = o->val;
  return 0;
}

static int take_short(const struct call *c) {
  char letter = *rest++;
  const char *known = letter == ':' || letter == ';' ? NULL : hd_strchr(c->shorts, letter);
  if (!*rest) optind++;
  if (!known) {
    complain(c, "%s: invalid option -- '%c'\n", c->arguments[0], letter);
    optopt = letter;
    return '?';
  }
  if (known[1] != ':') return letter;
  if (*rest) {
    optarg = rest;
    optind++;
  } else if (known[2] != ':') {
    if (optind >= c->count) {
      complain(c, "%s: option requires an argument -- '%c'\n", c->arguments[0], letter);
      optopt = letter;
      rest = NULL;
      return c->colon ? ':' : '?';
    }
    optarg = c->arguments[optind++];
  }
  rest = NULL;
  return letter;
}

static int parse(struct call *c) {
  enum order order = PERMUTE;
  extern char *getenv(const char *name);
  if (c->count < 1) return -1;
  optarg = NULL;
  if (!optind || !started) {
    if (!optind) optind = 1;
    first_operand = last_operand = optind;
    rest = NULL;
    started = true;
  }
  if (*c->shorts == '-' || *c->shorts == '+')
    order = *c->shorts++ == '-' ? RETURN : REQUIRE;
  else if (getenv("POSIXLY_CORRECT"))
    order = REQUIRE;
  c->colon = *c->shorts == ':';
  c->quiet = c->colon || !opterr;
  if (!rest || !*rest) {
    int found = next_argument(c, order);
    if (found) return found;
    char *argument = c->arguments[optind];
    if (c->longs && argument[1] == '-') return take_long(c, "--", argument + 2);
    bool ambiguous;
    size_t n = 0;
    while (argument[1 + n] && argument[1 + n] != '=') n++;
    if (c->longs && c->single_dash && (argument[2] || !hd_strchr(c->shorts, argument[1])) &&
        (find_long(c, argument + 1, n, &ambiguous) || !hd_strchr(c->shorts, argument[1])))
      return take_long(c, "-", argument + 1);
    rest = argument + 1;
  }
  return take_short(c);
}

int getopt(int count, char *const *arguments, const char *shorts) {
  return parse(&(struct call){.count = count, .arguments = (char **)arguments, .shorts = shorts});
}

int __posix_getopt(int count, char *const *arguments, const char *shorts);
int __posix_getopt(int count, char *const *arguments, const char *shorts) { return getopt(count, arguments, shorts); }

int getopt_long(int count, char *const *arguments, const char *shorts, const struct option *longs, int *index) {
  return parse(&(struct call){.count = count, .arguments = (char **)arguments, .shorts = shorts, .longs = longs, .index = index});
}

int getopt_long_only(int count, char *const *arguments, const char *shorts, const struct option *longs, int *index) {
  struct call c = {.count = count, .arguments = (char **)arguments, .shorts = shorts, .longs = longs, .index = index, .single_dash = true};
  return parse(&c);
}

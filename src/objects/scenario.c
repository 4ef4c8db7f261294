#include "objects/scenario.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Calls of a thread as one number: more than these take for ever in any case. */
#define SEQUENCES_MOST (1ull << 40)

uint32_t scenario_size(const struct scenario *s) {
  uint32_t n = 0;
  for (uint32_t t = 0; t < s->threads; t++) n += s->count[t];
  return n;
}

void scenario_call_text(const struct object *o, const struct scenario_call *c, struct text *out) {
  const struct object_operation *op = &o->operations.data[c->operation];
  text_printf(out, "%s(", op->name);
  for (uint32_t i = 0; i < op->parameters; i++) text_printf(out, "%s%" PRIu64, i ? ", " : "", c->arguments[i]);
  text_putc(out, ')');
}

void scenario_text(const struct object *o, const struct scenario *s, struct text *out) {
  for (uint32_t t = 0; t < s->threads; t++) {
    if (t) text_puts(out, " | ");
    for (uint32_t i = 0; i < s->count[t]; i++) {
      if (i) text_putc(out, ' ');
      scenario_call_text(o, &s->calls[t][i], out);
    }
  }
  if (s->crashes)
    text_printf(out, "; thread %" PRIu32 " crashes after %" PRIu32 " step%s", s->crash_thread + 1, s->crash_after,
                s->crash_after == 1 ? "" : "s");
}

/* --- reading --- */

struct reader {
  const struct object *object;
  const char *text, *at;
  struct diag *diag;
};

static enum err wrong(struct reader *r, const char *what) {
  diag_hint(r->diag, "a scenario looks like this: put(1) get() | get()");
  return diag_set(r->diag, ERR_USAGE, "scenario \"%s\", column %zu: %s", r->text, (size_t)(r->at - r->text) + 1, what);
}

static void skip_spaces(struct reader *r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

static bool takes(struct reader *r, char c) {
  skip_spaces(r);
  if (*r->at != c) return false;
  r->at++;
  return true;
}

static enum err read_name(struct reader *r, uint32_t *operation) {
  skip_spaces(r);
  size_t n = 0;
  while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_') n++;
  for (*operation = 0; *operation < r->object->operations.count; ++*operation) {
    const char *name = r->object->operations.data[*operation].name;
    if (n && strlen(name) == n && memcmp(name, r->at, n) == 0) {
      r->at += n;
      return ERR_NONE;
    }
  }
  return wrong(r, n ? "there is no operation of that name" : "an operation is expected");
}

static enum err read_arguments(struct reader *r, struct scenario_call *c) {
  uint32_t n = r->object->operations.data[c->operation].parameters;
  if (!takes(r, '(')) return wrong(r, "`(' is expected");
  for (uint32_t i = 0; i < n; i++) {
    if (i && !takes(r, ',')) return wrong(r, "the operation has more arguments");
    skip_spaces(r);
    char *end;
    if (!isdigit((unsigned char)*r->at)) return wrong(r, "a number is expected");
    c->arguments[i] = strtoull(r->at, &end, 10);
    r->at = end;
  }
  return takes(r, ')') ? ERR_NONE : wrong(r, "`)' is expected");
}

static enum err read_thread(struct reader *r, struct scenario *s) {
  uint32_t t = s->threads;
  if (t == SCENARIO_THREADS) return wrong(r, "there are more than 8 threads");
  s->threads++;
  do {
    if (s->count[t] == SCENARIO_CALLS) return wrong(r, "a thread has more than 8 operations");
    struct scenario_call *c = &s->calls[t][s->count[t]++];
    enum err e = read_name(r, &c->operation);
    if (!e) e = read_arguments(r, c);
    if (e) return e;
    skip_spaces(r);
  } while (*r->at && *r->at != '|' && *r->at != ';');
  return ERR_NONE;
}

static bool takes_word(struct reader *r, const char *word) {
  skip_spaces(r);
  size_t n = strlen(word);
  if (strncmp(r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

static bool takes_number(struct reader *r, uint32_t *to) {
  skip_spaces(r);
  char *end;
  if (!isdigit((unsigned char)*r->at)) return false;
  unsigned long long n = strtoull(r->at, &end, 10);
  *to = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
  r->at = end;
  return true;
}

static enum err read_crash(struct reader *r, struct scenario *s) {
  uint32_t thread;
  bool said = takes_word(r, "thread") && takes_number(r, &thread) && takes_word(r, "crashes") && takes_word(r, "after") &&
              takes_number(r, &s->crash_after) && (takes_word(r, "steps") || takes_word(r, "step"));
  if (!said) return wrong(r, "\"thread N crashes after N steps\" is expected");
  if (thread < 1 || thread > s->threads) return wrong(r, "there is no such thread");
  s->crashes = true, s->crash_thread = thread - 1;
  skip_spaces(r);
  return *r->at ? wrong(r, "the end is expected") : ERR_NONE;
}

enum err scenario_parse(struct scenario *s, const struct object *o, const char *text, struct diag *d) {
  struct reader r = {.object = o, .text = text, .at = text, .diag = d};
  *s = (struct scenario){0};
  enum err e;
  do e = read_thread(&r, s);
  while (!e && takes(&r, '|'));
  return !e && takes(&r, ';') ? read_crash(&r, s) : e;
}

/* --- all of them --- */

static uint64_t power_most(uint64_t base, uint64_t n) {
  uint64_t p = 1;
  for (uint64_t i = 0; i < n && p <= SEQUENCES_MOST; i++) p = base && p > SEQUENCES_MOST / base ? SEQUENCES_MOST + 1 : p * base;
  return p;
}

enum err scenarios_begin(struct scenarios *s, const struct object *o, uint64_t threads, uint64_t calls, uint64_t arguments,
                         struct diag *d) {
  if (threads < 1 || threads > SCENARIO_THREADS) return diag_set(d, ERR_USAGE, "--threads takes a number from 1 to %d", SCENARIO_THREADS);
  if (calls < 1 || calls > SCENARIO_CALLS) return diag_set(d, ERR_USAGE, "--operations takes a number from 1 to %d", SCENARIO_CALLS);
  if (arguments < 1 || arguments > UINT32_MAX) return diag_set(d, ERR_USAGE, "--arguments takes a number from 1 on");
  *s = (struct scenarios){.object = o, .threads = (uint32_t)threads, .calls = (uint32_t)calls, .arguments = arguments};
  for (size_t i = 0; i < o->operations.count && s->ncalls <= SEQUENCES_MOST; i++)
    s->ncalls += power_most(arguments, o->operations.data[i].parameters);
  for (uint32_t n = 0; n <= s->calls; n++) {
    s->sequences[n] = power_most(s->ncalls, n);
    if (s->sequences[n] <= SEQUENCES_MOST) continue;
    diag_hint(d, "smaller: --operations, --arguments");
    return diag_set(d, ERR_USAGE, "there are too many scenarios: a thread has more than 10^12 ways to do %u operations", n);
  }
  return ERR_NONE;
}

/* The next way to write `size` as a sum of numbers from `calls` down, the largest first. */
static bool next_parts(struct scenarios *s) {
  uint32_t rest = 0;
  for (uint32_t i = s->parts; i-- > 0;) {
    rest += s->length[i];
    uint32_t part = s->length[i] - 1;
    if (part == 0 || rest > part * (s->threads - i)) continue;
    for (s->parts = i; rest; rest -= s->length[s->parts++]) s->length[s->parts] = part < rest ? part : rest;
    return true;
  }
  return false;
}

static bool first_parts(struct scenarios *s) {
  uint32_t rest = s->size;
  for (s->parts = 0; rest && s->parts < s->threads; rest -= s->length[s->parts++]) s->length[s->parts] = rest < s->calls ? rest : s->calls;
  return rest == 0;
}

/* Threads of one length are in the order of what they do. */
static bool next_sequences(struct scenarios *s) {
  for (uint32_t i = s->parts; i-- > 0;) {
    if (++s->which[i] == s->sequences[s->length[i]]) continue;
    for (uint32_t k = i + 1; k < s->parts; k++) s->which[k] = s->length[k] == s->length[k - 1] ? s->which[k - 1] : 0;
    return true;
  }
  return false;
}

static void call_of(const struct scenarios *s, uint64_t number, struct scenario_call *c) {
  *c = (struct scenario_call){0};
  for (size_t i = 0; i < s->object->operations.count; i++) {
    uint32_t n = s->object->operations.data[i].parameters;
    uint64_t ways = power_most(s->arguments, n);
    if (number >= ways) {
      number -= ways;
      continue;
    }
    c->operation = (uint32_t)i;
    for (uint32_t k = n; k-- > 0; number /= s->arguments) c->arguments[k] = 1 + number % s->arguments;
    return;
  }
}

bool scenarios_next(struct scenarios *s, struct scenario *to) {
  if (s->ncalls == 0) return false;
  if (s->size == 0 || !next_sequences(s)) {
    if (s->size == 0 || !next_parts(s)) {
      if (++s->size > s->threads * s->calls || !first_parts(s)) return false;
    }
    memset(s->which, 0, sizeof s->which);
  }
  *to = (struct scenario){.threads = s->parts};
  for (uint32_t t = 0; t < s->parts; t++) {
    uint64_t number = s->which[t];
    to->count[t] = s->length[t];
    for (uint32_t i = s->length[t]; i-- > 0; number /= s->ncalls) call_of(s, number % s->ncalls, &to->calls[t][i]);
  }
  return true;
}

/* Multisets of `n` of `ways`. */
static double multisets(double ways, uint32_t n) {
  double count = 1;
  for (uint32_t i = 0; i < n; i++) count = count * (ways + i) / (i + 1);
  return count;
}

static double count_from(const struct scenarios *s, uint32_t length, uint32_t threads) {
  double all = 0;
  if (length == 0) return 1;
  for (uint32_t n = 0; n <= threads; n++) all += multisets((double)s->sequences[length], n) * count_from(s, length - 1, threads - n);
  return all;
}

double scenarios_count(const struct scenarios *s) { return count_from(s, s->calls, s->threads) - 1; }

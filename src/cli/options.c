#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "predict/recorded/maximal.h"

struct option {
  enum option_kind kind;
  char letter;
  const char *name, *argument;
  unsigned commands;
  const char *help;
  size_t offset;
};

static const struct option table[] = {
#define X(field, kind, letter, name, argument, initial, commands, help) \
  {OPTION_##kind, letter, name, argument, commands, help, offsetof(struct options, field)},
    OPTION_LIST(X)
#undef X
};
#define NOPTIONS (sizeof table / sizeof table[0])

/* Compiler flags that start like this are passed on; those in the second table take the next word along if they stand alone. */
static const char *const compiler_prefixes[] = {"-I", "-D", "-U",       "-O",       "-std=",    "-f", "-W",
                                                "-m", "-g", "-pthread", "-isystem", "-include", "-x", NULL};
static const char *const compiler_pairs[] = {"-I", "-D", "-U", "-isystem", "-include", "-x", NULL};

static size_t smallest(size_t a, size_t b, size_t c) {
  size_t ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* Edit distance; words longer than the row count as far apart. */
static size_t distance(const char *a, const char *b) {
  enum { LONGEST = 32 };
  size_t n = strlen(a), m = strlen(b), row[LONGEST + 1];
  if (n > LONGEST || m > LONGEST) return SIZE_MAX;
  for (size_t k = 0; k <= m; k++) row[k] = k;
  for (size_t i = 1; i <= n; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t k = 1; k <= m; k++) {
      size_t above = row[k];
      row[k] = smallest(above + 1, row[k - 1] + 1, diagonal + (a[i - 1] != b[k - 1]));
      diagonal = above;
    }
  }
  return row[m];
}

const char *nearest_word(const char *word, const char *const *candidates) {
  const char *best = NULL;
  size_t least = strlen(word) / 3 + 2;
  for (; *candidates; candidates++) {
    size_t d = distance(word, *candidates);
    if (d < least) least = d, best = *candidates;
  }
  return best;
}

static enum err unknown(const char *word, enum command_bit command, struct diag *d) {
  const char *names[NOPTIONS + 1];
  size_t n = 0;
  for (size_t i = 0; i < NOPTIONS; i++)
    if (table[i].commands & command) names[n++] = table[i].name;
  names[n] = NULL;
  struct text bare = {0};
  text_append(&bare, word, strcspn(word, "="));
  diag_set(d, ERR_USAGE, "there is no option %s", text_str(&bare));
  const char *near = nearest_word(text_str(&bare) + strspn(word, "-"), names);
  if (near) diag_hint(d, "did you mean --%s?", near);
  text_release(&bare);
  return ERR_USAGE;
}

static enum err set_number(const struct option *option, const char *value, uint64_t *to, struct diag *d) {
  char *end;
  errno = 0;
  *to = strtoull(value, &end, 10);
  if (errno || *end || *value < '0' || *value > '9') return diag_set(d, ERR_USAGE, "--%s takes a number, not \"%s\"", option->name, value);
  return ERR_NONE;
}

static enum err set_seconds(const struct option *option, const char *value, double *to, struct diag *d) {
  char *end;
  *to = strtod(value, &end);
  if (end > value && strcmp(end, "s") == 0) end++;
  if (end == value || *end || !(*to > 0) || *to > 1e9)
    return diag_set(d, ERR_USAGE, "--%s takes a number of seconds above 0, not \"%s\"", option->name, value);
  return ERR_NONE;
}

static void push(struct words *words, const char *word) { *vec_push(words) = word; }

static enum err set(struct options *o, const struct option *option, const char *value, struct diag *d) {
  void *field = (char *)o + option->offset;
  if (!value) value = ""; /* flags have none */
  switch (option->kind) {
    case OPTION_FLAG:
      *(bool *)field = true;
      return ERR_NONE;
    case OPTION_WORD:
      *(const char **)field = value;
      return ERR_NONE;
    case OPTION_COUNT:
      if (*value) return set_number(option, value, field, d);
      *(uint64_t *)field = NUMBER_LEFT_OUT;
      return ERR_NONE;
    case OPTION_NUMBER:
      return set_number(option, value, field, d);
    case OPTION_SECONDS:
      return set_seconds(option, value, field, d);
    case OPTION_WORDS:
      push(field, value);
      return ERR_NONE;
  }
  return ERR_NONE;
}

static const struct option *find(const char *name, size_t n, enum command_bit command) {
  for (size_t i = 0; i < NOPTIONS; i++)
    if ((table[i].commands & command) && strlen(table[i].name) == n && memcmp(table[i].name, name, n) == 0) return &table[i];
  return NULL;
}

static const struct option *find_letter(char letter, enum command_bit command) {
  for (size_t i = 0; i < NOPTIONS; i++)
    if ((table[i].commands & command) && table[i].letter && table[i].letter == letter) return &table[i];
  return NULL;
}

static bool has_prefix(const char *word, const char *const *prefixes) {
  for (; *prefixes; prefixes++)
    if (strncmp(word, *prefixes, strlen(*prefixes)) == 0) return true;
  return false;
}

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words; words++)
    if (strcmp(word, *words) == 0) return true;
  return false;
}

struct cursor {
  struct options *o;
  enum command_bit command;
  int argc, at;
  char **argv;
  struct diag *d;
};

/* An option whose value is attached (may be NULL), or else the next word. */
static enum err with_value(struct cursor *c, const struct option *option, const char *attached) {
  if (option->kind == OPTION_FLAG) {
    if (attached) return diag_set(c->d, ERR_USAGE, "--%s takes no value", option->name);
    return set(c->o, option, NULL, c->d);
  }
  if (option->kind == OPTION_COUNT) return set(c->o, option, attached, c->d);
  if (!attached && c->at >= c->argc) return diag_set(c->d, ERR_USAGE, "--%s needs a value: %s", option->name, option->argument);
  return set(c->o, option, attached ? attached : c->argv[c->at++], c->d);
}

static enum err long_option(struct cursor *c, const char *word) {
  const char *name = word + 2, *equals = strchr(name, '=');
  const struct option *option = find(name, equals ? (size_t)(equals - name) : strlen(name), c->command);
  return option ? with_value(c, option, equals ? equals + 1 : NULL) : unknown(word, c->command, c->d);
}

static enum err compiler_flag(struct cursor *c, const char *word) {
  push(&c->o->flags, word);
  if (!is_one_of(word, compiler_pairs)) return ERR_NONE;
  if (c->at >= c->argc) return diag_set(c->d, ERR_USAGE, "%s needs a value", word);
  push(&c->o->flags, c->argv[c->at++]);
  return ERR_NONE;
}

static enum err word(struct cursor *c, const char *word) {
  if (word[0] != '-' || word[1] == 0) {
    push(&c->o->programs, word);
    return ERR_NONE;
  }
  if (word[1] == '-') return long_option(c, word);
  if (find(word + 1, strcspn(word + 1, "="), c->command)) return unknown(word, c->command, c->d); /* -json */
  const struct option *option = find_letter(word[1], c->command);
  if (option) return with_value(c, option, word[2] ? word + 2 : NULL);
  if ((c->command & (CHECK | EXEC)) && has_prefix(word, compiler_prefixes)) return compiler_flag(c, word);
  return unknown(word, c->command, c->d);
}

/* OpenMP's variables are the program's, too, as far as --env says nothing of them: behind the others, of which the first one counts. */
static void add_openmp(struct options *o) {
  for (char **variable = environ; *variable; variable++)
    if (strncmp(*variable, "OMP_", 4) == 0) push(&o->environment, *variable);
}

enum err options_parse(struct options *o, enum command_bit command, int argc, char **argv, struct diag *d) {
#define INITIAL_FLAG(value)    value
#define INITIAL_WORD(value)    value
#define INITIAL_NUMBER(value)  value
#define INITIAL_COUNT(value)   value
#define INITIAL_SECONDS(value) value
#define INITIAL_WORDS(value)   {0}
  *o = (struct options){
#define X(field, kind, letter, name, argument, initial, commands, help) .field = INITIAL_##kind(initial),
      OPTION_LIST(X)
#undef X
  };
  struct cursor c = {.o = o, .command = command, .argc = argc, .argv = argv, .d = d};
  enum err e = ERR_NONE;
  while (!e && c.at < argc) {
    const char *next = argv[c.at++];
    if (strcmp(next, "--") != 0) {
      e = word(&c, next);
      if (!(command & (RUN | TRACE | RECORD)) || o->programs.count == 0) continue; /* what comes behind the program is the program's */
    }
    while (c.at < argc) push(&o->arguments, argv[c.at++]);
  }
  if (command & (CHECK | EXEC)) add_openmp(o);
  return e;
}

void words_set(struct words *w, size_t n, const char *const *words) {
  vec_clear(w);
  for (size_t i = 0; i < n; i++) *vec_push(w) = words[i];
}

void options_release(struct options *o) {
  for (size_t i = 0; i < NOPTIONS; i++)
    if (table[i].kind == OPTION_WORDS) vec_release((struct words *)((char *)o + table[i].offset));
  vec_release(&o->programs);
  vec_release(&o->flags);
  vec_release(&o->arguments);
}

static void left_side(const struct option *option, struct text *out) {
  if (option->letter) text_printf(out, "-%c%s%s, ", option->letter, option->argument ? " " : "", option->argument ? option->argument : "");
  text_printf(out, "--%s", option->name);
  if (option->kind == OPTION_COUNT)
    text_printf(out, "[=%s]", option->argument);
  else if (option->argument)
    text_printf(out, "=%s", option->argument);
}

void options_help(enum command_bit command, struct text *out) {
  for (size_t i = 0; i < NOPTIONS; i++) {
    if (!(table[i].commands & command)) continue;
    struct text left = {0};
    left_side(&table[i], &left);
    text_printf(out, "  %-26s %s%s\n", text_str(&left), left.count > 26 ? "\n                             " : "", table[i].help);
    text_release(&left);
  }
}

void options_names(enum command_bit command, struct text *out) {
  for (size_t i = 0; i < NOPTIONS; i++) {
    if (!(table[i].commands & command)) continue;
    if (table[i].letter) text_printf(out, "-%c ", table[i].letter);
    text_printf(out, "--%s\n", table[i].name);
  }
}

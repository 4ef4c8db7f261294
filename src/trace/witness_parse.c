/* Reading of witnesses: line by line, each in one form. */
#include <inttypes.h>
#include <string.h>

#include "trace/witness_file.h"

static const char first_line[] = "heddle witness ";

bool witness_file_is(const char *text, size_t n) {
  return n >= sizeof first_line - 1 && memcmp(text, first_line, sizeof first_line - 1) == 0;
}

struct reader {
  struct witness_file *w;
  const char *path, *at, *end; /* what is left of the text */
  const char *word, *last;     /* what is left of the line */
  uint32_t line;
  struct diag *d;
};

static enum err wrong(const struct reader *r, const char *what) {
  return diag_set(r->d, ERR_FORMAT, "%s:%" PRIu32 ": %s", r->path, r->line, what);
}

static bool next_line(struct reader *r) {
  const char *newline = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
  r->line++;
  if (!newline) return false;
  r->word = r->at, r->last = newline, r->at = newline + 1;
  return true;
}

/* The next word of the line, up to a space. */
static bool next_word(struct reader *r, const char **word, size_t *n) {
  if (r->word >= r->last || *r->word == ' ') return false;
  const char *space = memchr(r->word, ' ', (size_t)(r->last - r->word));
  *word = r->word, *n = (size_t)((space ? space : r->last) - r->word);
  r->word = space ? space + 1 : r->last;
  return !space || r->word < r->last;
}
static bool is(const char *word, size_t n, const char *what) { return strlen(what) == n && memcmp(word, what, n) == 0; }

static bool digits(const char *word, size_t n, uint64_t most, uint64_t *to) {
  *to = 0;
  if (n == 0 || n > 10 || (n > 1 && *word == '0')) return false;
  for (size_t i = 0; i < n; i++) {
    if (word[i] < '0' || word[i] > '9') return false;
    *to = *to * 10 + (uint64_t)(word[i] - '0');
  }
  return *to <= most;
}
static bool number(struct reader *r, uint64_t most, uint32_t *to) {
  const char *word;
  size_t n;
  uint64_t v = 0;
  if (!next_word(r, &word, &n) || !digits(word, n, most, &v)) return false;
  *to = (uint32_t)v;
  return true;
}

static int hex(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static bool quoted(struct reader *r, uint32_t *to) {
  struct text s = {0};
  const char *p = r->word + 1;
  bool good = r->word < r->last && *r->word == '"', closed = false;
  while (good && !closed && p < r->last) {
    if (*p == '"') {
      closed = true, p++;
    } else if (*p == '\\') {
      bool number = r->last - p >= 4 && p[1] == 'x' && hex(p[2]) >= 0 && hex(p[3]) >= 0 && (hex(p[2]) || hex(p[3]));
      good = number || (r->last - p >= 2 && (p[1] == '\\' || p[1] == '"'));
      if (good) text_putc(&s, number ? (char)(hex(p[2]) * 16 + hex(p[3])) : p[1]), p += number ? 4 : 2;
    } else {
      good = *p >= ' ' && *p <= '~';
      text_putc(&s, *p++);
    }
  }
  good = good && closed && (p == r->last || (*p == ' ' && p + 1 < r->last));
  r->word = p < r->last ? p + 1 : r->last;
  if (good) *to = witness_file_add(r->w, s.data, s.count);
  text_release(&s);
  return good;
}

/* The line is "KEY ...", and its rest is next. */
static bool key(struct reader *r, const char *what) {
  size_t n = strlen(what);
  if ((size_t)(r->last - r->word) <= n || memcmp(r->word, what, n) != 0 || r->word[n] != ' ') return false;
  r->word += n + 1;
  return true;
}

static bool is_over(const struct reader *r) { return r->word == r->last; }

/* "0.2.1" */
static bool is_thread(const char *word, size_t n) {
  if (n == 0 || n >= WITNESS_NAME_MOST || word[0] != '0' || (n > 1 && word[1] != '.')) return false;
  for (size_t i = 1; i < n; i++) {
    bool digit = word[i] >= '0' && word[i] <= '9';
    if (!digit && (word[i] != '.' || i + 1 == n || word[i + 1] == '.' || word[i + 1] == '0')) return false;
  }
  return true;
}

static enum err read_thread(struct reader *r) {
  const char *word;
  size_t n;
  if (!next_word(r, &word, &n) || !is_thread(word, n) || !is_over(r)) return wrong(r, "a thread's name is like 0.2.1");
  for (size_t i = 0; i < r->w->threads.count; i++)
    if (is(word, n, witness_file_string(r->w, r->w->threads.data[i]))) return wrong(r, "the thread is there already");
  if (r->w->threads.count == WITNESS_THREADS_MOST) return wrong(r, "there are too many threads");
  *vec_push(&r->w->threads) = witness_file_add(r->w, word, n);
  return ERR_NONE;
}

static enum err read_site(struct reader *r) {
  struct witness_site s = {0};
  bool good = number(r, UINT32_MAX, &s.number) && number(r, UINT32_MAX, &s.line) && number(r, UINT32_MAX, &s.column) &&
              quoted(r, &s.file) && quoted(r, &s.function) && is_over(r);
  if (!good) return wrong(r, "a site is a number, line, column, \"file\" and \"function\"");
  if (r->w->sites.count && vec_last(&r->w->sites).number >= s.number) return wrong(r, "sites have ascending numbers");
  *vec_push(&r->w->sites) = s;
  return ERR_NONE;
}

static bool thread_of(const struct reader *r, const char *word, size_t n, uint32_t *to) {
  for (*to = 0; *to < r->w->threads.count; ++*to)
    if (is(word, n, witness_file_string(r->w, r->w->threads.data[*to]))) return true;
  return false;
}

static bool op_of(const char *word, size_t n, uint8_t *to) {
  for (*to = EVENT_NONE + 1; *to < EVENT_COUNT; ++*to)
    if (is(word, n, event_op_text(*to))) return true;
  return false;
}

static bool hexadecimal(const char *word, size_t n, uint64_t *to) {
  *to = 0;
  if (n == 0 || n > 16 || *word == '0') return false;
  for (size_t i = 0; i < n; i++) {
    if (hex(word[i]) < 0) return false;
    *to = *to << 4 | (uint64_t)hex(word[i]);
  }
  return true;
}

static bool attribute(const char *word, size_t n, struct witness_step *s) {
  uint64_t v;
  if (is(word, n, "shared"))
    s->flags |= EVENT_SHARED_LOCK;
  else if (is(word, n, "timed-out"))
    s->flags |= EVENT_TIMED_OUT;
  else if (n > 5 && memcmp(word, "skip=", 5) == 0 && digits(word + 5, n - 5, UINT32_MAX, &v))
    s->skip = (uint32_t)v;
  else if (n > 3 && memcmp(word, "at=", 3) == 0 && hexadecimal(word + 3, n - 3, &v))
    s->address = v;
  else if (n > 6 && memcmp(word, "event=", 6) == 0 && digits(word + 6, n - 6, WITNESS_ENDS_MOST, &v) && v > 0)
    s->note = (uint8_t)v;
  else
    return false;
  return true;
}

static enum err read_step(struct reader *r, struct witness_step *s) {
  const char *word;
  size_t n;
  *s = (struct witness_step){0};
  if (!next_word(r, &word, &n) || !thread_of(r, word, n, &s->thread)) return wrong(r, "the thread of the step is none of the threads");
  if (!next_word(r, &word, &n) || !op_of(word, n, &s->op)) return wrong(r, "there is no such operation");
  if (!number(r, UINT32_MAX, &s->site) || (s->site && !witness_file_site(r->w, s->site))) return wrong(r, "there is no such site");
  while (!is_over(r))
    if (!next_word(r, &word, &n) || !attribute(word, n, s)) return wrong(r, "this is nothing that a step can have");
  return ERR_NONE;
}

static enum err read_head(struct reader *r) {
  struct witness_file *w = r->w;
  uint32_t version = 0, argument;
  if (!next_line(r) || !key(r, "heddle") || !key(r, "witness") || !number(r, UINT32_MAX, &version) || !is_over(r))
    return wrong(r, "this is no witness");
  if (version != WITNESS_VERSION) return wrong(r, "this version of witnesses is not known: another Heddle wrote it");
  if (!next_line(r) || !key(r, "found") || !quoted(r, &w->kind) || !is_over(r) || !w->kind) return wrong(r, "it should say what was found");
  if (!next_line(r) || !key(r, "by") || !quoted(r, &w->analysis) || !is_over(r)) return wrong(r, "it should say by what it was found");
  if (!next_line(r) || !key(r, "program") || !quoted(r, &w->program) || !is_over(r) || !w->program)
    return wrong(r, "it should name the program");
  while (next_line(r) && key(r, "argument")) {
    if (!quoted(r, &argument) || !is_over(r)) return wrong(r, "an argument is a word in quotes");
    *vec_push(&w->arguments) = argument;
  }
  return w->arguments.count ? ERR_NONE : wrong(r, "it should say what the program's arguments were");
}

/* The line is "KEY n", then come n steps. */
#define READ_STEPS(r, what, list, most)                                                                           \
  do {                                                                                                            \
    uint32_t n_;                                                                                                  \
    if (!key(r, what) || !number(r, most, &n_) || !is_over(r)) return wrong(r, "\"" what " N\" is missing here"); \
    for (uint32_t i_ = 0; i_ < n_; i_++) {                                                                        \
      struct witness_step s_;                                                                                     \
      if (!next_line(r)) return wrong(r, "the file ends before its steps do");                                    \
      enum err e_ = read_step(r, &s_);                                                                            \
      if (e_) return e_;                                                                                          \
      *vec_push(list) = s_;                                                                                       \
    }                                                                                                             \
    if (!next_line(r)) return wrong(r, "the file is cut off here");                                               \
  } while (0)

static enum err read_build(struct reader *r) {
  if (!quoted(r, &r->w->build) || !is_over(r)) return wrong(r, "the sum of the program's file is missing here");
  return next_line(r) ? ERR_NONE : wrong(r, "the file is cut off here");
}

static enum err read_data_end(struct reader *r) {
  const char *word;
  size_t n;
  if (!next_word(r, &word, &n) || !hexadecimal(word, n, &r->w->data_end) || !is_over(r)) return wrong(r, "an address is missing here");
  return next_line(r) ? ERR_NONE : wrong(r, "the file is cut off here");
}

static enum err read_all(struct reader *r) {
  enum err e = read_head(r); /* the first line behind it has been read */
  if (!e && key(r, "build")) e = read_build(r);
  if (!e && key(r, "data")) e = read_data_end(r);
  if (e) return e;
  for (; key(r, "thread"); (void)0) {
    if ((e = read_thread(r))) return e;
    if (!next_line(r)) return wrong(r, "the file is cut off here");
  }
  for (; key(r, "site"); (void)0) {
    if ((e = read_site(r))) return e;
    if (!next_line(r)) return wrong(r, "the file is cut off here");
  }
  READ_STEPS(r, "steps", &r->w->steps, WITNESS_STEPS_MOST);
  READ_STEPS(r, "ends", &r->w->ends, WITNESS_ENDS_MOST);
  if ((size_t)(r->last - r->word) != 3 || memcmp(r->word, "end", 3) != 0 || r->at != r->end)
    return wrong(r, "\"end\" should stand here, and nothing behind");
  return ERR_NONE;
}

enum err witness_file_parse(struct witness_file *w, const char *path, const char *text, size_t n, struct diag *d) {
  struct reader r = {.w = w, .path = path, .at = text, .end = text + n, .d = d};
  *w = (struct witness_file){0};
  r.word = r.last = text;
  enum err e = read_all(&r);
  if (e) witness_file_release(w);
  return e;
}

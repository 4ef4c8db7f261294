/* Reading schedule files: strict, so that a damaged file is an error and never a different execution. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/schedule_file.h"

struct parser {
  struct schedule_file *file;
  const char *name;
  const char *at, *end; /* of the current line: what is left of it */
  uint32_t line;
  struct diag *diag;
  struct text word; /* the last word read */
  uint64_t steps;   /* as announced */
  bool announced, found, content, ended;
};

static enum err fail(struct parser *p, const char *what) { return diag_set(p->diag, ERR_FORMAT, "%s:%u: %s", p->name, p->line, what); }

static enum err fail_at(struct parser *p, const char *what) {
  return diag_set(p->diag, ERR_FORMAT, "%s:%u: %s: \"%s\"", p->name, p->line, what, text_str(&p->word));
}

static void skip_blanks(struct parser *p) {
  while (p->at < p->end && (*p->at == ' ' || *p->at == '\t')) p->at++;
}

static bool at_end(struct parser *p) {
  skip_blanks(p);
  return p->at == p->end || *p->at == '#';
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

/* The escapes that text_json_string() writes. */
static enum err escape(struct parser *p) {
  char c = p->at < p->end ? *p->at++ : 0;
  if (c == 'n') {
    text_putc(&p->word, '\n');
  } else if (c == 't') {
    text_putc(&p->word, '\t');
  } else if (c == '"' || c == '\\') {
    text_putc(&p->word, c);
  } else if (c == 'u' && p->end - p->at >= 4) {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = hex_digit(*p->at++);
      if (digit < 0) return fail(p, "wrong \\u escape in a quoted word");
      code = code * 16 + digit;
    }
    if (code == 0xfffd)
      text_puts(&p->word, "\xef\xbf\xbd");
    else if (code > 0 && code < 0x80)
      text_putc(&p->word, (char)code);
    else
      return fail(p, "a \\u escape that Heddle does not write");
  } else {
    return fail(p, "wrong escape in a quoted word");
  }
  return ERR_NONE;
}

/* Reads the next word into p->word. */
static enum err word(struct parser *p) {
  text_clear(&p->word);
  if (at_end(p)) return fail(p, "something is missing at the end of the line");
  if (*p->at != '"') {
    const char *from = p->at;
    while (p->at < p->end && *p->at != ' ' && *p->at != '\t') p->at++;
    text_append(&p->word, from, (size_t)(p->at - from));
    return ERR_NONE;
  }
  for (p->at++; p->at < p->end && *p->at != '"';) {
    if (*p->at != '\\') {
      text_putc(&p->word, *p->at++);
      continue;
    }
    p->at++;
    enum err e = escape(p);
    if (e) return e;
  }
  if (p->at == p->end) return fail(p, "a quoted word without its closing quote");
  p->at++;
  return ERR_NONE;
}

static bool parse_number(const char *s, int base, uint64_t max, uint64_t *value) {
  if (base == 16 ? hex_digit(*s) < 0 : *s < '0' || *s > '9') return false;
  char *end;
  errno = 0;
  *value = strtoull(s, &end, base);
  return errno == 0 && *end == 0 && *value <= max;
}

static enum err number(struct parser *p, uint64_t max, uint64_t *value) {
  enum err e = word(p);
  if (e) return e;
  return parse_number(text_str(&p->word), 10, max, value) ? ERR_NONE : fail_at(p, "not a number that can stand here");
}

static enum err string(struct parser *p, uint32_t *offset) {
  enum err e = word(p);
  if (!e) *offset = schedule_intern(p->file, text_str(&p->word));
  return e;
}

/* A number of up to ten digits and a dot for each thread on the way from main. */
#define THREAD_NAME_MOST (11 * THREADS_MAX)

static enum err thread_name(struct parser *p, uint32_t *offset) {
  enum err e = word(p);
  if (e) return e;
  const char *s = text_str(&p->word);
  bool digit_needed = true;
  for (const char *c = s; *c; c++) {
    bool digit = *c >= '0' && *c <= '9';
    if (!digit && (*c != '.' || digit_needed)) return fail_at(p, "not the name of a thread");
    digit_needed = !digit;
  }
  if (digit_needed || strlen(s) > THREAD_NAME_MOST) return fail_at(p, "not the name of a thread");
  *offset = schedule_intern(p->file, s);
  return ERR_NONE;
}

/* "FILE:LINE:COLUMN FUNCTION" */
static enum err where(struct parser *p, uint32_t *file, uint32_t *line, uint32_t *column, uint32_t *function) {
  enum err e = word(p);
  if (e) return e;
  char *s = p->word.data;
  char *second = strrchr(s, ':');
  if (second) *second = 0;
  char *first = second ? strrchr(s, ':') : NULL;
  uint64_t l, c;
  if (!first || first == s || !parse_number(first + 1, 10, UINT32_MAX, &l) || !parse_number(second + 1, 10, UINT16_MAX, &c)) {
    if (second) *second = ':';
    return fail_at(p, "not a place in the form FILE:LINE:COLUMN");
  }
  *first = 0;
  *file = schedule_intern(p->file, strcmp(s, "-") == 0 ? "" : s);
  *line = (uint32_t)l, *column = (uint32_t)c;
  e = string(p, function);
  if (!e && strcmp(text_str(&p->word), "-") == 0) *function = 0;
  return e;
}

static enum err operation(struct parser *p, enum event_op *op) {
  for (enum event_op o = EVENT_NONE; o < EVENT_COUNT; o++) {
    if (strcmp(event_op_text(o), text_str(&p->word)) != 0) continue;
    *op = o;
    return ERR_NONE;
  }
  return fail_at(p, "not an operation");
}

/* "@ADDRESS+SIZE" */
static enum err object(struct parser *p, uint64_t *object, uint64_t *size) {
  enum err e = word(p);
  if (e) return e;
  char *plus = strchr(p->word.data, '+');
  if (plus) *plus = 0;
  bool good = p->word.data[0] == '@' && plus && parse_number(p->word.data + 1, 16, UINT64_MAX, object) &&
              parse_number(plus + 1, 10, UINT64_MAX, size) && *object != 0;
  if (plus) *plus = '+';
  return good ? ERR_NONE : fail_at(p, "not an object in the form @ADDRESS+SIZE");
}

/* "x3", if that comes next. */
static enum err repetition(struct parser *p, struct schedule_step *s) {
  skip_blanks(p);
  if (p->at == p->end || *p->at != 'x') return ERR_NONE;
  const char *digit = p->at + 1;
  if (digit == p->end || *digit < '0' || *digit > '9') return ERR_NONE;
  const char *from = p->at;
  uint64_t value;
  enum err e = word(p);
  if (!e && strchr(text_str(&p->word), ':')) { /* a place: a file may have such a name */
    p->at = from;
    return ERR_NONE;
  }
  if (!e && (!parse_number(p->word.data + 1, 10, UINT32_MAX, &value) || value == 0)) return fail_at(p, "not a count of steps");
  if (!e) s->repeat = (uint32_t)value;
  return e;
}

static enum err step(struct parser *p, struct schedule_step *s) {
  *s = (struct schedule_step){.repeat = 1};
  enum err e = thread_name(p, &s->thread);
  if (!e) e = repetition(p, s);
  if (!e) e = word(p);
  uint64_t value;
  if (!e && strncmp(p->word.data, "choice=", 7) == 0) {
    if (!parse_number(p->word.data + 7, 10, UINT32_MAX, &value)) return fail_at(p, "not a choice");
    s->choice = (uint32_t)value;
    e = word(p);
  }
  if (!e) e = operation(p, &s->op);
  if (!e) e = where(p, &s->file, &s->line, &s->column, &s->function);
  if (!e && !at_end(p)) e = object(p, &s->object, &s->size);
  return e;
}

static enum err line_step(struct parser *p) {
  if (!p->announced) return fail(p, "a step before the line \"steps N\"");
  struct schedule_step s;
  enum err e = step(p, &s);
  if (!e && s.op == EVENT_FLUSH) return fail(p, "a flush is not a step of a thread: it is a line \"flush\"");
  if (!e) schedule_append(p->file, &s);
  return e;
}

/* "flush THREAD [xCOUNT] PLACE FUNCTION [@ADDRESS+SIZE]" */
static enum err line_flush(struct parser *p) {
  if (!p->announced) return fail(p, "a flush before the line \"steps N\"");
  struct schedule_step s = {.repeat = 1, .op = EVENT_FLUSH};
  enum err e = thread_name(p, &s.thread);
  if (!e) {
    text_puts(&p->word, SCHEDULE_AGENT);
    s.thread = schedule_intern(p->file, text_str(&p->word));
    e = repetition(p, &s);
  }
  if (!e) e = where(p, &s.file, &s.line, &s.column, &s.function);
  if (!e && !at_end(p)) e = object(p, &s.object, &s.size);
  if (!e) schedule_append(p->file, &s);
  return e;
}

static enum err line_stop(struct parser *p) {
  struct schedule_step s;
  enum err e = step(p, &s);
  if (!e) *vec_push(&p->file->stops) = s;
  return e;
}

static enum err line_site(struct parser *p) {
  struct schedule_site s = {0};
  enum err e = thread_name(p, &s.thread);
  if (!e) e = string(p, &s.role);
  if (!e) e = where(p, &s.file, &s.line, &s.column, &s.function);
  if (!e) *vec_push(&p->file->sites) = s;
  return e;
}

/* "data THREAD NUMBER BYTES NAME" */
static enum err line_data(struct parser *p) {
  struct schedule_data data = {0};
  uint64_t value = 0;
  enum err e = thread_name(p, &data.thread);
  if (!e) e = number(p, UINT32_MAX, &value);
  data.number = (uint32_t)value;
  if (!e) e = string(p, &data.bytes);
  size_t n = p->word.count;
  for (size_t i = 0; !e && i < n; i++)
    if (hex_digit(p->word.data[i]) < 0) return fail_at(p, "not bytes as hexadecimal digits");
  if (!e && (n == 0 || n % 2)) return fail_at(p, "not bytes as hexadecimal digits");
  if (!e) e = string(p, &data.name);
  if (!e) *vec_push(&p->file->data) = data;
  return e;
}

/* Pairs of hexadecimal digits, perhaps none, become bytes of the file. */
static enum err file_bytes(struct parser *p, uint32_t name) {
  enum err e = word(p);
  if (e) return e;
  size_t n = p->word.count / 2;
  bool good = p->word.count % 2 == 0;
  for (size_t i = 0; good && i < n; i++) {
    int high = hex_digit(p->word.data[2 * i]), low = hex_digit(p->word.data[2 * i + 1]);
    good = high >= 0 && low >= 0;
    if (good) p->word.data[i] = (char)(high << 4 | low);
  }
  if (!good) return fail(p, "not bytes as hexadecimal digits");
  schedule_append_bytes(p->file, name, text_str(&p->word), n);
  return ERR_NONE;
}

static enum err line_input_bytes(struct parser *p) { return file_bytes(p, 0); }

/* "file-bytes NAME BYTES" */
static enum err line_file_bytes(struct parser *p) {
  uint32_t name = 0;
  enum err e = string(p, &name);
  if (!e && name == 0) return fail(p, "a file without a name");
  return e ? e : file_bytes(p, name);
}

static enum err line_shared(struct parser *p) {
  struct schedule_range range = {0};
  enum err e = object(p, &range.object, &range.size);
  if (!e) *vec_push(&p->file->shared) = range;
  return e;
}

static enum err line_found(struct parser *p) {
  enum err e = word(p);
  if (e) return e;
  for (enum finding_kind k = 0; k < FINDING_COUNT; k++) {
    if (strcmp(finding_kind_text(k), text_str(&p->word)) != 0) continue;
    p->file->kind = k;
    p->found = true;
    return ERR_NONE;
  }
  return fail_at(p, "not a kind of finding");
}

static enum err line_steps(struct parser *p) {
  if (p->announced) return fail(p, "a second line \"steps N\"");
  p->announced = true;
  return number(p, UINT64_MAX, &p->steps);
}

static enum err line_content(struct parser *p) {
  enum err e = word(p);
  if (e) return e;
  p->content = true;
  return parse_number(text_str(&p->word), 16, UINT64_MAX, &p->file->content) ? ERR_NONE : fail_at(p, "not a hash");
}

static enum err line_memory(struct parser *p) {
  enum err e = string(p, &p->file->memory);
  const char *s = text_str(&p->word);
  if (e || strcmp(s, "sc") == 0 || strcmp(s, "tso") == 0 || strcmp(s, "pso") == 0) return e;
  return fail_at(p, "not a memory model");
}

#define X(member, key)                              \
  static enum err line_##member(struct parser *p) { \
    uint32_t s;                                     \
    enum err e = string(p, &s);                     \
    if (!e) *vec_push(&p->file->member) = s;        \
    return e;                                       \
  }
SCHEDULE_LISTS(X)
#undef X

static enum err line_input(struct parser *p) { return string(p, &p->file->input); }
static enum err line_called(struct parser *p) { return string(p, &p->file->called); }
static enum err line_message(struct parser *p) { return string(p, &p->file->message); }
static enum err line_loop_bound(struct parser *p) { return number(p, UINT64_MAX, &p->file->loop_bound); }

static enum err line_spurious(struct parser *p) {
  p->file->spurious = true;
  return ERR_NONE;
}

static enum err line_whole_deadlocks(struct parser *p) {
  p->file->whole_deadlocks = true;
  return ERR_NONE;
}

static enum err line_no_leaks(struct parser *p) {
  p->file->no_leaks = true;
  return ERR_NONE;
}

static enum err line_exit_codes(struct parser *p) {
  p->file->exit_codes = true;
  return ERR_NONE;
}

static enum err line_alone(struct parser *p) {
  p->file->alone = true;
  return ERR_NONE;
}

static enum err line_nondet(struct parser *p) {
  p->file->nondet = true;
  return ERR_NONE;
}

static enum err line_recorded(struct parser *p) {
  p->file->recorded = true;
  if (at_end(p)) return ERR_NONE;
  enum err e = word(p);
  if (!e) p->file->how = path_how_find(text_str(&p->word));
  return !e && p->file->how == PATH_HOWS ? fail_at(p, "not a way of recording") : e;
}

static enum err line_end(struct parser *p) {
  p->ended = true;
  return ERR_NONE;
}

/* `input`: a file that is an input alone has it, too. */
static const struct {
  const char *key;
  enum err (*parse)(struct parser *p);
  bool input;
} keys[] = {
#define X(member, key) {key, line_##member, true},
    SCHEDULE_LISTS(X)
#undef X
        {"input", line_input, true},
    {"called", line_called, true},
    {"input-bytes", line_input_bytes, true},
    {"file-bytes", line_file_bytes, true},
    {"memory", line_memory, true},
    {"content", line_content, true},
    {"spurious", line_spurious, true},
    {"whole-deadlocks", line_whole_deadlocks, true},
    {"no-leaks", line_no_leaks, true},
    {"exit-codes", line_exit_codes, true},
    {"alone", line_alone, true},
    {"nondet", line_nondet, true},
    {"recorded", line_recorded, true},
    {"message", line_message, false},
    {"loop-bound", line_loop_bound, true},
    {"found", line_found, false},
    {"site", line_site, false},
    {"data", line_data, true},
    {"shared", line_shared, false},
    {"steps", line_steps, false},
    {"step", line_step, false},
    {"flush", line_flush, false},
    {"stop", line_stop, false},
    {"end", line_end, true},
};

static enum err line(struct parser *p) {
  if (at_end(p)) return ERR_NONE;
  if (p->ended) return fail(p, "something follows the line \"end\"");
  enum err e = word(p);
  if (e) return e;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    if (strcmp(keys[i].key, text_str(&p->word)) != 0 || (p->file->is_input && !keys[i].input)) continue;
    e = keys[i].parse(p);
    if (!e && !at_end(p)) e = fail(p, "something is left over at the end of the line");
    return e;
  }
  return fail_at(p, p->file->is_input ? "not a line that an input has" : "not a line that a schedule has");
}

static enum err first_line(struct parser *p) {
  size_t n = (size_t)(p->end - p->at);
  p->file->is_input = n >= 13 && memcmp(p->at, "heddle input ", 13) == 0;
  if (!p->file->is_input && (n < 16 || memcmp(p->at, "heddle schedule ", 16) != 0))
    return diag_set(p->diag, ERR_FORMAT, "%s is not a schedule: its first line is not \"heddle schedule %d\"", p->name, SCHEDULE_VERSION);
  p->at += p->file->is_input ? 13 : 16;
  uint64_t version = 0;
  enum err e = number(p, UINT32_MAX, &version);
  if (!e && version != SCHEDULE_VERSION) e = fail_at(p, "this Heddle reads version 1 of schedules, this is version");
  if (!e && !at_end(p)) e = fail(p, "something is left over at the end of the line");
  return e;
}

static enum err complete(struct parser *p) {
  if (!p->ended) return fail(p, "the file is cut off: its last line is not \"end\"");
  if (p->file->is_input && (!p->content || !p->file->memory || !p->file->programs.count))
    return fail(p, "one of the lines \"program\", \"memory\" and \"content\" is missing");
  if (p->file->is_input) return ERR_NONE;
  if (p->steps > SCHEDULE_STEPS_MOST) return fail(p, "there are more steps than an execution can have");
  if (!p->announced || schedule_steps(p->file) != p->steps) return fail(p, "there are not as many steps as the line \"steps N\" says");
  if (!p->found || !p->content || !p->file->memory || !p->file->programs.count)
    return fail(p, "one of the lines \"program\", \"memory\", \"content\" and \"found\" is missing");
  return ERR_NONE;
}

enum err schedule_file_parse(struct schedule_file *f, const char *name, const char *content, size_t n, struct diag *d) {
  struct parser p = {.file = f, .name = name, .diag = d};
  *f = (struct schedule_file){0};
  enum err e = ERR_NONE;
  if (memchr(content, 0, n)) e = diag_set(d, ERR_FORMAT, "%s is not a schedule: it is not text", name);
  const char *end = content + n;
  for (const char *at = content; !e && at < end; at = p.end + 1) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    p.at = at, p.end = newline ? newline : end;
    e = p.line++ == 0 ? first_line(&p) : line(&p);
  }
  if (!e && n == 0) e = diag_set(d, ERR_FORMAT, "%s is not a schedule: it is empty", name);
  if (!e) e = complete(&p);
  text_release(&p.word);
  if (e) schedule_file_release(f);
  return e;
}

#include "report/task_source.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "report/place.h"

/* --- tokens --- */

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_LITERAL, TOKEN_MARK };

struct token {
  enum token_kind kind;
  size_t begin, end;
  char mark; /* of a TOKEN_MARK */
};

struct reader {
  const char *text;
  size_t count, at;
};

static char at(const struct reader *r, size_t i) { return i < r->count ? r->text[i] : '\0'; }

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80; }

/* Behind the end of the line, of one that goes on in the next ones. */
static size_t line_end(const struct reader *r, size_t i) {
  while (i < r->count && (r->text[i] != '\n' || (i > 0 && r->text[i - 1] == '\\'))) i++;
  return i;
}

static bool begins_line(const struct reader *r, size_t i) {
  while (i > 0 && (r->text[i - 1] == ' ' || r->text[i - 1] == '\t')) i--;
  return i == 0 || r->text[i - 1] == '\n';
}

static size_t comment_end(const struct reader *r, size_t i) {
  if (at(r, i + 1) == '/') return line_end(r, i);
  for (i += 2; i < r->count && !(r->text[i] == '*' && at(r, i + 1) == '/');) i++;
  return i < r->count ? i + 2 : i;
}

static void skip_blanks(struct reader *r) {
  for (;;) {
    char c = at(r, r->at), next = at(r, r->at + 1);
    if (r->at >= r->count) return;
    if (c == '/' && (next == '*' || next == '/'))
      r->at = comment_end(r, r->at);
    else if (c == '#' && begins_line(r, r->at))
      r->at = line_end(r, r->at);
    else if (isspace((unsigned char)c) || c == '\\')
      r->at++;
    else
      return;
  }
}

static size_t literal_end(const struct reader *r, size_t i) {
  char quote = r->text[i++];
  while (i < r->count && r->text[i] != quote && r->text[i] != '\n') i += r->text[i] == '\\' ? 2 : 1;
  return i < r->count ? i + 1 : r->count;
}

static struct token next_token(struct reader *r) {
  skip_blanks(r);
  struct token t = {.begin = r->at, .end = r->at};
  if (r->at >= r->count) return t;
  char c = r->text[r->at];
  if (is_word(c)) {
    t.kind = TOKEN_WORD;
    while (is_word(at(r, t.end))) t.end++;
  } else if (c == '"' || c == '\'') {
    t.kind = TOKEN_LITERAL;
    t.end = literal_end(r, t.end);
  } else {
    t.kind = TOKEN_MARK;
    t.mark = c;
    t.end++;
  }
  r->at = t.end;
  return t;
}

static bool is(const struct reader *r, const struct token *t, const char *word) {
  size_t n = t->end - t->begin;
  return t->kind == TOKEN_WORD && strlen(word) == n && memcmp(r->text + t->begin, word, n) == 0;
}

/* --- statements --- */

/* An open bracket. BLOCK: statements follow; HEAD: of an if, a loop or a switch; OTHER: part of an expression or of a declaration. */
enum bracket { BRACKET_BLOCK, BRACKET_HEAD, BRACKET_OTHER };
struct level {
  enum bracket bracket;
  bool in_expression; /* a block: ({ .. }), behind which the statement goes on */
  enum statement_kind kind;
  size_t begin; /* of the statement that it is part of */
};

struct walk {
  struct reader r;
  VEC(struct level) levels;
  struct token last;
  enum statement_kind kind, next_head;
  bool heads;          /* the last word was that of a head */
  bool fresh;          /* a statement, or a full expression of a head, is about to begin */
  bool is_case;        /* the statement begins with case */
  size_t begin, words; /* the present one's: where it begins, its tokens so far */
};

static const struct level *innermost(const struct walk *w) { return w->levels.count ? &vec_last(&w->levels) : NULL; }

static bool takes_statements(const struct walk *w) { return !innermost(w) || innermost(w)->bracket != BRACKET_OTHER; }

static void open_bracket(struct walk *w, char mark) {
  struct level level = {.bracket = BRACKET_OTHER, .kind = w->kind, .begin = w->begin};
  bool in_expression = w->last.kind == TOKEN_MARK && w->last.mark == '(' && !w->fresh;
  if (mark == '{' && (w->fresh || !innermost(w) || in_expression)) {
    level.bracket = BRACKET_BLOCK;
    level.in_expression = in_expression;
    w->fresh = true;
  } else if (mark == '(' && w->heads) {
    level.bracket = BRACKET_HEAD;
    w->kind = level.kind = w->next_head;
    w->fresh = true;
  }
  *vec_push(&w->levels) = level;
}

static void close_bracket(struct walk *w) {
  if (w->levels.count == 0) return;
  struct level level = vec_pop(&w->levels);
  bool goes_on = level.bracket == BRACKET_OTHER || level.in_expression;
  w->fresh = !goes_on;
  if (!goes_on) return;
  w->begin = level.begin;
  w->kind = level.kind;
}

static void see_word(struct walk *w, const struct token *t) {
  bool loops = is(&w->r, t, "while") || is(&w->r, t, "for"), decides = is(&w->r, t, "if") || is(&w->r, t, "switch");
  w->heads = loops || decides;
  if (w->heads) w->next_head = loops ? STATEMENT_LOOP : STATEMENT_CONTROL;
  if (is(&w->r, t, "else") || is(&w->r, t, "do")) w->fresh = true;
}

static void begin_statement(struct walk *w, const struct token *t) {
  const struct level *level = innermost(w);
  w->begin = t->begin;
  w->words = 0;
  w->kind = level && level->bracket == BRACKET_HEAD ? level->kind : STATEMENT_PLAIN;
  w->is_case = is(&w->r, t, "case");
  w->fresh = false;
}

static void see(struct walk *w, const struct token *t) {
  bool ends = t->kind == TOKEN_MARK && (t->mark == '{' || t->mark == '}' || t->mark == ';' || t->mark == ')');
  if (w->fresh && !ends) begin_statement(w, t);
  if (t->kind == TOKEN_WORD) {
    see_word(w, t);
  } else {
    char mark = t->mark;
    if (mark == '(' || mark == '{' || mark == '[') open_bracket(w, mark);
    if (mark == ')' || mark == '}' || mark == ']') close_bracket(w);
    if (mark == ';' && takes_statements(w)) w->fresh = true;
    bool labels = mark == ':' && innermost(w) && innermost(w)->bracket == BRACKET_BLOCK;
    if (labels && (w->is_case || w->words == 1)) w->fresh = true;
    w->heads = false;
  }
  w->words++;
  w->last = *t;
}

struct statement task_source_statement(const struct task_source *s, size_t offset) {
  struct walk w = {.r = {.text = s->content.data, .count = s->content.count}, .fresh = true};
  struct token t = next_token(&w.r);
  for (; t.kind != TOKEN_END && t.end <= offset; t = next_token(&w.r)) see(&w, &t);
  if (w.fresh && t.kind != TOKEN_END) begin_statement(&w, &t);
  size_t begin = w.begin;
  for (size_t i = w.levels.count; i-- > 0;) {
    const struct level *level = &w.levels.data[i];
    if (level->bracket == BRACKET_OTHER) continue;
    if (level->bracket == BRACKET_HEAD) begin = level->begin;
    break;
  }
  struct statement statement = {.kind = w.kind, .begin = task_source_spot(s, begin), .expression = task_source_spot(s, w.begin)};
  vec_release(&w.levels);
  return statement;
}

bool task_source_call(const struct task_source *s, size_t offset, struct spot *open, struct spot *close) {
  struct reader r = {.text = s->content.data, .count = s->content.count, .at = offset};
  struct token name = next_token(&r), t = next_token(&r);
  if (name.kind != TOKEN_WORD || name.begin != offset || t.kind != TOKEN_MARK || t.mark != '(') return false;
  *open = task_source_spot(s, t.begin);
  for (size_t depth = 1; depth;) {
    t = next_token(&r);
    if (t.kind == TOKEN_END) return false;
    if (t.kind == TOKEN_MARK && t.mark == '(') depth++;
    if (t.kind == TOKEN_MARK && t.mark == ')') depth--;
  }
  *close = task_source_spot(s, t.begin);
  return true;
}

/* --- lines --- */

/* "# 12 "file.c" 3" and "#line 12 "file.c"": what it says of the next line. False: the line is something else. */
static bool read_marker(const char *line, size_t n, struct line_marker *marker) {
  const char *end = line + n;
  while (line < end && (*line == ' ' || *line == '\t')) line++;
  if (line == end || *line++ != '#') return false;
  while (line < end && (*line == ' ' || *line == '\t')) line++;
  if (end - line > 4 && strncmp(line, "line", 4) == 0) line += 4;
  while (line < end && (*line == ' ' || *line == '\t')) line++;
  if (line == end || !isdigit((unsigned char)*line)) return false;
  char *behind;
  unsigned long number = strtoul(line, &behind, 10);
  const char *quote = memchr(behind, '"', behind < end ? (size_t)(end - behind) : 0);
  const char *last = quote ? memchr(quote + 1, '"', (size_t)(end - quote - 1)) : NULL;
  if (!last || number > UINT32_MAX) return false;
  marker->line = (uint32_t)number;
  text_append(&marker->file, quote + 1, (size_t)(last - quote - 1));
  return true;
}

static void read_lines(struct task_source *s) {
  for (size_t i = 0; i < s->content.count;) {
    const char *line = s->content.data + i, *end = memchr(line, '\n', s->content.count - i);
    size_t n = end ? (size_t)(end - line) : s->content.count - i;
    *vec_push(&s->starts) = (uint32_t)i;
    struct line_marker marker = {.first = (uint32_t)s->starts.count + 1};
    if (read_marker(line, n, &marker)) *vec_push(&s->markers) = marker;
    i += n + 1;
  }
}

static void real_path(const char *path, struct text *out) {
  char real[PATH_MAX];
  text_puts(out, realpath(path, real) ? real : path);
}

enum err task_source_read(struct task_source *s, const char *path, struct diag *d) {
  *s = (struct task_source){.path = path};
  enum err e = file_read(path, FILE_TEXT, &s->content, d);
  if (e) {
    task_source_release(s);
    return e;
  }
  real_path(path, &s->real);
  read_lines(s);
  return ERR_NONE;
}

void task_source_release(struct task_source *s) {
  for (size_t i = 0; i < s->markers.count; i++) text_release(&s->markers.data[i].file);
  vec_release(&s->markers);
  vec_release(&s->starts);
  text_release(&s->real);
  text_release(&s->content);
}

/* The place's file is absolute, with the folder that the compiler was in. */
static bool same_file(const char *file, const char *marked) {
  if (strncmp(marked, "./", 2) == 0) marked += 2;
  size_t n = strlen(file), k = strlen(marked);
  return k && n >= k && strcmp(file + n - k, marked) == 0 && (n == k || file[n - k - 1] == '/');
}

static bool has_word(const struct task_source *s, size_t offset, const char *word) {
  size_t n = word ? strlen(word) : 0;
  return n <= s->content.count - offset && (!n || memcmp(s->content.data + offset, word, n) == 0);
}

/* Is it that line, with enough columns and the word? */
static bool fits(const struct task_source *s, uint32_t line, uint32_t column, const char *word, size_t *offset) {
  if (line == 0 || line > s->starts.count) return false;
  size_t begin = s->starts.data[line - 1], end = line < s->starts.count ? s->starts.data[line] : s->content.count;
  *offset = begin + (column ? column - 1 : 0);
  return *offset < end && has_word(s, *offset, word);
}

static bool find_marked(const struct task_source *s, const struct place *place, const char *word, size_t *offset) {
  for (size_t i = 0; i < s->markers.count; i++) {
    const struct line_marker *m = &s->markers.data[i];
    uint64_t line = (uint64_t)m->first + place->line - m->line;
    bool last = i + 1 == s->markers.count, there = place->line >= m->line && (last || line + 1 < s->markers.data[i + 1].first);
    if (there && line <= UINT32_MAX && same_file(place->file, text_str(&m->file)) && fits(s, (uint32_t)line, place->column, word, offset))
      return true;
  }
  return false;
}

bool task_source_find(const struct task_source *s, const struct place *place, const char *word, size_t *offset) {
  if (s->markers.count && (find_marked(s, place, word, offset) || (word && find_marked(s, place, NULL, offset)))) return true;
  struct text real = {0};
  real_path(place->file, &real);
  bool same = strcmp(text_str(&real), text_str(&s->real)) == 0;
  text_release(&real);
  return same && fits(s, place->line, place->column, NULL, offset);
}

struct spot task_source_spot(const struct task_source *s, size_t offset) {
  size_t low = 0, high = s->starts.count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (s->starts.data[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  struct spot spot = {.line = (uint32_t)low + 1, .column = 1};
  size_t begin = s->starts.count ? s->starts.data[low] : 0;
  for (size_t i = begin; i < offset && i < s->content.count; i++) /* of a character of several bytes, the first one counts */
    if (((unsigned char)s->content.data[i] & 0xc0) != 0x80) spot.column++;
  return spot;
}

#include "report/columns.h"

#include <inttypes.h>
#include <string.h>

#include "machine/machine.h"
#include "report/sources.h"
#include "report/style.h"
#include "report/timeline.h"

#define COLUMN_MIN 24
#define GAP        2
#define CODE_ROWS  3

/* Consecutive moments of one thread at one source line, or a run of folded ones. Lines are offsets into `pool`. */
struct line {
  enum ink ink;
  uint32_t text;
};
struct block {
  uint32_t thread;
  uint64_t step;
  bool marked;
  uint32_t first, count; /* lines */
};

struct sheet {
  const struct timeline *timeline;
  const struct machine *m;
  struct sources *sources;
  const struct style *style;
  struct text *out;
  VEC(struct line) lines;
  VEC(struct block) blocks;
  struct text pool;
  bool one_file;       /* all shown places lie in one file: lines name it no more */
  uint32_t step_width; /* digits of the largest step number */
  uint32_t gutter, column;
};

static void add_line(struct sheet *s, enum ink ink, const char *text) {
  uint32_t offset = (uint32_t)s->pool.count;
  text_append(&s->pool, text, strlen(text) + 1);
  *vec_push(&s->lines) = (struct line){.ink = ink, .text = offset};
  vec_last(&s->blocks).count++;
}

static void add_source(struct sheet *s, const struct place *place) {
  struct text t = {0};
  if (place_is_driver(place)) return; /* what it does there says enough */
  if (place->line == 0 || !s->one_file)
    place_short_text(place, &t);
  else
    text_printf(&t, "%u", place->line);
  text_puts(&t, " | ");
  size_t before = t.count;
  sources_line(s->sources, place->file, place->line, &t);
  if (t.count == before) t.data[t.count = before - 3] = 0;
  add_line(s, INK_CODE, text_str(&t));
  text_release(&t);
}

static void add_moment(struct sheet *s, const struct moment *moment, const struct moment *previous) {
  bool continued = previous && previous->thread == moment->thread && previous->step != 0 && moment->step != 0 &&
                   place_same_line(&previous->place, &moment->place);
  if (!continued) {
    *vec_push(&s->blocks) = (struct block){.thread = moment->thread, .step = moment->step, .first = (uint32_t)s->lines.count};
    add_source(s, &moment->place);
  }
  struct block *block = &vec_last(&s->blocks);
  block->marked |= moment->marked;
  struct text t = {0};
  text_printf(&t, "  %s", timeline_string(s->timeline, moment->words));
  if (moment->marked) text_puts(&t, "  <--");
  add_line(s, moment->marked ? INK_HEADLINE : INK_PLAIN, text_str(&t));
  text_release(&t);
}

/* The run of folded moments from `i` on, of one thread. Returns where it ends. */
static size_t add_folded(struct sheet *s, size_t i) {
  const struct moment *m = s->timeline->moments.data;
  size_t end = i, steps = 0;
  uint64_t counted = 0;
  for (; end < s->timeline->moments.count && m[end].folded && m[end].thread == m[i].thread; end++) {
    if (m[end].e.op == EVENT_BEGIN || m[end].e.op == EVENT_END || m[end].step == counted) continue;
    counted = m[end].step, steps++;
  }
  if (steps == 0) return end;
  *vec_push(&s->blocks) = (struct block){.thread = m[i].thread, .step = 0, .first = (uint32_t)s->lines.count};
  struct text t = {0};
  text_printf(&t, ".. %zu more step%s", steps, steps == 1 ? "" : "s");
  add_line(s, INK_FAINT, text_str(&t));
  text_release(&t);
  return end;
}

static void add_blocks(struct sheet *s) {
  const struct timeline *t = s->timeline;
  const struct moment *previous = NULL;
  for (size_t i = 0; i < t->moments.count;) {
    const struct moment *moment = &t->moments.data[i];
    if (moment->folded) {
      i = add_folded(s, i);
      if (s->blocks.count && vec_last(&s->blocks).step == 0) previous = NULL;
      continue;
    }
    add_moment(s, moment, previous);
    previous = moment;
    i++;
  }
}

static void spaces(struct text *out, size_t n) {
  while (n-- > 0) text_putc(out, ' ');
}

static void trim(struct text *out) {
  while (out->count && out->data[out->count - 1] == ' ') out->data[--out->count] = 0;
}

static void gutter_text(struct sheet *s, const struct block *b, bool first) {
  struct text t = {0};
  text_printf(&t, "  %c ", b->marked && first ? '>' : ' ');
  if (first && b->step)
    text_printf(&t, "%*" PRIu64 "  ", (int)s->step_width, b->step);
  else
    spaces(&t, s->step_width + 2);
  style_put(s->style, b->marked ? INK_HEADLINE : INK_FAINT, text_str(&t), s->out);
  text_release(&t);
}

/* How many bytes of `s` go on a line of `columns`: to the last blank, comma or parenthesis if there is one not far from the end. */
static size_t line_break(const char *s, size_t columns) {
  size_t n = style_prefix(s, columns);
  if (s[n] == 0) return n;
  for (size_t k = n; k > n / 2; k--)
    if (s[k] == ' ' || strchr(",;(", s[k - 1])) return k;
  return n;
}

/* One line of a block, at column `at`, over as many rows as it needs; code over a few, and then it is cut. */
static void line_text(struct sheet *s, const struct block *b, const struct line *line, bool first, uint32_t at) {
  const char *text = s->pool.data + line->text;
  size_t indent = 0;
  for (int row = 1; row == 1 || *text; row++, indent = 4, first = false) {
    gutter_text(s, b, first);
    spaces(s->out, at + indent);
    bool cut = line->ink == INK_CODE && row == CODE_ROWS && style_columns(text) > s->column - indent;
    size_t n = cut ? style_prefix(text, s->column - indent - 2) : line_break(text, s->column - indent);
    struct text piece = {0};
    text_append(&piece, text, n);
    if (cut) text_puts(&piece, "..");
    style_put(s->style, line->ink, text_str(&piece), s->out);
    text_release(&piece);
    if (!s->style->colour) trim(s->out);
    text_putc(s->out, '\n');
    text += cut ? strlen(text) : n;
    while (*text == ' ') text++;
  }
}

static void block_text(struct sheet *s, const struct block *b, uint32_t at) {
  for (uint32_t i = 0; i < b->count; i++) line_text(s, b, &s->lines.data[b->first + i], i == 0, at);
}

static uint32_t column_of(const struct sheet *s, uint32_t thread) {
  uint32_t n = 0;
  for (size_t i = 0; i < s->timeline->threads.count; i++) {
    if (s->timeline->threads.data[i].thread == thread) return n * (s->column + GAP);
    n += s->timeline->threads.data[i].shown;
  }
  return 0;
}

static void heading_cell(struct sheet *s, const char *text, enum ink ink) {
  size_t n = style_prefix(text, s->column);
  struct text t = {0};
  text_append(&t, text, n);
  spaces(&t, s->column + GAP - style_columns(text_str(&t)));
  style_put(s->style, ink, text_str(&t), s->out);
  text_release(&t);
}

static bool is_named(const struct sheet *s) {
  for (size_t i = 0; i < s->timeline->threads.count; i++)
    if (*timeline_string(s->timeline, s->timeline->threads.data[i].start)) return true;
  return false;
}

static void headings(struct sheet *s) {
  for (int row = 0; row < 3; row++) {
    if (row == 1 && !is_named(s)) continue;
    spaces(s->out, s->gutter);
    for (size_t i = 0; i < s->timeline->threads.count; i++) {
      const struct timeline_thread *thread = &s->timeline->threads.data[i];
      struct text t = {0};
      if (!thread->shown) continue;
      if (row == 0) text_printf(&t, "thread %s", machine_thread_name(s->m, thread->thread));
      const char *start = timeline_string(s->timeline, thread->start);
      if (row == 1 && *start) text_printf(&t, "%s()", start);
      for (uint32_t k = 0; row == 2 && k < s->column; k++) text_putc(&t, '-');
      heading_cell(s, text_str(&t), row == 0 ? INK_STRONG : INK_FAINT);
      text_release(&t);
    }
    trim(s->out);
    text_putc(s->out, '\n');
  }
}

static const char *start_of(const struct sheet *s, uint32_t thread) {
  for (size_t i = 0; i < s->timeline->threads.count; i++)
    if (s->timeline->threads.data[i].thread == thread) return timeline_string(s->timeline, s->timeline->threads.data[i].start);
  return "";
}

static void draw(struct sheet *s, bool columns) {
  if (columns) headings(s);
  for (size_t i = 0; i < s->blocks.count; i++) {
    const struct block *b = &s->blocks.data[i];
    bool switched = i == 0 || s->blocks.data[i - 1].thread != b->thread;
    if (switched && i > 0) text_putc(s->out, '\n');
    if (switched && !columns) {
      text_puts(s->out, "  ");
      style_printf(s->style, INK_STRONG, s->out, "thread %s", machine_thread_name(s->m, b->thread));
      const char *start = start_of(s, b->thread);
      if (*start) style_printf(s->style, INK_FAINT, s->out, "  %s()", start);
      text_putc(s->out, '\n');
    }
    block_text(s, b, columns ? column_of(s, b->thread) : 0);
  }
}

/* Measures: whether one file has it all, how wide the numbers and columns are. True if columns fit. */
static bool measure(struct sheet *s) {
  const struct timeline *t = s->timeline;
  const char *file = NULL;
  uint64_t largest = 1;
  uint32_t n = 0;
  s->one_file = true;
  for (size_t i = 0; i < t->moments.count; i++) {
    const struct moment *moment = &t->moments.data[i];
    if (moment->step > largest) largest = moment->step;
    if (moment->folded || moment->place.line == 0) continue;
    if (file && strcmp(file, moment->place.file) != 0) s->one_file = false;
    file = moment->place.file;
  }
  for (; largest; largest /= 10) s->step_width++;
  for (size_t i = 0; i < t->threads.count; i++) n += t->threads.data[i].shown;
  s->gutter = 4 + s->step_width + 2;
  uint32_t room = s->style->width > s->gutter ? s->style->width - s->gutter : 1;
  s->column = n ? (room - (n - 1) * GAP) / n : room;
  if (n && room > (n - 1) * GAP && s->column >= COLUMN_MIN) return true;
  s->column = room > COLUMN_MIN ? room : COLUMN_MIN;
  return false;
}

void columns_text(const struct timeline *t, const struct machine *m, struct sources *sources, const struct style *style, struct text *out) {
  struct sheet s = {.timeline = t, .m = m, .sources = sources, .style = style, .out = out};
  bool columns = measure(&s);
  add_blocks(&s);
  draw(&s, columns);
  vec_release(&s.lines);
  vec_release(&s.blocks);
  text_release(&s.pool);
}

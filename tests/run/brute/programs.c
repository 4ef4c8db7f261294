#include "programs.h"

#include <string.h>

#include "base/hash.h"
#include "statements.h"

struct writer {
  uint64_t state;
  struct text *out;
  unsigned index, depth;
  bool alone; /* creates no thread */
  enum theme themes[3]; /* which statements are drawn from */
};

static unsigned below(struct writer *w, unsigned n) {
  w->state = hash_mix(w->state);
  return (unsigned)((w->state >> 20) % n);
}

static const char *order(struct writer *w, char of) {
  static const char *const orders[] = {"relaxed", "seq_cst", "release", "acquire", "acq_rel", "acquire"};
  unsigned i = below(w, of == 'x' ? 5 : 4);
  if (of == 's' && i == 3) i = 2;
  if (of == 'l' && i == 2) i = 3;
  return orders[i];
}

static const struct statement *draw(struct writer *w) {
  enum theme theme = w->themes[below(w, 3)];
  unsigned sum = 0;
  for (unsigned i = 0; i < statements_count; i++) sum += statements[i].theme == theme ? statements[i].weight : 0;
  for (;;) {
    unsigned at = below(w, sum), i = 0;
    for (;; i++) {
      if (statements[i].theme != theme) continue;
      if (at < statements[i].weight) break;
      at -= statements[i].weight;
    }
    if (w->depth >= 2 && strchr(statements[i].text, '@')) continue;
    if (!w->alone || !strstr(statements[i].text, "%t")) return &statements[i];
  }
}

static void put_statement(struct writer *w);

static void put_statements(struct writer *w, unsigned n) {
  w->depth++;
  while (n-- > 0) put_statement(w);
  w->depth--;
}

static void put_word(struct writer *w, char of, unsigned mutex) {
  switch (of) {
    case 'v':
      text_putc(w->out, "ab"[below(w, 2)]);
      break;
    case 'a':
      text_putc(w->out, "cd"[below(w, 2)]);
      break;
    case 't':
      text_printf(w->out, "%u", w->index);
      break;
    case 'm':
      text_printf(w->out, "m%u", mutex);
      break;
    default:
      text_puts(w->out, order(w, of));
      break;
  }
}

static void put_statement(struct writer *w) {
  unsigned mutex = below(w, 4) ? 0 : 1 + below(w, 2);
  for (const char *t = draw(w)->text; *t; t++) {
    if (*t == '@')
      put_statements(w, 1 + below(w, 2));
    else if (*t == '#')
      text_printf(w->out, "%u", 1 + below(w, 2));
    else if (*t == '%')
      put_word(w, *++t, mutex);
    else
      text_putc(w->out, *t);
  }
  text_putc(w->out, '\n');
}

static void put_function(struct writer *w, const char *name, unsigned count) {
  text_printf(w->out, "static void *%s%u(void *x) { LOCALS t = x;\n", name, w->index);
  while (count-- > 0) put_statement(w);
  text_puts(w->out, "P return t; }\n");
}

static void draw_themes(struct writer *w) {
  enum theme main = (enum theme)(1 + below(w, THEMES - 1));
  if (main == THEME_MISUSE && below(w, 3)) main = THEME_HANDOVER; /* what is behind misuse is not defined: not too much of it */
  for (unsigned i = 0; i < 3; i++) w->themes[i] = main;
  w->themes[1] = below(w, 2) ? THEME_PLAIN : w->themes[1];
  if (below(w, 2)) w->themes[2] = (enum theme)below(w, THEME_MISUSE);
}

static void put_main(struct writer *w, bool three) {
  text_printf(w->out, "static void program%u(void) { LOCALS pthread_t one, two;\n", w->index);
  text_printf(w->out, "  prepare(%u, release%u);\n", below(w, 2), w->index);
  if (below(w, 2)) text_puts(w->out, "  p = make(2), ap = make(3);\n");
  text_printf(w->out, "P pthread_create(&one, 0, first%u, %s);\n", w->index, below(w, 3) ? "0" : "make(4)");
  if (!three && below(w, 2)) put_statement(w);
  text_printf(w->out, "P pthread_create(&two, 0, second%u, 0);\n", w->index);
  for (unsigned n = three ? 1 + below(w, 2) : 0; n > 0; n--) put_statement(w);
  text_puts(w->out, "P pthread_join(one, 0);\n");
  if (below(w, 3) == 0) put_statement(w);
  text_puts(w->out, "P pthread_join(two, 0);\n");
  if (below(w, 3) == 0) put_statement(w);
  text_puts(w->out, "}\n\n");
}

static void put_program(struct writer *w) {
  draw_themes(w);
  bool three = below(w, 3) == 0;
  unsigned most = three ? 3 : 5;
  text_printf(w->out,
              "static void *bump%u(void *x) {\nP ++*(int *)x;\nP return 0; }\nstatic void initialise%u(void) {\nP a = 1;\n"
              "P USE(own)->x++; }\nstatic void release%u(void *t) {\nP FREE((struct block *)t); }\n",
              w->index, w->index, w->index);
  w->alone = true;
  put_function(w, "third", 1 + below(w, 2));
  w->alone = false;
  put_function(w, "first", 1 + below(w, most));
  put_function(w, "second", 1 + below(w, most));
  put_main(w, three);
}

/* As many lines, and nothing on them. */
static void blank(struct text *t, size_t from) {
  size_t to = from;
  for (size_t i = from; i < t->count; i++)
    if (t->data[i] == '\n') t->data[to++] = '\n';
  t->count = to, t->data[to] = '\0';
}

/* The line that comes next. */
static unsigned line_of_end(const struct text *t) {
  unsigned line = 1;
  for (size_t i = 0; i < t->count; i++) line += t->data[i] == '\n';
  return line;
}

void programs_write(uint64_t seed, unsigned count, const struct programs_ends *ends, enum programs_how how, struct text *out) {
  static const char *const defines[] = {[PROGRAMS_ENDS] = "#define ENDS\n",
                                        [PROGRAMS_REUSE_OWN] = "#define ENDS\n#define REUSE _Thread_local\n",
                                        [PROGRAMS_REUSE_ANY] = "#define ENDS\n#define REUSE\n",
                                        [PROGRAMS_REFUSE] = "#define REFUSES\n"};
  struct text plain = {0}; /* without what says where ends are */
  if (ends) text_printf(out, "%s#line 1\n", defines[how]);
  text_puts(&plain, statement_declarations);
  text_append(out, plain.data, plain.count);
  for (unsigned i = 0; i < count; i++) {
    struct writer w = {.state = hash_pair(seed, i), .out = &plain, .index = i};
    size_t from = plain.count;
    if (ends && ends[i].wanted)
      text_printf(out, "#undef FREED\n#undef USED\n#define FREED %u\n#define USED %u\n#line %u\n", ends[i].freed, ends[i].used,
                  line_of_end(&plain));
    put_program(&w);
    if (ends && !ends[i].wanted) blank(&plain, from);
    text_append(out, plain.data + from, plain.count - from);
  }
  text_puts(out, "static void (*const programs[])(void) = {");
  for (unsigned i = 0; i < count; i++)
    if (!ends || ends[i].wanted) text_printf(out, "[%u] = program%u, ", i, i);
  text_puts(out, "};\n");
  text_printf(out, "enum { LINES = %u };\n", line_of_end(&plain) + 1);
  text_release(&plain);
  text_puts(out, "#ifdef NATIVE\n#include \"" NATIVE_H "\"\n#else\n"
                 "int main(int argc, char **argv) {\n"
                 "  unsigned n = 0; for (const char *t = argv[1]; *t; t++) n = n * 10 + (unsigned)(*t - '0');\n"
                 "  programs[n](); return 0; }\n#endif\n");
}

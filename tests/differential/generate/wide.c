#include <string.h>

#include "generator.h"

/* CORE has no table: its statements are those of the classic programs. */
static const struct statement_family *const families[GENERATE_FAMILIES] = {
    [GENERATE_FAMILY_LIFETIMES] = &family_lifetimes, [GENERATE_FAMILY_OBJECTS] = &family_objects,
    [GENERATE_FAMILY_SETJMP] = &family_setjmp,       [GENERATE_FAMILY_UNINITIALISED] = &family_uninitialised,
    [GENERATE_FAMILY_HEAP] = &family_heap,           [GENERATE_FAMILY_VALUES] = &family_values,
    [GENERATE_FAMILY_THREADS] = &family_threads,     [GENERATE_FAMILY_CANCELLATION] = &family_cancellation,
    [GENERATE_FAMILY_KEYS] = &family_keys,           [GENERATE_FAMILY_WAITS] = &family_waits,
    [GENERATE_FAMILY_SIGNALS] = &family_signals,     [GENERATE_FAMILY_PIPES] = &family_pipes,
    [GENERATE_FAMILY_SPINNING] = &family_spinning,
    [GENERATE_FAMILY_EXCEPTIONS] = &family_exceptions,
    [GENERATE_FAMILY_INTERRUPTS] = &family_interrupts,
};

void wide_declarations(struct text *out) {
  for (unsigned i = 0; i < GENERATE_FAMILIES; i++)
    if (families[i]) text_puts(out, families[i]->declarations);
}

/* --- statements --- */

static bool nests(const struct statement_kind *k) { return k->text ? strchr(k->text, '@') != NULL : k->nests; }

static const struct statement_kind *draw(struct generator *g, const struct statement_family *f) {
  unsigned sum = 0;
  for (unsigned i = 0; i < f->count; i++) sum += f->kinds[i].weight;
  for (;;) {
    unsigned at = below(g, sum), i = 0;
    while (at >= f->kinds[i].weight) at -= f->kinds[i++].weight;
    if (g->depth == 0 || !nests(&f->kinds[i]) || below(g, 8) == 0) return &f->kinds[i];
  }
}

static void wide_statement(struct generator *g) {
  const struct statement_family *f = families[g->palette[below(g, PALETTE_MOST)]];
  if (!f) {
    classic_statement(g);
    return;
  }
  text_puts(g->out, " ");
  const struct statement_kind *k = draw(g, f);
  if (k->text)
    put_text(g, k->text);
  else
    k->put(g);
  text_puts(g->out, "\n");
}

void put_text(struct generator *g, const char *text) {
  static const char *const values[] = {"a", "b", "atomic_load(&c)", "atomic_load_explicit(&d, memory_order_relaxed)", "r"};
  for (; *text; text++) {
    if (*text == '@')
      put_statements(g, 1);
    else if (*text == '#')
      text_printf(g->out, "%u", 1 + below(g, 3));
    else if (*text == '$')
      text_puts(g->out, values[below(g, sizeof values / sizeof *values)]);
    else
      text_putc(g->out, *text);
  }
}

void put_statement(struct generator *g) {
  if (g->families)
    wide_statement(g);
  else
    classic_statement(g);
}

void put_statements(struct generator *g, unsigned most) {
  g->depth++;
  for (unsigned n = below(g, most + 1); n > 0; n--) put_statement(g);
  g->depth--;
}

void helper_begin(struct generator *g, struct helper *x) {
  *x = (struct helper){.caller = g->out, .name = g->names++};
  g->out = &x->text;
  text_printf(g->out, "static __attribute__((noinline)) int helper%u_%u(int r, unsigned long *log) { unsigned long h = *log;\n", g->index,
              x->name);
}

void helper_end(struct generator *g, struct helper *x) {
  text_puts(g->out, " *log = h; return r; }\n");
  text_append(g->helpers, text_str(&x->text), x->text.count);
  text_release(&x->text);
  g->out = x->caller;
  text_printf(g->out, "r = helper%u_%u(r, &h);", g->index, x->name);
}

/* --- a program --- */

static enum generate_family draw_family(struct generator *g) {
  for (;;) {
    unsigned i = below(g, GENERATE_FAMILIES);
    if (g->families >> i & 1) return (enum generate_family)i;
  }
}

/* One family fills most of the program, or else what belongs together would seldom meet. */
static void draw_palette(struct generator *g) {
  enum generate_family most = draw_family(g);
  if (most == GENERATE_FAMILY_CORE) most = draw_family(g);
  for (unsigned i = 0; i < PALETTE_MOST; i++) g->palette[i] = i + 1 < PALETTE_MOST || below(g, 2) ? most : draw_family(g);
}

/* Writes a function with its statements, and before it those that it calls. */
static void function(struct generator *g, unsigned thread, const char *head, unsigned statements, const char *end) {
  struct text *file = g->out, body = {0}, helpers = {0};
  g->thread = thread, g->out = &body, g->helpers = &helpers;
  text_puts(&body, head);
  while (statements-- > 0) put_statement(g);
  text_puts(&body, end);
  text_append(file, text_str(&helpers), helpers.count);
  text_append(file, text_str(&body), body.count);
  text_release(&helpers);
  text_release(&body);
  g->out = file;
}

static void thread_function(struct generator *g, unsigned thread, const char *name, unsigned statements) {
  struct text head = {0};
  text_printf(&head, "static void *%s%u(void *x) { int r = 0; unsigned long h = 1; (void)r;\n", name, g->index);
  function(g, thread, text_str(&head), statements, " return (void *)h; }\n");
  text_release(&head);
}

/* What the palette's i-th family wants to be done first, once. */
static void put_begin(const struct generator *g, unsigned i, struct text *out) {
  const struct statement_family *f = families[g->palette[i]];
  for (unsigned k = 0; k < i; k++)
    if (g->palette[k] == g->palette[i]) return;
  if (f && f->begin) text_printf(out, " %s\n", f->begin);
}

static void put_main(struct generator *g) {
  struct text head = {0}, end = {0};
  text_printf(&head, "static void program%u(void) { int r = 0; unsigned long h = 1; pthread_t t[2]; void *x; (void)r, (void)x;\n",
              g->index);
  text_printf(&head, " sem_init(&s, 0, %u); pthread_barrier_init(&z, 0, %u); p = (int *)malloc(4);\n", below(g, 2), 1 + below(g, 2));
  for (unsigned i = 0; i < PALETTE_MOST; i++) put_begin(g, i, &head);
  static const char *const names[] = {"first", "second"};
  for (unsigned i = 1; i < g->threads; i++) text_printf(&head, " pthread_create(&t[%u], 0, %s%u, 0);\n", i - 1, names[i - 1], g->index);
  bool joined = below(g, 8);
  for (unsigned i = 1; i < g->threads && joined; i++) text_printf(&end, " pthread_join(t[%u], &x); put((unsigned long)x);\n", i - 1);
  text_printf(&end, " put(h);%s\n}\n\n", joined ? " put((unsigned)a); put((unsigned)b); put((unsigned)c); put((unsigned)d);" : "");
  function(g, 0, text_str(&head), below(g, 3), text_str(&end));
  text_release(&head);
  text_release(&end);
}

void wide_program(struct generator *g) {
  bool small = g->stores;
  g->stores = false;
  g->threads = 2 + (below(g, 3) == 0);
  g->flavour = below(g, 1 << 20);
  draw_palette(g);
  thread_function(g, 9, "child", 1);
  unsigned most = g->threads == 2 && !small ? 3 : 2;
  thread_function(g, 1, "first", 1 + below(g, most));
  if (g->threads > 2) thread_function(g, 2, "second", 1 + below(g, most));
  put_main(g);
}

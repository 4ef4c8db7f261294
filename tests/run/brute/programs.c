#include "programs.h"

#include <string.h>

#include "base/hash.h"

/* Both sides see the same statements. `P` stands before each of them: a random pause in native runs, which notes that the line was reached,
 * and nothing for `heddle check`. With -DFREED=F -DUSED=U the end of a block is a write to all of it, so that what comes behind a use after
 * free is explored, too; a use on line U of a block whose end was on line F is an abort(). */
static const char declarations[] =
    "#define _GNU_SOURCE\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
    "#ifdef NATIVE\n#define P pause_here(__LINE__);\n"
    "__attribute__((no_sanitize(\"thread\"), noinline)) static void pause_here(int line);\n"
    "__attribute__((no_sanitize(\"thread\"), noinline)) static void idle(void);\n#define SPIN(x) while (!(x)) idle();\n"
    "#else\n#define P\n#define SPIN(x) while (!(x)) ;\n#endif\n"
    "struct block { long pad[2]; int x, y; };\n"
    "#define LOCALS volatile int r = 0; int local = 1; struct block *t = 0; (void)r, (void)t, (void)local;\n"
    "#ifdef FREED\n"
    "static struct block *use(struct block *t, int line) {\n"
    "  if (line == USED && __atomic_load_n(&t->pad[0], __ATOMIC_RELAXED)) abort();\n  return t; }\n"
    "#define USE(t) use(t, __LINE__)\n"
    "#define FREE(t) (use(t, __LINE__)->pad[1] = 0, (t)->x = (t)->x, (t)->y = (t)->y, \\\n"
    "  __LINE__ == FREED ? __atomic_store_n(&(t)->pad[0], 1, __ATOMIC_RELAXED) : (void)0)\n"
    "#else\n#define USE(t) (t)\n#define FREE(t) free(t)\n#endif\n"
    "static int a, b; static struct { unsigned char c[4]; short s; } bytes; static atomic_int c, d, refs = 2;\n"
    "static struct block *p, *own; static struct block *_Atomic ap; static int *ip; static _Thread_local int tl;\n"
    "static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;\n"
    "static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER; static pthread_cond_t q = PTHREAD_COND_INITIALIZER;\n"
    "static sem_t s; static pthread_barrier_t z;\n"
    "static struct block *make(int x) { struct block *t = malloc(sizeof *t); t->pad[0] = t->pad[1] = 0; t->x = x; t->y = 0; return t; }\n";

enum theme { THEME_PLAIN, THEME_LOCKS, THEME_ATOMICS, THEME_CONDITIONS, THEME_WAITS, THEME_HANDOVER, THEME_LIVES, THEME_MISUSE, THEMES };

/* `@`: up to two statements. `#`: a small number. `%v`: a plain variable; `%m`: a mutex, the same in all of the statement; `%a`: an atomic
 * variable; `%s`, `%l`, `%x`: an order of a store, a load, an update; `%t`: the program's number. A line of the text is a line there. */
struct kind {
  enum theme theme;
  unsigned weight;
  const char *text;
};

static const struct kind kinds[] = {
    {THEME_PLAIN, 4, "P %v = #;"},
    {THEME_PLAIN, 4, "P r = %v;"},
    {THEME_PLAIN, 1, "P %v = r + #;"},
    {THEME_PLAIN, 2, "P %v++;"},
    {THEME_PLAIN, 3, "P if (r) {\n@}"},
    {THEME_PLAIN, 3, "P r = %v;\nP if (r) {\n@}"},
    {THEME_PLAIN, 1, "P bytes.c[#] = #;"},
    {THEME_PLAIN, 1, "P bytes.s = #;"},
    {THEME_PLAIN, 1, "P { pthread_t u; pthread_create(&u, 0, third%t, 0);\n@P pthread_join(u, 0); }"},
    {THEME_PLAIN, 1, "P r = bytes.c[#];"},
    {THEME_PLAIN, 1, "P bytes.c[#]++;"},

    {THEME_LOCKS, 5, "P pthread_mutex_lock(&%m);\n@P pthread_mutex_unlock(&%m);"},
    {THEME_LOCKS, 3, "P pthread_mutex_lock(&%m);\nP %v = #;\nP pthread_mutex_unlock(&%m);"},
    {THEME_LOCKS, 3, "P pthread_mutex_lock(&%m);\nP r = %v;\nP pthread_mutex_unlock(&%m);\nP if (r) {\n@}"},
    {THEME_LOCKS, 2, "P pthread_mutex_lock(&%m);\nP %v++;\nP pthread_mutex_unlock(&%m);"},
    {THEME_LOCKS, 2, "P if (pthread_mutex_trylock(&%m) == 0) {\n@P pthread_mutex_unlock(&%m); }"},
    {THEME_LOCKS, 1, "P if (pthread_mutex_trylock(&%m) == 0) {\nP pthread_mutex_unlock(&%m); } else {\n@}"},
    {THEME_LOCKS, 2, "P pthread_rwlock_rdlock(&w);\n@P pthread_rwlock_unlock(&w);"},
    {THEME_LOCKS, 2, "P pthread_rwlock_wrlock(&w);\n@P pthread_rwlock_unlock(&w);"},
    {THEME_LOCKS, 1, "P if (pthread_rwlock_tryrdlock(&w) == 0) {\n@P pthread_rwlock_unlock(&w); }"},
    {THEME_LOCKS, 1, "P if (pthread_rwlock_trywrlock(&w) == 0) {\n@P pthread_rwlock_unlock(&w); }"},
    {THEME_LOCKS, 2, "P pthread_mutex_lock(&%m);\nP pthread_mutex_unlock(&%m);"},
    {THEME_LOCKS, 1, "P pthread_mutex_lock(&m0);\nP pthread_mutex_lock(&m1);\n@P pthread_mutex_unlock(&m1);\nP pthread_mutex_unlock(&m0);"},
    {THEME_LOCKS, 1, "P pthread_mutex_lock(&m1);\nP pthread_mutex_lock(&m0);\n@P pthread_mutex_unlock(&m1);\nP pthread_mutex_unlock(&m0);"},

    {THEME_ATOMICS, 3, "P atomic_store_explicit(&%a, #, memory_order_%s);"},
    {THEME_ATOMICS, 2, "P r = atomic_load_explicit(&%a, memory_order_%l);"},
    {THEME_ATOMICS, 4, "P if (atomic_load_explicit(&%a, memory_order_%l)) {\n@}"},
    {THEME_ATOMICS, 1, "P if (!atomic_load_explicit(&%a, memory_order_%l)) {\n@}"},
    {THEME_ATOMICS, 2, "P r = atomic_fetch_add_explicit(&%a, 1, memory_order_%x);"},
    {THEME_ATOMICS, 2, "P if (atomic_exchange_explicit(&%a, #, memory_order_%x)) {\n@}"},
    {THEME_ATOMICS, 2, "P { int e = 0; r = atomic_compare_exchange_strong(&%a, &e, 2); }\nP if (r) {\n@}"},
    {THEME_ATOMICS, 1, "P atomic_thread_fence(memory_order_%x);"},
    {THEME_ATOMICS, 1, "P SPIN(atomic_load_explicit(&%a, memory_order_%l))"},

    {THEME_CONDITIONS, 2, "P pthread_mutex_lock(&m0);\nP while (!a)\n  pthread_cond_wait(&q, &m0);\nP pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 1, "P pthread_mutex_lock(&m0);\nP if (!b)\n  pthread_cond_wait(&q, &m0);\n@P pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 1, "P pthread_mutex_lock(&m0);\nP pthread_cond_wait(&q, &m0);\nP pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 4, "P pthread_mutex_lock(&m0);\nP a = #;\nP pthread_cond_signal(&q);\nP pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 2, "P pthread_mutex_lock(&m0);\nP a = #;\nP pthread_mutex_unlock(&m0);\nP pthread_cond_broadcast(&q);"},
    {THEME_CONDITIONS, 2, "P pthread_cond_signal(&q);"},
    {THEME_CONDITIONS, 2, "P pthread_mutex_lock(&m0);\n@P pthread_cond_broadcast(&q);\nP pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 1, "P a = 1;\nP pthread_mutex_lock(&m0);\nP pthread_mutex_unlock(&m0);\nP pthread_cond_signal(&q);"},

    {THEME_WAITS, 1, "P sem_wait(&s);"},
    {THEME_WAITS, 4, "P sem_post(&s);"},
    {THEME_WAITS, 2, "P if (sem_trywait(&s) == 0) {\n@}"},
    {THEME_WAITS, 1, "P if (sem_trywait(&s)) {\n@}"},
    {THEME_WAITS, 1, "P pthread_barrier_wait(&z);"},

    {THEME_HANDOVER, 2, "P t = make(#);"},
    {THEME_HANDOVER, 3, "P p = t;"},
    {THEME_HANDOVER, 1, "P t = make(#);\nP p = t;\nP USE(t)->y = #;"},
    {THEME_HANDOVER, 4, "P t = p;"},
    {THEME_HANDOVER, 2, "P t = p;\nP if (t)\n  r = USE(t)->x;"},
    {THEME_HANDOVER, 1, "P t = p;\nP p = 0;\nP if (t)\n  FREE(t);"},
    {THEME_HANDOVER, 3, "P pthread_mutex_lock(&%m);\nP t = p;\nP pthread_mutex_unlock(&%m);"},
    {THEME_HANDOVER, 3, "P pthread_mutex_lock(&%m);\nP p = t;\nP pthread_mutex_unlock(&%m);"},
    {THEME_HANDOVER, 2, "P pthread_mutex_lock(&%m);\nP t = p;\nP p = 0;\nP pthread_mutex_unlock(&%m);\nP if (t)\n  FREE(t);"},
    {THEME_HANDOVER, 3, "P pthread_mutex_lock(&%m);\nP if (p)\n  r = USE(p)->x;\nP pthread_mutex_unlock(&%m);"},
    {THEME_HANDOVER, 2, "P pthread_mutex_lock(&%m);\nP if (p)\n  USE(p)->x = #;\nP pthread_mutex_unlock(&%m);"},
    {THEME_HANDOVER, 3, "P t = atomic_load_explicit(&ap, memory_order_%l);"},
    {THEME_HANDOVER, 3, "P atomic_store_explicit(&ap, t, memory_order_%s);"},
    {THEME_HANDOVER, 2, "P t = atomic_exchange_explicit(&ap, 0, memory_order_%x);"},
    {THEME_HANDOVER, 4, "P if (t)\n  r = USE(t)->x;"},
    {THEME_HANDOVER, 4, "P if (t)\n  USE(t)->x = #;"},
    {THEME_HANDOVER, 2, "P if (t)\n  USE(t)->y++;"},
    {THEME_HANDOVER, 3, "P if (t)\n  FREE(t);\nP t = 0;"},
    {THEME_HANDOVER, 1, "P if (t)\n  FREE(t);"},
    {THEME_HANDOVER, 1, "P if (t && USE(t)->x == #) {\n@}"},

    {THEME_LIVES, 3, "P if (atomic_fetch_sub_explicit(&refs, 1, memory_order_%x) == 1)\n  FREE(own);"},
    {THEME_LIVES, 2, "P r = USE(own)->x;"},
    {THEME_LIVES, 2, "P USE(own)->x = #;"},
    {THEME_LIVES, 1, "P FREE(own);"},
    {THEME_LIVES, 2, "P pthread_mutex_lock(&%m);\nP USE(own)->y = #;\nP pthread_mutex_unlock(&%m);"},
    {THEME_LIVES, 2, "P pthread_mutex_lock(&%m);\nP FREE(own);\nP pthread_mutex_unlock(&%m);"},
    {THEME_LIVES, 2, "P pthread_mutex_lock(&%m);\nP r = USE(own)->y;\nP pthread_mutex_unlock(&%m);\nP if (r) {\n@}"},
    {THEME_LIVES, 2, "P ip = &local;"},
    {THEME_LIVES, 1, "P ip = &tl;"},
    {THEME_LIVES, 2, "P { int *i = ip;\n  if (i) r = *i; }"},
    {THEME_LIVES, 1, "P local = #;"},
    {THEME_LIVES, 1, "P tl = #;"},
    {THEME_LIVES, 1, "P pthread_mutex_lock(&%m);\nP ip = &local;\nP pthread_mutex_unlock(&%m);"},
    {THEME_LIVES, 1, "P pthread_mutex_lock(&%m);\nP if (ip)\n  r = *ip;\nP pthread_mutex_unlock(&%m);"},

    {THEME_MISUSE, 1, "P pthread_mutex_unlock(&%m);"},
    {THEME_MISUSE, 1, "P pthread_mutex_destroy(&%m);"},
    {THEME_MISUSE, 2, "P pthread_mutex_lock(&%m);\n@P pthread_mutex_unlock(&%m);"},
    {THEME_MISUSE, 1, "P pthread_mutex_lock(&%m);\nP pthread_mutex_unlock(&%m);\nP pthread_mutex_destroy(&%m);"},
    {THEME_MISUSE, 1, "P pthread_cond_signal(&q);"},
};
#define KINDS (sizeof kinds / sizeof *kinds)

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

static const struct kind *draw(struct writer *w) {
  enum theme theme = w->themes[below(w, 3)];
  unsigned sum = 0;
  for (size_t i = 0; i < KINDS; i++) sum += kinds[i].theme == theme ? kinds[i].weight : 0;
  for (;;) {
    unsigned at = below(w, sum), i = 0;
    for (;; i++) {
      if (kinds[i].theme != theme) continue;
      if (at < kinds[i].weight) break;
      at -= kinds[i].weight;
    }
    if (w->depth >= 2 && strchr(kinds[i].text, '@')) continue;
    if (!w->alone || !strstr(kinds[i].text, "%t")) return &kinds[i];
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

static void put_function(struct writer *w, const char *name, unsigned statements) {
  text_printf(w->out, "static void *%s%u(void *x) { LOCALS\n", name, w->index);
  while (statements-- > 0) put_statement(w);
  text_puts(w->out, "P return 0; }\n");
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
  text_printf(w->out, "  sem_init(&s, 0, %u), pthread_barrier_init(&z, 0, 2), own = make(1);\n", below(w, 2));
  if (below(w, 2)) text_puts(w->out, "  p = make(2), ap = make(3);\n");
  text_printf(w->out, "P pthread_create(&one, 0, first%u, 0);\n", w->index);
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

void programs_write(uint64_t seed, unsigned count, const struct programs_ends *ends, struct text *out) {
  if (ends) text_printf(out, "#define FREED %u\n#define USED %u\n#line 1\n", ends->freed, ends->used);
  size_t begin = out->count;
  text_puts(out, declarations);
  for (unsigned i = 0; i < count; i++) {
    struct writer w = {.state = hash_pair(seed, i), .out = out, .index = i};
    size_t from = out->count;
    put_program(&w);
    if (ends && ends->program >= 0 && (unsigned)ends->program != i) blank(out, from);
  }
  text_puts(out, "static void (*const programs[])(void) = {");
  for (unsigned i = 0; i < count; i++)
    if (!ends || ends->program < 0 || (unsigned)ends->program == i) text_printf(out, "[%u] = program%u, ", i, i);
  text_puts(out, "};\n");
  unsigned lines = 1;
  for (size_t i = begin; i < out->count; i++) lines += out->data[i] == '\n';
  text_printf(out, "enum { LINES = %u };\n", lines + 1);
  text_puts(out, "#ifdef NATIVE\n#include \"" NATIVE_H "\"\n#else\n"
                 "int main(int argc, char **argv) {\n"
                 "  unsigned n = 0; for (const char *t = argv[1]; *t; t++) n = n * 10 + (unsigned)(*t - '0');\n"
                 "  programs[n](); return 0; }\n#endif\n");
}

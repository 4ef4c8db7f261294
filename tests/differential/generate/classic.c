#include "generator.h"

/* What all programs of a file share. Each runs alone, from a fresh state. */
const char classic_declarations[] =
    "#define _GNU_SOURCE\n#include <pthread.h>\n#include <semaphore.h>\n#include <sched.h>\n#include <stdlib.h>\n#include <stdatomic.h>\n"
    "void __hd_output(int, const void *, unsigned long); unsigned __hd_choose(unsigned); void __hd_assume(int);\n"
    "_Noreturn void __hd_fail(const char *, const char *); _Noreturn void __hd_exit(int);\n"
    "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n"
    "static int a, b; static atomic_int c, d; static int *p; static unsigned char bytes[8]; static struct both { int x, y; char z; } "
    "both;\n"
    "static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;\n"
    "static pthread_cond_t q = PTHREAD_COND_INITIALIZER; static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;\n"
    "static sem_t s; static pthread_barrier_t z; static const struct timespec soon;\n"
    "#define LOG(x) (h = h * 31 + (unsigned)(x))\n"
    "static void put(unsigned long x) { char t[17]; for (int i = 0; i < 16; i++) t[i] = \"0123456789abcdef\"[x >> 4 * i & 15]; t[16] = ' ';"
    " __hd_output(1, t, 17); }\n";

static const char *order(struct generator *g) {
  static const char *const orders[] = {"relaxed", "acquire", "release", "seq_cst"};
  return orders[below(g, 4)];
}
static const char *load_order(struct generator *g) { return below(g, 2) ? "acquire" : "relaxed"; }
static const char *plain(struct generator *g) { return below(g, 2) ? "a" : "b"; }
static const char *atomic(struct generator *g) { return below(g, 2) ? "c" : "d"; }
static const char *mutex(struct generator *g) { return below(g, 3) ? "m0" : "m1"; }

static void put_plain(struct generator *g) {
  struct text *o = g->out;
  unsigned value = 1 + below(g, 2);
  switch (below(g, 4)) {
    case 0:
      text_printf(o, "%s = %u;", plain(g), value);
      break;
    case 1:
      text_printf(o, "r = %s; LOG(r);", plain(g));
      break;
    case 2:
      text_printf(o, "%s = r + %u;", plain(g), value);
      break;
    default:
      text_printf(o, "%s++;", plain(g));
      break;
  }
}

static void put_bytes(struct generator *g) {
  static const char *const types[] = {"unsigned char", "unsigned short", "unsigned"};
  const char *type = types[below(g, 3)];
  unsigned at = below(g, 5);
  if (below(g, 2)) {
    text_printf(g->out, "*(%s *)(bytes + %u) = %u;", type, at, 1 + below(g, 9));
  } else {
    text_printf(g->out, "r = (int)*(%s *)(bytes + %u); LOG(r);", type, at);
  }
}

static void put_atomic(struct generator *g) {
  struct text *o = g->out;
  const char *x = atomic(g);
  switch (below(g, 6)) {
    case 0:
      text_printf(o, "atomic_store_explicit(&%s, %u, memory_order_%s);", x, 1 + below(g, 2), below(g, 2) ? "release" : "relaxed");
      break;
    case 1:
      text_printf(o, "r = atomic_load_explicit(&%s, memory_order_%s); LOG(r);", x, load_order(g));
      break;
    case 2:
      text_printf(o, "r = atomic_fetch_add_explicit(&%s, 1, memory_order_%s); LOG(r);", x, order(g));
      break;
    case 3:
      text_printf(o, "{ int e = %u; LOG(atomic_compare_exchange_strong(&%s, &e, 2)); r = e; LOG(r); }", below(g, 2), x);
      break;
    case 4:
      text_printf(o, "r = atomic_exchange_explicit(&%s, %u, memory_order_%s); LOG(r);", x, below(g, 3), order(g));
      break;
    default:
      text_printf(o, "atomic_thread_fence(memory_order_%s);", order(g));
      break;
  }
}

static void put_lock(struct generator *g) {
  struct text *o = g->out;
  const char *m = mutex(g);
  unsigned way = below(g, 6);
  if (way == 0) text_printf(o, "if (pthread_mutex_trylock(&%s) == 0) { ", m);
  if (way == 1) text_printf(o, "if (pthread_mutex_timedlock(&%s, &soon) == 0) { ", m);
  if (way > 1) text_printf(o, "pthread_mutex_lock(&%s); { ", m);
  put_statements(g, 2);
  text_printf(o, " pthread_mutex_unlock(&%s); }", m);
  if (way < 2) text_puts(o, " else LOG(77);");
}

static void put_condition(struct generator *g) {
  struct text *o = g->out;
  switch (below(g, 5)) {
    case 0:
      text_puts(o, "pthread_mutex_lock(&m0); while (!a) pthread_cond_wait(&q, &m0); LOG(a); pthread_mutex_unlock(&m0);");
      break;
    case 1:
      text_puts(o, "pthread_mutex_lock(&m0); if (!a) LOG(pthread_cond_timedwait(&q, &m0, &soon)); pthread_mutex_unlock(&m0);");
      break;
    case 2:
      text_puts(o, "pthread_mutex_lock(&m0); a = 1; pthread_cond_signal(&q); pthread_mutex_unlock(&m0);");
      break;
    case 3:
      text_puts(o, "pthread_mutex_lock(&m0); a = 1; pthread_mutex_unlock(&m0); pthread_cond_broadcast(&q);");
      break;
    default:
      text_puts(o, "pthread_cond_signal(&q);");
      break;
  }
}

static void put_semaphore(struct generator *g) {
  static const char *const ways[] = {"sem_post(&s);",
                                     "sem_post(&s);",
                                     "sem_wait(&s);",
                                     "LOG(sem_trywait(&s));",
                                     "{ int v; sem_getvalue(&s, &v); LOG(v); }",
                                     "LOG(sem_timedwait(&s, &soon));"};
  text_puts(g->out, ways[below(g, 6)]);
}

static void put_rwlock(struct generator *g) {
  static const char *const ways[] = {"pthread_rwlock_rdlock(&w); { ", "pthread_rwlock_wrlock(&w); { ",
                                     "if (pthread_rwlock_trywrlock(&w) == 0) { ", "if (pthread_rwlock_tryrdlock(&w) == 0) { "};
  unsigned way = below(g, 4);
  text_puts(g->out, ways[way]);
  put_statements(g, 2);
  text_puts(g->out, " pthread_rwlock_unlock(&w); }");
  if (way > 1) text_puts(g->out, " else LOG(78);");
}

static void put_spin(struct generator *g) {
  if (below(g, 3) == 0) { /* a lock */
    const char *x = atomic(g);
    text_printf(g->out, "while (atomic_exchange(&%s, 1)) ; { ", x);
    put_statements(g, 1);
    text_printf(g->out, " atomic_store(&%s, 0); }", x);
    return;
  }
  text_printf(g->out,
              below(g, 3) ? "while (!atomic_load_explicit(&%s, memory_order_%s)) ; LOG(79);"
                          : "{ int e = 0; while (!atomic_compare_exchange_weak_explicit(&%s, &e, 1, memory_order_seq_cst, "
                            "memory_order_%s)) e = 0; LOG(80); }",
              atomic(g), load_order(g));
}

/* Loops over several locations: until one of them, until both, until they differ; with an update in the loop that may succeed, fail or
 * leave the value as it was. */
static void put_poll(struct generator *g) {
  static const char *const loops[] = {
      "while (!atomic_load(&c) && !atomic_load(&d)) ;",
      "while (!atomic_load(&c) || !atomic_load(&d)) ;",
      "while (atomic_load(&c) == atomic_load(&d)) ;",
      "while (atomic_load(&c) != 1 && (r = atomic_load(&d)) != 2) ; LOG(r);",
      "for (int e = 0; !atomic_load(&d) && !atomic_compare_exchange_strong(&c, &e, 1); e = 0) ;",
      "for (;;) { int e = atomic_load(&c); if (atomic_load(&d)) break; if (atomic_compare_exchange_strong(&c, &e, 2)) break; }",
      "for (;;) { int e = atomic_load(&c), f = atomic_load(&d); if (f) { if (atomic_compare_exchange_strong(&d, &f, 0)) break; } "
      "else if (atomic_compare_exchange_strong(&c, &e, e + 1)) break; }",
      "while (atomic_exchange(&c, 1) && !atomic_load(&d)) ;",
  };
  text_puts(g->out, loops[below(g, sizeof loops / sizeof *loops)]);
  text_puts(g->out, " LOG(81);");
}

/* Loads and stores of all orders, and what orders them. */
static void put_store(struct generator *g) {
  static const char *const stores[] = {"relaxed", "relaxed", "relaxed", "release", "seq_cst"};
  static const char *const fences[] = {"acquire", "release", "acq_rel", "seq_cst", "seq_cst"};
  struct text *o = g->out;
  unsigned way = below(g, 30);
  switch (way < 14 ? way % 9 : way - 14) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      text_printf(o, "atomic_store_explicit(&%s, %u, memory_order_%s);", atomic(g), 1 + below(g, 3), stores[below(g, 5)]);
      break;
    case 5:
    case 6:
    case 7:
    case 8:
      text_printf(o, "r = atomic_load_explicit(&%s, memory_order_%s); LOG(r);", atomic(g), load_order(g));
      break;
    case 9:
      text_printf(o, "%s = %u;", plain(g), 1 + below(g, 3));
      break;
    case 10:
      text_printf(o, "r = %s; LOG(r);", plain(g));
      break;
    case 11:
      text_printf(o, "atomic_thread_fence(memory_order_%s);", fences[below(g, 5)]);
      break;
    case 12:
    case 13:
      put_bytes(g);
      break;
    case 14:
      text_printf(o, "{ struct both x = {%u, %u}; both = x; }", 1 + below(g, 3), 1 + below(g, 3));
      break;
    default:
      text_printf(o, below(g, 2) ? "r = both.x; LOG(r);" : "{ struct both x = both; LOG(x.x + 5 * x.y); }");
      break;
  }
}

/* What lets a polling thread go on, or makes it wait again. */
static void put_pulse(struct generator *g) {
  const char *x = atomic(g);
  text_printf(g->out, "atomic_store(&%s, %u);", x, below(g, 3));
  if (below(g, 2)) text_printf(g->out, " atomic_store(&%s, %u);", below(g, 2) ? x : atomic(g), below(g, 2));
}

static void put_end(struct generator *g) {
  struct text *o = g->out;
  switch (below(g, 5)) {
    case 0:
      text_printf(o, "if (r == %u) __hd_fail(\"assertion\", \"r\");", 1 + below(g, 2));
      break;
    case 1:
      text_printf(o, "if (r == %u) __hd_exit(3);", 1 + below(g, 2));
      break;
    case 2:
      text_printf(o, "__hd_assume(r != %u);", 1 + below(g, 2));
      break;
    case 3:
      text_printf(o, "if (r == %u) pthread_exit((void *)h);", 1 + below(g, 2));
      break;
    default:
      text_puts(o, below(g, 2) ? "free(p);" : "*p = 1;");
      break;
  }
}

static void put_section(struct generator *g) {
  unsigned way = below(g, 6);
  bool conditional = way < 4;
  text_puts(g->out, "__VERIFIER_atomic_begin(); ");
  if (way == 0) text_puts(g->out, "if ((r = (int)__hd_choose(2))) { ");
  if (way > 0 && conditional) text_printf(g->out, "if (%s == %u) { ", plain(g), below(g, 2));
  put_plain(g);
  put_plain(g);
  if (conditional) text_puts(g->out, " }");
  text_puts(g->out, " __VERIFIER_atomic_end();");
}

static void put_branch(struct generator *g) {
  text_printf(g->out, "if (r == %u) { ", below(g, 3));
  put_statements(g, 1);
  text_puts(g->out, " } else { ");
  put_statements(g, 1);
  text_puts(g->out, " }");
}

/* A thread that a thread makes. */
static void put_child(struct generator *g) {
  text_printf(g->out, "{ pthread_t t; void *x; pthread_create(&t, 0, child%u, 0); ", g->index);
  put_statements(g, 1);
  text_puts(g->out, " pthread_join(t, &x); LOG((unsigned long)x); }");
}

/* Loops that do something, for ever or until something else happens. */
static void put_loop(struct generator *g) {
  struct text *o = g->out;
  switch (below(g, 4)) {
    case 0:
      text_printf(o, "for (;;) { LOG(atomic_load(&%s)); ", atomic(g)); /* with a step, at least, or it would never end */
      break;
    case 1:
      text_printf(o, "for (int i = 0; i < %u; i++) { ", 1 + below(g, 4));
      break;
    case 2:
      text_printf(o, "while (atomic_fetch_add(&%s, 1) < %u) { ", atomic(g), 1 + below(g, 3));
      break;
    default:
      text_printf(o, "while (atomic_load(&%s) != %u) { ", atomic(g), 1 + below(g, 3));
      break;
  }
  put_statement(g);
  if (below(g, 3) == 0) text_printf(o, " if (r == %u) break;", below(g, 3));
  text_puts(o, " }");
}

/* long: one case a kind */
void classic_statement(struct generator *g) {
  text_puts(g->out, " ");
  if (g->loops && g->depth < 2 && below(g, 3) == 0) {
    g->depth++;
    put_loop(g);
    g->depth--;
    text_puts(g->out, "\n");
    return;
  }
  if (g->stores && below(g, 6)) {
    put_store(g);
    text_puts(g->out, "\n");
    return;
  }
  if (g->polling && below(g, 6)) {
    if (below(g, 2)) {
      put_poll(g);
    } else {
      put_pulse(g);
    }
    text_puts(g->out, "\n");
    return;
  }
  switch (below(g, g->depth > 1 ? 8 : 24)) {
    case 0:
    case 1:
    case 2:
      put_plain(g);
      break;
    case 3:
    case 4:
    case 5:
      put_atomic(g);
      break;
    case 6:
      put_bytes(g);
      break;
    case 7:
      put_end(g);
      break;
    case 8:
    case 9:
    case 10:
    case 11:
      put_lock(g);
      break;
    case 12:
    case 13:
      put_condition(g);
      break;
    case 14:
    case 15:
      put_semaphore(g);
      break;
    case 16:
    case 17:
      put_rwlock(g);
      break;
    case 18:
      text_puts(g->out, below(g, 2) ? "pthread_barrier_wait(&z);" : "LOG(pthread_barrier_wait(&z));");
      break;
    case 19:
      text_printf(g->out, "r = (int)__hd_choose(%u); LOG(r);", 2 + below(g, 2));
      break;
    case 20:
      put_spin(g);
      break;
    case 21:
      put_section(g);
      break;
    case 22:
      put_branch(g);
      break;
    default:
      if (g->thread == 1 && g->threads == 2) {
        put_child(g);
      } else {
        text_puts(g->out, "sched_yield();");
      }
      break;
  }
  text_puts(g->out, "\n");
}

static void begin_function(struct generator *g, const char *name) {
  text_printf(g->out, "static void *%s%u(void *x) { int r = 0; unsigned long h = 1; (void)r;\n", name, g->index);
}

static void end_function(struct generator *g) { text_puts(g->out, " return (void *)h; }\n"); }

void classic_program(struct generator *g) {
  struct text *o = g->out;
  g->threads = 2 + below(g, 2);
  g->polling = below(g, 5) == 0 && !g->stores;
  begin_function(g, "child");
  g->thread = 9;
  put_plain(g);
  end_function(g);
  for (g->thread = 1; g->thread < g->threads; g->thread++) {
    begin_function(g, g->thread == 1 ? "first" : "second");
    for (unsigned n = 1 + below(g, g->threads == 2 ? 3 : 2) + g->stores; n > 0; n--) put_statement(g);
    end_function(g);
  }
  text_printf(o, "static void program%u(void) { int r = 0; unsigned long h = 1; pthread_t t[2]; void *x;\n", g->index);
  text_printf(o, " sem_init(&s, 0, %u); pthread_barrier_init(&z, 0, %u); p = malloc(4); (void)r;\n", below(g, 2), 1 + below(g, 2));
  static const char *const names[] = {"first", "second"};
  for (unsigned i = 1; i < g->threads; i++) text_printf(o, " pthread_create(&t[%u], 0, %s%u, 0);\n", i - 1, names[i - 1], g->index);
  g->thread = 0;
  for (unsigned n = below(g, 3) + (g->stores && g->threads == 2); n > 0; n--) put_statement(g);
  if (below(g, 8) == 0) text_puts(o, " return;\n"); /* others may still run */
  for (unsigned i = 1; i < g->threads; i++) text_printf(o, " pthread_join(t[%u], &x); put((unsigned long)x);\n", i - 1);
  text_puts(o,
            " put(h); put((unsigned)a); put((unsigned)b); put((unsigned)c); put((unsigned)d); put(*(unsigned long *)bytes); "
            "put((unsigned)both.x);\n}\n\n");
}

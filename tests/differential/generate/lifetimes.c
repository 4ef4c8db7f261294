/* Memory of one thread that others reach: locals of a scope or a function, thread-locals, what a thread waits for on its own stack. The
 * others come while it is there, or later. */
#include "generator.h"

static const char declarations[] =
    "static int *_Atomic at; static __thread int own = 1; static int *plain_at;\n"
    "struct waiter { pthread_mutex_t m; pthread_cond_t q; sem_t s; atomic_int flag; int done; };\n"
    "static struct waiter *_Atomic waiter;\n"
    "static void *user(void *x) { int *u = x; *u = 2; return 0; }\n"
    "static void *reader(void *x) { int *u = x; return (void *)(unsigned long)*u; }\n";

static void put_publish(struct generator *g, const char *address) {
  unsigned way = g->flavour % 7;
  if (way == 6)
    text_printf(g->out, "plain_at = %s;", address);
  else
    text_printf(g->out, "atomic_store_explicit(&at, %s, memory_order_%s);", address, way < 4 ? "seq_cst" : "relaxed");
}

static const char *published(const struct generator *g) { return g->flavour % 7 < 6 ? "atomic_load(&at)" : "plain_at"; }

/* A local of a scope within the function. */
static void put_scope(struct generator *g) {
  text_puts(g->out, "{ int l = 1; ");
  put_publish(g, "&l");
  put_statements(g, 1);
  if (below(g, 3) == 0) text_puts(g->out, " LOG(l);");
  if (below(g, 3) == 0) put_publish(g, "0");
  text_puts(g->out, " }");
}

/* A local of a function, which may have arrays of a size that is not known. */
static void put_function(struct generator *g) {
  struct helper x;
  helper_begin(g, &x);
  switch (below(g, 3)) {
    case 0:
      text_puts(g->out, " int l = 1; ");
      put_publish(g, "&l");
      break;
    case 1:
      text_puts(g->out, " int l[2] = {1, 2}; ");
      put_publish(g, "&l[1]");
      break;
    default:
      text_printf(g->out, " int l[(unsigned)r %% 2 + %u]; l[0] = 1; ", 1 + below(g, 2));
      put_publish(g, "l");
      break;
  }
  put_statements(g, 1);
  if (below(g, 3) == 0) put_publish(g, "0");
  helper_end(g, &x);
}

static void put_thread_local(struct generator *g) {
  if (below(g, 3) == 0) text_printf(g->out, "own = %u; ", 2 + below(g, 2));
  put_publish(g, "&own");
  if (below(g, 4) == 0) text_puts(g->out, " LOG(own);");
}

static void put_use(struct generator *g) {
  static const char *const ways[] = {"*u = 2;", "r = *u; LOG(r);", "++*u;", "LOG(atomic_fetch_add((atomic_int *)u, 1));"};
  text_printf(g->out, "{ int *u = %s; if (u) { %s } }", published(g), ways[below(g, 4)]);
}

/* A local of one of several calls of the same function. */
static void put_recursion(struct generator *g) {
  unsigned name = g->names++;
  text_printf(g->helpers, "static __attribute__((noinline)) int deeper%u_%u(int n) { int l = n; if (n == %u) { ", g->index, name, below(g, 2));
  struct text *caller = g->out;
  g->out = g->helpers;
  put_publish(g, "&l");
  g->out = caller;
  text_printf(g->helpers, " } return n > 0 ? deeper%u_%u(n - 1) + l : l; }\n", g->index, name);
  text_printf(g->out, "r = deeper%u_%u(%u); LOG(r);", g->index, name, 1 + below(g, 2));
}

/* The classic one: what a thread waits for lies on its stack, and it goes when it has been told; who tells it may touch that once more. */
static void put_wait(struct generator *g) {
  static const char *const ways[] = {
      "pthread_mutex_lock(&l.m); while (!l.done) pthread_cond_wait(&l.q, &l.m); pthread_mutex_unlock(&l.m);",
      "sem_wait(&l.s);",
      "while (!atomic_load(&l.flag)) ;",
      "pthread_mutex_lock(&l.m); r = l.done; pthread_mutex_unlock(&l.m); LOG(r);",
  };
  struct helper x;
  helper_begin(g, &x);
  text_puts(g->out,
            " struct waiter l = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER}; sem_init(&l.s, 0, 0); "
            "atomic_store(&waiter, &l);\n ");
  text_puts(g->out, ways[g->flavour / 7 % 4]);
  if (below(g, 4) == 0) text_puts(g->out, " pthread_mutex_destroy(&l.m); sem_destroy(&l.s);");
  if (below(g, 4) == 0) text_puts(g->out, " atomic_store(&waiter, 0);");
  helper_end(g, &x);
}

static void put_tell(struct generator *g) {
  static const char *const ways[] = {
      "pthread_mutex_lock(&u->m); u->done = 1; pthread_cond_signal(&u->q); pthread_mutex_unlock(&u->m);",
      "sem_post(&u->s);",
      "atomic_store(&u->flag, 1);",
      "pthread_mutex_lock(&u->m); u->done = 1; pthread_mutex_unlock(&u->m);",
  };
  static const char *const more[] = {"", "", "", " r = u->done; LOG(r);", " pthread_cond_signal(&u->q);", " atomic_store(&u->flag, 2);"};
  text_puts(g->out, "{ struct waiter *u = atomic_load(&waiter); if (u) { ");
  text_puts(g->out, ways[g->flavour / 7 % 4]);
  text_printf(g->out, "%s } }", more[below(g, 6)]);
}

/* A thread that is given a local, and may outlive it. */
static void put_given(struct generator *g) {
  bool joins = below(g, 3) == 0;
  text_printf(g->out, "{ int l = 1; pthread_t t; pthread_create(&t, 0, %s, &l); ", below(g, 2) ? "user" : "reader");
  if (!joins) text_puts(g->out, "pthread_detach(t); ");
  put_statements(g, 1);
  text_puts(g->out, joins ? " pthread_join(t, 0); }" : " }");
}

static const struct statement_kind kinds[] = {
    {3, .put = put_scope, .nests = true},
    {3, .put = put_function, .nests = true},
    {1, .put = put_recursion},
    {3, .put = put_thread_local},
    {6, .put = put_use},
    {2, .put = put_wait},
    {3, .put = put_tell},
    {1, .put = put_given, .nests = true},
};
const struct statement_family family_lifetimes = {declarations, NULL, kinds, sizeof kinds / sizeof *kinds};

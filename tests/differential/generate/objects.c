/* Locks, conditions and the like from their initialisation to their end, by threads that may not wait for each other. */
#include "generator.h"

/* With SHADOW (shadows.c), a plain variable beside each object is written where that begins or ends and read where it is used. */
static const char declarations[] =
    "#include <threads.h>\n"
    "#ifdef SHADOW\nstatic int shadow[8];\n#define CHANGED(i) (shadow[i] = 1)\n#define USED(i) ((void)*(volatile int *)&shadow[i])\n"
    "#else\n#define CHANGED(i) ((void)0)\n#define USED(i) ((void)0)\n#endif\n"
    "static pthread_mutex_t om; static pthread_rwlock_t ow; static pthread_cond_t oq; static pthread_barrier_t oz; static sem_t os; "
    "static pthread_spinlock_t ol; static pthread_once_t oo; static pthread_key_t ok; static pthread_mutex_t *heaped; "
    "static mtx_t om11; static cnd_t oq11; static tss_t ok11; static once_flag oo11; static sem_t *posted;\n"
    "static void mutex_of(int type) { pthread_mutexattr_t t; pthread_mutexattr_init(&t); pthread_mutexattr_settype(&t, type); "
    "pthread_mutex_init(&om, &t); pthread_mutexattr_destroy(&t); }\n"
    "static void once(void) { a++; } static void once11(void) { b++; }\n";

#define WAYS 5u
static const struct object {
  const char *init[WAYS], *use[WAYS], *destroy[WAYS]; /* unused ones are NULL */
} objects[] = {
    {{"pthread_mutex_init(&om, 0);", "mutex_of(PTHREAD_MUTEX_RECURSIVE);", "mutex_of(PTHREAD_MUTEX_ERRORCHECK);",
      "om = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;"},
     {"pthread_mutex_lock(&om); a++; pthread_mutex_unlock(&om);", "if (!pthread_mutex_trylock(&om)) pthread_mutex_unlock(&om);",
      "LOG(pthread_mutex_lock(&om)); LOG(pthread_mutex_unlock(&om));", "pthread_mutex_lock(&om);", "LOG(pthread_mutex_unlock(&om));"},
     {"pthread_mutex_destroy(&om);", "LOG(pthread_mutex_destroy(&om));"}},
    {{"pthread_rwlock_init(&ow, 0);", "ow = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;"},
     {"pthread_rwlock_rdlock(&ow); r = a; pthread_rwlock_unlock(&ow); LOG(r);",
      "pthread_rwlock_wrlock(&ow); a++; pthread_rwlock_unlock(&ow);", "if (!pthread_rwlock_tryrdlock(&ow)) pthread_rwlock_unlock(&ow);",
      "if (!pthread_rwlock_trywrlock(&ow)) pthread_rwlock_unlock(&ow);"},
     {"pthread_rwlock_destroy(&ow);"}},
    {{"pthread_cond_init(&oq, 0);", "oq = (pthread_cond_t)PTHREAD_COND_INITIALIZER;"},
     {"pthread_cond_signal(&oq);", "pthread_cond_broadcast(&oq);",
      "pthread_mutex_lock(&m0); LOG(pthread_cond_timedwait(&oq, &m0, &soon)); pthread_mutex_unlock(&m0);",
      "pthread_mutex_lock(&m0); a = 1; pthread_cond_signal(&oq); pthread_mutex_unlock(&m0);",
      "pthread_mutex_lock(&m0); while (!a) pthread_cond_wait(&oq, &m0); pthread_mutex_unlock(&m0);"},
     {"pthread_cond_destroy(&oq);"}},
    {{"pthread_barrier_init(&oz, 0, 1);", "pthread_barrier_init(&oz, 0, 2);"},
     {"pthread_barrier_wait(&oz);", "LOG(pthread_barrier_wait(&oz));"},
     {"pthread_barrier_destroy(&oz);"}},
    {{"sem_init(&os, 0, 0);", "sem_init(&os, 0, 1);"},
     {"sem_post(&os);", "LOG(sem_trywait(&os));", "LOG(sem_wait(&os));", "{ int v; sem_getvalue(&os, &v); LOG(v); }",
      "LOG(sem_timedwait(&os, &soon));"},
     {"sem_destroy(&os);"}},
    {{"pthread_spin_init(&ol, 0);"},
     {"pthread_spin_lock(&ol); a++; pthread_spin_unlock(&ol);", "if (!pthread_spin_trylock(&ol)) pthread_spin_unlock(&ol);"},
     {"pthread_spin_destroy(&ol);"}},
    {{"oo = PTHREAD_ONCE_INIT;"}, {"pthread_once(&oo, once);"}, {NULL}},
    {{"mtx_init(&om11, mtx_plain);", "mtx_init(&om11, mtx_plain | mtx_recursive);", "mtx_init(&om11, mtx_timed);"},
     {"mtx_lock(&om11); a++; mtx_unlock(&om11);", "if (mtx_trylock(&om11) == thrd_success) mtx_unlock(&om11);",
      "LOG(mtx_timedlock(&om11, &soon));", "LOG(mtx_unlock(&om11));"},
     {"mtx_destroy(&om11);"}},
    {{"cnd_init(&oq11);"},
     {"cnd_signal(&oq11);", "cnd_broadcast(&oq11);", "mtx_lock((mtx_t *)&m0); LOG(cnd_timedwait(&oq11, (mtx_t *)&m0, &soon)); mtx_unlock((mtx_t *)&m0);"},
     {"cnd_destroy(&oq11);"}},
    {{"LOG(tss_create(&ok11, 0));"}, {"tss_set(ok11, &a);", "LOG(tss_get(ok11) != 0);"}, {"tss_delete(ok11);"}},
    {{"oo11 = (once_flag)ONCE_FLAG_INIT;"}, {"call_once(&oo11, once11);"}, {NULL}},
    {{"{ sem_t *n = malloc(sizeof *n); sem_init(n, 0, 0); __atomic_store_n(&posted, n, __ATOMIC_SEQ_CST); }"},
     {"{ sem_t *n = __atomic_load_n(&posted, __ATOMIC_SEQ_CST); if (n) sem_post(n); }",
      "{ sem_t *n = __atomic_load_n(&posted, __ATOMIC_SEQ_CST); if (n) { sem_wait(n); sem_destroy(n); free(n); } }",
      "{ sem_t *n = __atomic_load_n(&posted, __ATOMIC_SEQ_CST); if (n) LOG(sem_trywait(n)); }"},
     {"{ sem_t *n = __atomic_exchange_n(&posted, 0, __ATOMIC_SEQ_CST); if (n) { sem_destroy(n); free(n); } }"}},
    {{"LOG(pthread_key_create(&ok, 0));"},
     {"pthread_setspecific(ok, &a);", "LOG(pthread_getspecific(ok) != 0);"},
     {"LOG(pthread_key_delete(ok));"}},
    {{"{ pthread_mutex_t *n = malloc(sizeof *n); pthread_mutex_init(n, 0); __atomic_store_n(&heaped, n, __ATOMIC_SEQ_CST); }"},
     {"{ pthread_mutex_t *n = __atomic_load_n(&heaped, __ATOMIC_SEQ_CST); if (n) { pthread_mutex_lock(n); a++; pthread_mutex_unlock(n); } "
      "}",
      "{ pthread_mutex_t *n = __atomic_load_n(&heaped, __ATOMIC_SEQ_CST); if (n && !pthread_mutex_trylock(n)) pthread_mutex_unlock(n); }",
      "{ pthread_mutex_t *n = __atomic_load_n(&heaped, __ATOMIC_SEQ_CST); atomic_fetch_add(&c, 1); pthread_mutex_lock(n); "
      "pthread_mutex_unlock(n); }"},
     {"{ pthread_mutex_t *n = __atomic_exchange_n(&heaped, 0, __ATOMIC_SEQ_CST); if (n) { pthread_mutex_destroy(n); free(n); } }",
      "free(__atomic_exchange_n(&heaped, 0, __ATOMIC_SEQ_CST));",
      "{ pthread_mutex_t *n = __atomic_exchange_n(&heaped, 0, __ATOMIC_SEQ_CST); if (n) { pthread_mutex_lock(n); pthread_mutex_unlock(n); "
      "free(n); } }"}},
};
#define OBJECTS (sizeof objects / sizeof *objects)
#define SHADOWS 6u /* objects that lie in one place and are nobody else's to protect: the first */

/* Most of a program's statements are about one kind of object. */
static const struct object *object(struct generator *g) { return &objects[below(g, 5) ? g->flavour % OBJECTS : below(g, OBJECTS)]; }

static void put_way(struct generator *g, const struct object *o, const char *const ways[WAYS]) {
  unsigned n = 0, i = (unsigned)(o - objects);
  while (n < WAYS && ways[n]) n++;
  if (i < SHADOWS) text_printf(g->out, "%s(%u); ", ways == o->use ? "USED" : "CHANGED", i);
  text_puts(g->out, n ? ways[below(g, n)] : ";");
}

static void put_init(struct generator *g) {
  const struct object *o = object(g);
  put_way(g, o, o->init);
}

static void put_object(struct generator *g) {
  const struct object *o = object(g);
  put_way(g, o, o->use);
}

static void put_destroy(struct generator *g) {
  const struct object *o = object(g);
  put_way(g, o, o->destroy);
}

/* One thread makes it, and tells the others by a flag, properly or not. */
static void put_told(struct generator *g) {
  static const char *const flags[] = {"atomic_store(&c, 1);", "a = 1;"};
  static const char *const seen[] = {"if (atomic_load(&c)) { ", "if (a) { ", "while (!atomic_load(&c)) ; { "};
  const struct object *o = object(g);
  if (below(g, 2)) {
    put_way(g, o, o->init);
    text_printf(g->out, " %s", flags[below(g, 2)]);
    return;
  }
  text_puts(g->out, seen[below(g, 3)]);
  put_way(g, o, o->use);
  text_puts(g->out, " }");
}

static const struct statement_kind kinds[] = {
    {3, .put = put_init},
    {5, .put = put_object},
    {2, .put = put_destroy},
    {2, .put = put_told},
};
const struct statement_family family_objects = {declarations, NULL, kinds, sizeof kinds / sizeof *kinds};

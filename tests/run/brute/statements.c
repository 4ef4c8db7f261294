#include "statements.h"

/* Both sides see the same statements. `P` stands before each of them: a random pause in native runs, which notes that the line was reached,
 * and nothing for `heddle check`. With ENDS the end of a block is a write to all of it, so that what comes behind a use after free is
 * explored, too; a use on line USED of a block whose end was on line FREED is an abort(). */
const char statement_declarations[] =
    "#define _GNU_SOURCE\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#include <time.h>\n"
    "#ifdef NATIVE\n#define P pause_here(__LINE__);\n"
    "__attribute__((no_sanitize(\"thread\"), noinline)) static void pause_here(int line);\n"
    "__attribute__((no_sanitize(\"thread\"), noinline)) static void idle(void);\n#define SPIN(x) while (!(x)) idle();\n"
    "#else\n#define P\n#define SPIN(x) while (!(x)) ;\n#endif\n"
    "#ifdef REFUSES\nunsigned hd_choose(unsigned n);\n#define MAY(x) (hd_choose(2) ? 16 : (x))\n"
    "#define pthread_mutex_trylock(m) MAY(pthread_mutex_trylock(m))\n#define pthread_spin_trylock(l) MAY(pthread_spin_trylock(l))\n"
    "#define pthread_rwlock_tryrdlock(l) MAY(pthread_rwlock_tryrdlock(l))\n"
    "#define pthread_rwlock_trywrlock(l) MAY(pthread_rwlock_trywrlock(l))\n#endif\n"
    "struct block { long pad[2]; int x, y; struct block *next; };\n"
    "#define LOCALS volatile int r = 0; int local = 1, n = 0; struct block *t = 0; (void)r, (void)t, (void)local, (void)n;\n"
    "#ifdef ENDS\n"
    "static struct block *use(struct block *t, int ends) {\n"
    "  if (ends && __atomic_load_n(&t->pad[0], __ATOMIC_RELAXED)) abort();\n  return t; }\n"
    "#define USE(t) use(t, __LINE__ == USED)\n"
    "#define MARK(t) (__LINE__ == FREED ? __atomic_store_n(&(t)->pad[0], 1, __ATOMIC_RELAXED) : (void)0)\n"
    "#define FREE(t) (USE(t)->pad[1] = 0, (t)->x = (t)->x, (t)->y = (t)->y, MARK(t))\n"
    "#define FREE_GUARDED (guarded->n = guarded->n)\n"
    "#else\n#define USE(t) (t)\n#define FREE(t) free(t)\n#define FREE_GUARDED free(guarded)\n#endif\n"
    "static int a, b; static struct { unsigned char c[4]; short s; } bytes; static atomic_int c, d, lk, refs = 2;\n"
    "static struct block *p, *own; static struct block *_Atomic ap; static int *ip; static _Thread_local int tl;\n"
    "static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;\n"
    "static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER; static pthread_cond_t q = PTHREAD_COND_INITIALIZER;\n"
    "static sem_t s; static pthread_barrier_t z;\n"
    "#ifdef REUSE\n" /* as the C library does: of the blocks that this thread has ended, or any, the last one is allocated again */
    "static REUSE struct block *ended;\n"
    "#undef FREE\n"
    "#define FREE(t) (USE(t)->pad[1] = 0, (t)->x = (t)->x, (t)->y = (t)->y, MARK(t), __atomic_store_n(&ended, t, __ATOMIC_RELAXED))\n"
    "static struct block *allocate(void) {\n"
    "  struct block *t = __atomic_exchange_n(&ended, 0, __ATOMIC_RELAXED);\n  return t ? t : malloc(sizeof *t); }\n"
    "#else\n#define allocate() malloc(sizeof(struct block))\n#endif\n"
    "static struct block *make(int x) { struct block *t = allocate(); t->pad[0] = t->pad[1] = 0; t->x = x;\n"
    "  t->y = 0, t->next = 0; return t; }\n"
    "static union { long long l; int i[2]; unsigned char c[8]; } wide; static volatile int vf;\n"
    "static struct { pthread_mutex_t m; int n; } *guarded;\n"
    "static pthread_mutex_t m3 = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; static pthread_spinlock_t sp;\n"
    "static pthread_cond_t q1 = PTHREAD_COND_INITIALIZER; static sem_t s1; static pthread_once_t o; static pthread_key_t k;\n"
    "static void prepare(int posts, void (*release)(void *)) {\n"
    "  sem_init(&s, 0, (unsigned)posts), sem_init(&s1, 0, 1), pthread_barrier_init(&z, 0, 2), pthread_spin_init(&sp, 0);\n"
    "  pthread_key_create(&k, release), own = make(1), guarded = malloc(sizeof *guarded);\n"
    "  pthread_mutex_init(&guarded->m, 0), guarded->n = 2; }\n"
    "#ifdef NATIVE\n__attribute__((no_sanitize(\"thread\"), noinline)) static const struct timespec *soon(void);\n"
    "#else\nstatic const struct timespec *soon(void) { static const struct timespec t = {4000000000, 0}; return &t; }\n#endif\n";

const struct statement statements[] = {
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
    {THEME_PLAIN, 2, "P for (int i = 0; i < 2; i++) {\n@}"},
    {THEME_PLAIN, 1, "P if (!r) {\n@}"},
    {THEME_PLAIN, 1, "P wide.l = #;"},
    {THEME_PLAIN, 1, "P wide.i[#-1] = #;"},
    {THEME_PLAIN, 1, "P r = wide.i[#-1];"},
    {THEME_PLAIN, 1, "P wide.c[#]++;"},
    {THEME_PLAIN, 1, "P r = (int)wide.l;"},
    {THEME_PLAIN, 1, "P memset(&wide, #, sizeof wide);"},
    {THEME_PLAIN, 1, "P memcpy(&wide, &bytes, 4);"},
    {THEME_PLAIN, 1, "P vf = #;"},
    {THEME_PLAIN, 1, "P if (vf) {\n@}"},
    {THEME_PLAIN, 1, "P %v = vf;"},

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
    {THEME_LOCKS, 1, "P pthread_spin_lock(&sp);\n@P pthread_spin_unlock(&sp);"},
    {THEME_LOCKS, 1, "P if (pthread_spin_trylock(&sp) == 0) {\n@P pthread_spin_unlock(&sp); }"},
    {THEME_LOCKS, 1, "P pthread_mutex_lock(&m3);\nP pthread_mutex_lock(&m3);\n@P pthread_mutex_unlock(&m3);\n"
     "@P pthread_mutex_unlock(&m3);"},
    {THEME_LOCKS, 1, "P if (pthread_mutex_timedlock(&%m, soon()) == 0) {\n@P pthread_mutex_unlock(&%m); }"},
    {THEME_LOCKS, 1, "P pthread_mutex_lock(&m0);\n@P pthread_mutex_lock(&m1);\nP pthread_mutex_unlock(&m0);\n"
     "@P pthread_mutex_unlock(&m1);"},
    {THEME_LOCKS, 1, "P pthread_rwlock_rdlock(&w);\nP r = %v;\nP pthread_rwlock_unlock(&w);\nP if (r) {\n@}"},
    {THEME_LOCKS, 1, "P pthread_rwlock_wrlock(&w);\nP %v = #;\nP pthread_rwlock_unlock(&w);"},
    {THEME_LOCKS, 1, "P %v = #;\nP pthread_mutex_lock(&%m);\nP pthread_mutex_unlock(&%m);"},
    {THEME_LOCKS, 1, "P pthread_mutex_lock(&%m);\nP pthread_mutex_unlock(&%m);\nP r = %v;"},

    {THEME_ATOMICS, 3, "P atomic_store_explicit(&%a, #, memory_order_%s);"},
    {THEME_ATOMICS, 2, "P r = atomic_load_explicit(&%a, memory_order_%l);"},
    {THEME_ATOMICS, 4, "P if (atomic_load_explicit(&%a, memory_order_%l)) {\n@}"},
    {THEME_ATOMICS, 1, "P if (!atomic_load_explicit(&%a, memory_order_%l)) {\n@}"},
    {THEME_ATOMICS, 2, "P r = atomic_fetch_add_explicit(&%a, 1, memory_order_%x);"},
    {THEME_ATOMICS, 2, "P if (atomic_exchange_explicit(&%a, #, memory_order_%x)) {\n@}"},
    {THEME_ATOMICS, 2, "P { int e = 0; r = atomic_compare_exchange_strong(&%a, &e, 2); }\nP if (r) {\n@}"},
    {THEME_ATOMICS, 1, "P atomic_thread_fence(memory_order_%x);"},
    {THEME_ATOMICS, 1, "P SPIN(atomic_load_explicit(&%a, memory_order_%l))"},
    {THEME_ATOMICS, 2, "P __atomic_store_n(&%v, #, memory_order_%s);"},
    {THEME_ATOMICS, 2, "P if (__atomic_load_n(&%v, memory_order_%l)) {\n@}"},
    {THEME_ATOMICS, 1, "P __atomic_fetch_add(&%v, 1, memory_order_%x);"},
    {THEME_ATOMICS, 1, "P { int e = #; r = atomic_compare_exchange_strong_explicit(&%a, &e, #, memory_order_%x, memory_order_relaxed); }\n"
     "P if (r) {\n@}"},
    {THEME_ATOMICS, 1, "P %v = #;\nP atomic_thread_fence(memory_order_release);\nP atomic_store_explicit(&%a, 1, memory_order_relaxed);"},
    {THEME_ATOMICS, 1, "P if (atomic_load_explicit(&%a, memory_order_relaxed)) {\nP atomic_thread_fence(memory_order_%x);\n@}"},
    {THEME_ATOMICS, 1, "P if (!atomic_exchange_explicit(&lk, 1, memory_order_%x)) {\n@P atomic_store_explicit(&lk, 0, memory_order_%s); }"},
    {THEME_ATOMICS, 1, "P SPIN(!atomic_exchange_explicit(&lk, 1, memory_order_%x))\n@P atomic_store_explicit(&lk, 0, memory_order_%s);"},

    {THEME_CONDITIONS, 2, "P pthread_mutex_lock(&m0);\nP while (!a)\n  pthread_cond_wait(&q, &m0);\nP pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 1, "P pthread_mutex_lock(&m0);\nP if (!b)\n  pthread_cond_wait(&q, &m0);\n@P pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 1, "P pthread_mutex_lock(&m0);\nP pthread_cond_wait(&q, &m0);\nP pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 4, "P pthread_mutex_lock(&m0);\nP a = #;\nP pthread_cond_signal(&q);\nP pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 2, "P pthread_mutex_lock(&m0);\nP a = #;\nP pthread_mutex_unlock(&m0);\nP pthread_cond_broadcast(&q);"},
    {THEME_CONDITIONS, 2, "P pthread_cond_signal(&q);"},
    {THEME_CONDITIONS, 2, "P pthread_mutex_lock(&m0);\n@P pthread_cond_broadcast(&q);\nP pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 1, "P a = 1;\nP pthread_mutex_lock(&m0);\nP pthread_mutex_unlock(&m0);\nP pthread_cond_signal(&q);"},
    {THEME_CONDITIONS, 1, "P pthread_mutex_lock(&m0);\nP while (!b)\n  pthread_cond_wait(&q, &m0);\nP b = 0;\n"
     "@P pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 1, "P pthread_mutex_lock(&m0);\nP while (a)\n  pthread_cond_wait(&q, &m0);\nP a = 1;\n"
     "P pthread_cond_signal(&q);\nP pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 2, "P pthread_mutex_lock(&m0);\nP b = #;\nP pthread_mutex_unlock(&m0);\nP pthread_cond_signal(&q);"},
    {THEME_CONDITIONS, 1, "P pthread_mutex_lock(&m0);\nP while (!p)\n  pthread_cond_wait(&q, &m0);\nP t = p;\nP p = 0;\n"
     "P pthread_mutex_unlock(&m0);\nP r = USE(t)->x;\nP FREE(t);"},
    {THEME_CONDITIONS, 2, "P t = make(#);\nP pthread_mutex_lock(&m0);\nP p = t;\nP pthread_cond_broadcast(&q);\n"
     "P pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 1, "P pthread_mutex_lock(&m1);\nP while (!b)\n  pthread_cond_wait(&q1, &m1);\nP pthread_mutex_unlock(&m1);"},
    {THEME_CONDITIONS, 2, "P pthread_mutex_lock(&m1);\nP b = #;\nP pthread_cond_signal(&q1);\nP pthread_mutex_unlock(&m1);"},
    {THEME_CONDITIONS, 1, "P pthread_mutex_lock(&m0);\nP if (!a)\n  r = pthread_cond_timedwait(&q, &m0, soon());\n"
     "@P pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 1, "P pthread_mutex_lock(&m0);\nP while (!atomic_load_explicit(&c, memory_order_%l))\n"
     "  pthread_cond_wait(&q, &m0);\nP pthread_mutex_unlock(&m0);"},
    {THEME_CONDITIONS, 1, "P atomic_store_explicit(&c, 1, memory_order_%s);\nP pthread_mutex_lock(&m0);\n"
     "P pthread_mutex_unlock(&m0);\nP pthread_cond_broadcast(&q);"},

    {THEME_WAITS, 1, "P sem_wait(&s);"},
    {THEME_WAITS, 4, "P sem_post(&s);"},
    {THEME_WAITS, 2, "P if (sem_trywait(&s) == 0) {\n@}"},
    {THEME_WAITS, 1, "P if (sem_trywait(&s)) {\n@}"},
    {THEME_WAITS, 1, "P pthread_barrier_wait(&z);"},
    {THEME_WAITS, 1, "P sem_wait(&s1);\n@P sem_post(&s1);"},
    {THEME_WAITS, 1, "P if (sem_timedwait(&s, soon()) == 0) {\n@}"},
    {THEME_WAITS, 1, "P sem_getvalue(&s, &n);\nP if (n) {\n@}"},
    {THEME_WAITS, 1, "P if (pthread_barrier_wait(&z) == PTHREAD_BARRIER_SERIAL_THREAD) {\n@}"},
    {THEME_WAITS, 2, "P %v = #;\nP sem_post(&s);"},
    {THEME_WAITS, 2, "P sem_wait(&s);\nP r = %v;"},
    {THEME_WAITS, 1, "P %v = #;\nP pthread_barrier_wait(&z);\nP r = %v;"},

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
    {THEME_HANDOVER, 1, "P t = make(#);\nP USE(t)->next = p;\nP p = t;"},
    {THEME_HANDOVER, 2, "P t = p;\nP if (t)\n  p = USE(t)->next;"},
    {THEME_HANDOVER, 1, "P pthread_mutex_lock(&%m);\nP t = p;\nP if (t)\n  p = USE(t)->next;\nP pthread_mutex_unlock(&%m);"},
    {THEME_HANDOVER, 1, "P pthread_mutex_lock(&%m);\nP t = make(#);\nP USE(t)->next = p;\nP p = t;\nP pthread_mutex_unlock(&%m);"},
    {THEME_HANDOVER, 1, "P t = make(#);\nP { struct block *e = atomic_load_explicit(&ap, memory_order_%l);\n"
     "P USE(t)->next = e;\nP r = atomic_compare_exchange_strong_explicit(&ap, &e, t, memory_order_%x, memory_order_relaxed); }"},
    {THEME_HANDOVER, 1, "P { struct block *e = atomic_load_explicit(&ap, memory_order_%l);\n"
     "P if (e && atomic_compare_exchange_strong_explicit(&ap, &e, USE(e)->next, memory_order_%x, memory_order_relaxed))\n"
     "  t = e; }"},
    {THEME_HANDOVER, 1, "P if (!p) {\nP pthread_mutex_lock(&%m);\nP if (!p)\n  p = make(#);\nP pthread_mutex_unlock(&%m);\n}\n"
     "P t = p;\nP if (t)\n  r = USE(t)->x;"},
    {THEME_HANDOVER, 1, "P t = atomic_load_explicit(&ap, memory_order_%l);\nP if (!t) {\nP pthread_mutex_lock(&%m);\n"
     "P t = atomic_load_explicit(&ap, memory_order_relaxed);\nP if (!t) {\nP t = make(#);\n"
     "P atomic_store_explicit(&ap, t, memory_order_%s);\n}\nP pthread_mutex_unlock(&%m);\n}\nP r = USE(t)->x;"},
    {THEME_HANDOVER, 1, "P if (t && p)\n  *USE(t) = *USE(p);"},

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
    {THEME_LIVES, 2, "P { pthread_t u; local = #; pthread_create(&u, 0, bump%t, &local);\n@P pthread_join(u, 0); }"},
    {THEME_LIVES, 1, "P { pthread_t u; local = #; pthread_create(&u, 0, bump%t, &local);\n@P pthread_detach(u); }"},
    {THEME_LIVES, 1, "P { pthread_t u; pthread_create(&u, 0, bump%t, &own->x);\n@P pthread_join(u, 0); }"},
    {THEME_LIVES, 1, "P pthread_exit(t);"},
    {THEME_LIVES, 2, "P pthread_mutex_lock(&guarded->m);\nP guarded->n++;\nP pthread_mutex_unlock(&guarded->m);"},
    {THEME_LIVES, 1, "P if (atomic_fetch_sub_explicit(&refs, 1, memory_order_%x) == 1) {\n"
     "P pthread_mutex_destroy(&guarded->m);\nP FREE_GUARDED; }"},
    {THEME_LIVES, 1, "P pthread_mutex_lock(&guarded->m);\nP n = --guarded->n;\nP pthread_mutex_unlock(&guarded->m);\n"
     "P if (!n) {\nP FREE_GUARDED; }"},

    {THEME_THREADS, 3, "P { pthread_t u; pthread_create(&u, 0, third%t, t);\n@P pthread_join(u, 0); }"},
    {THEME_THREADS, 3, "P { pthread_t u; pthread_create(&u, 0, third%t, t);\n@P pthread_detach(u); }"},
    {THEME_THREADS, 2, "P { pthread_t u; void *v = 0; pthread_create(&u, 0, third%t, make(#));\n@P pthread_join(u, &v);\nP t = v; }"},
    {THEME_THREADS, 2, "P t = make(#);\nP { pthread_t u; pthread_create(&u, 0, third%t, t);\n@P pthread_detach(u); }"},
    {THEME_THREADS, 1, "P pthread_once(&o, initialise%t);\nP r = %v;"},
    {THEME_THREADS, 1, "P t = make(#);\nP pthread_setspecific(k, t);"},
    {THEME_THREADS, 1, "P p = pthread_getspecific(k);"},
    {THEME_THREADS, 1, "P t = pthread_getspecific(k);\nP if (t)\n  r = USE(t)->x;"},
    {THEME_THREADS, 2, "P if (t)\n  USE(t)->x = #;"},
    {THEME_THREADS, 1, "P if (t)\n  FREE(t);\nP t = 0;"},
    {THEME_THREADS, 1, "P pthread_once(&o, initialise%t);\nP %v = #;"},

    {THEME_MISUSE, 1, "P pthread_mutex_unlock(&%m);"},
    {THEME_MISUSE, 1, "P pthread_mutex_destroy(&%m);"},
    {THEME_MISUSE, 2, "P pthread_mutex_lock(&%m);\n@P pthread_mutex_unlock(&%m);"},
    {THEME_MISUSE, 1, "P pthread_mutex_lock(&%m);\nP pthread_mutex_unlock(&%m);\nP pthread_mutex_destroy(&%m);"},
    {THEME_MISUSE, 1, "P pthread_cond_signal(&q);"},
    {THEME_MISUSE, 1, "P pthread_cond_destroy(&q);"},
    {THEME_MISUSE, 1, "P sem_destroy(&s);"},
    {THEME_MISUSE, 1, "P pthread_rwlock_unlock(&w);"},
    {THEME_MISUSE, 1, "P pthread_rwlock_destroy(&w);"},
    {THEME_MISUSE, 1, "P sem_wait(&s);\nP sem_post(&s);"},
    {THEME_MISUSE, 1, "P pthread_rwlock_wrlock(&w);\n@P pthread_rwlock_unlock(&w);"},
};
const unsigned statements_count = sizeof statements / sizeof *statements;

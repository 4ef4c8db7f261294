/* Threads that nobody joins, that outlive main, and ends of the process while others run. */
#include "generator.h"

static const char declarations[] =
    "#include <threads.h>\n"
    "static pthread_t kept; static int *_Atomic counter;\n"
    "static void *short_life(void *x) { a = 1; return x; }\n"
    "static int short_life11(void *x) { (void)x; b = 1; return a; }\n"
    "static void *long_life(void *x) { sem_wait(&s); b++; return x; }\n"
    "static void *nested(void *x) { pthread_t t; pthread_create(&t, 0, short_life, x); return x; }\n"
    "static void at_end(void) { b++; put((unsigned)b); }\n"
    "static void detached(void *(*f)(void *)) { pthread_attr_t t; pthread_t n; pthread_attr_init(&t); pthread_attr_setdetachstate(&t, "
    "PTHREAD_CREATE_DETACHED); pthread_create(&n, &t, f, 0); pthread_attr_destroy(&t); }\n";

static const struct statement_kind kinds[] = {
    {2, .text = "{ pthread_t t; pthread_create(&t, 0, short_life, 0); @ pthread_detach(t); }"},
    {2, .text = "{ pthread_t t; pthread_create(&t, 0, short_life, 0); }"},
    {1, .text = "{ pthread_t t; pthread_create(&t, 0, short_life, 0); @ pthread_join(t, 0); }"},
    {1, .text = "LOG(pthread_detach(pthread_self()));"},
    {1, .text = "{ thrd_t t; thrd_create(&t, short_life11, 0); @ thrd_join(t, &r); LOG(r); }"},
    {1, .text = "{ thrd_t t; thrd_create(&t, short_life11, 0); thrd_detach(t); }"},
    {1, .text = "detached(short_life);"},
    {1, .text = "detached(long_life);"},
    {1, .text = "{ pthread_t t; pthread_create(&t, 0, nested, 0); pthread_join(t, 0); }"},
    {1, .text = "pthread_create(&kept, 0, short_life, (void *)#);"},
    {1, .text = "{ void *n; if (kept) LOG(pthread_join(kept, &n)); }"},
    {1, .text = "if (kept) LOG(pthread_tryjoin_np(kept, 0));"},
    {1, .text = "if (kept) LOG(pthread_timedjoin_np(kept, 0, &soon));"},
    {1, .text = "if (kept) LOG(pthread_detach(kept));"},
    {1, .text = "LOG(pthread_equal(kept, pthread_self()));"},
    {1, .text = "if ($ == 1) exit(#);"},
    {1, .text = "exit(0);"},
    {1, .text = "if ($) _Exit(2);"},
    {1, .text = "if ($) quick_exit(3);"},
    {2, .text = "pthread_exit((void *)h);"},
    {1, .text = "if ($) pthread_exit((void *)h);"},
    {1, .text = "if ($) abort();"},
    {1, .text = "atexit(at_end);"},
    {1, .text = "LOG(atomic_fetch_add(&c, 1));"},
    {2, .text = "a = #;"},
    {2, .text = "LOG(b);"},
    {2, .text = "sem_post(&s);"},
    {1, .text = "pthread_mutex_lock(&m0);"},
    {1, .text = "sched_yield();"},
};
const struct statement_family family_threads = {declarations, NULL, kinds, sizeof kinds / sizeof *kinds};

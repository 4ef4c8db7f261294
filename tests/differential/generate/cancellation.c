/* Cancellation at all points and states, with what cleans up behind it. */
#include "generator.h"

static const char declarations[] =
    "#include <unistd.h>\n"
    "static void *waits(void *x) { sem_wait(&s); b = 1; return x; } static atomic_ulong who; static void clean(void *x) { *(int *)x += 1; "
    "} static void clean_mutex(void *m) { pthread_mutex_unlock(m); }\n";

static const struct statement_kind kinds[] = {
    {4, .text = "atomic_store(&who, pthread_self());"},
    {5, .text = "{ unsigned long t = atomic_load(&who); if (t) LOG(pthread_cancel(t)); }"},
    {2, .text = "pthread_testcancel();"},
    {2, .text = "sem_wait(&s);"},
    {1, .text = "sem_post(&s);"},
    {1, .text = "pthread_mutex_lock(&m0); pthread_cleanup_push(clean_mutex, &m0); while (!a) pthread_cond_wait(&q, &m0); "
                "pthread_cleanup_pop(1);"},
    {1, .text = "pthread_mutex_lock(&m0); a = 1; pthread_cond_signal(&q); pthread_mutex_unlock(&m0);"},
    {1, .text = "pthread_mutex_lock(&m0); while (!a) pthread_cond_wait(&q, &m0); pthread_mutex_unlock(&m0);"},
    {2, .text = "pthread_cleanup_push(clean, &a); @ pthread_cleanup_pop(#  & 1);"},
    {1, .text = "{ int l = 1; pthread_cleanup_push(clean, &l); @ pthread_testcancel(); LOG(l); pthread_cleanup_pop(1); }"},
    {2, .text = "{ int o; pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &o); @ pthread_setcancelstate(o, 0); }"},
    {1, .text = "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);"},
    {1, .text = "{ int o; pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &o); @ pthread_setcanceltype(o, 0); }"},
    {1, .text = "{ pthread_t t; pthread_create(&t, 0, waits, 0); pthread_cleanup_push(clean, &b); pthread_join(t, 0); pthread_cleanup_pop(0); }"},
    {1, .text = "LOG(sem_timedwait(&s, &soon));"},
    {1, .text = "pthread_mutex_lock(&m0); pthread_cleanup_push(clean_mutex, &m0); LOG(pthread_cond_timedwait(&q, &m0, &soon)); "
                "pthread_cleanup_pop(1);"},
    {1, .text = "pthread_barrier_wait(&z);"},
    {1, .text = "usleep(1);"},
    {1, .text = "pthread_cancel(pthread_self());"},
    {1, .text = "{ pthread_t t; pthread_create(&t, 0, waits, 0); pthread_cancel(t); void *n; pthread_join(t, &n); LOG(n == "
                "PTHREAD_CANCELED); }"},
    {2, .text = "a = #;"},
    {2, .text = "LOG(a);"},
    {1, .text = "b++;"},
    {1, .text = "pthread_exit((void *)h);"},
};
const struct statement_family family_cancellation = {declarations, NULL, kinds, sizeof kinds / sizeof *kinds};

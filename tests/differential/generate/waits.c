/* Waiting with a limit, in rounds and by counts, and the time that passes. */
#include "generator.h"

static const char declarations[] =
    "#include <unistd.h>\n"
    "#include <time.h>\n"
    "#include <errno.h>\n"
    "static const struct timespec late = {.tv_sec = 1L << 33}; static pthread_barrier_t z2;\n";

static const struct statement_kind kinds[] = {
    {2, .text = "LOG(sem_timedwait(&s, &soon));"},
    {2, .text = "LOG(sem_timedwait(&s, &late));"},
    {1, .text = "LOG(sem_clockwait(&s, CLOCK_MONOTONIC, &soon));"},
    {1, .text = "pthread_mutex_lock(&m0); if (!a) LOG(pthread_cond_clockwait(&q, &m0, CLOCK_MONOTONIC, &late)); pthread_mutex_unlock(&m0);"},
    {1, .text = "if (!pthread_mutex_clocklock(&m0, CLOCK_REALTIME, &soon)) { @ pthread_mutex_unlock(&m0); }"},
    {2, .text = "sem_wait(&s);"},
    {4, .text = "sem_post(&s);"},
    {1, .text = "LOG(sem_trywait(&s));"},
    {1, .text = "{ int v; sem_getvalue(&s, &v); LOG(v); }"},
    {2, .text = "pthread_barrier_wait(&z2);"},
    {2, .text = "LOG(pthread_barrier_wait(&z2));"},
    {1, .text = "pthread_barrier_wait(&z); a++;"},
    {1, .text = "if (!pthread_mutex_timedlock(&m0, &late)) { @ pthread_mutex_unlock(&m0); } else LOG(7);"},
    {1, .text = "if (!pthread_mutex_timedlock(&m0, &soon)) { @ pthread_mutex_unlock(&m0); } else LOG(7);"},
    {2, .text = "pthread_mutex_lock(&m0); @ pthread_mutex_unlock(&m0);"},
    {1, .text = "pthread_mutex_lock(&m0); while (!a && pthread_cond_timedwait(&q, &m0, &late) == 0) ; LOG(a); "
                "pthread_mutex_unlock(&m0);"},
    {1, .text = "pthread_mutex_lock(&m0); if (!a) LOG(pthread_cond_timedwait(&q, &m0, &soon)); pthread_mutex_unlock(&m0);"},
    {1, .text = "pthread_mutex_lock(&m0); if (!a) LOG(pthread_cond_wait(&q, &m0)); pthread_mutex_unlock(&m0);"},
    {2, .text = "pthread_mutex_lock(&m0); a = 1; pthread_cond_signal(&q); pthread_mutex_unlock(&m0);"},
    {1, .text = "pthread_cond_broadcast(&q);"},
    {1, .text = "if (!pthread_rwlock_timedrdlock(&w, &soon)) { @ pthread_rwlock_unlock(&w); } else LOG(7);"},
    {1, .text = "if (!pthread_rwlock_timedwrlock(&w, &late)) { @ pthread_rwlock_unlock(&w); } else LOG(8);"},
    {1, .text = "pthread_rwlock_wrlock(&w); b = #; pthread_rwlock_unlock(&w);"},
    {1, .text = "usleep(#);"},
    {1, .text = "{ struct timespec l = {0, 1000}; LOG(nanosleep(&l, 0)); }"},
    {1, .text = "{ struct timespec l, n; clock_gettime(CLOCK_MONOTONIC, &l); @ clock_gettime(CLOCK_MONOTONIC, &n); LOG(n.tv_sec > "
                "l.tv_sec || (n.tv_sec == l.tv_sec && n.tv_nsec >= l.tv_nsec)); }"},
    {1, .text = "LOG(rand() & 7);"},
    {1, .text = "errno = #; @ LOG(errno);"},
    {2, .text = "a = #;"},
    {1, .text = "LOG(b);"},
};
const struct statement_family family_waits = {declarations, "pthread_barrier_init(&z2, 0, 2);", kinds, sizeof kinds / sizeof *kinds};

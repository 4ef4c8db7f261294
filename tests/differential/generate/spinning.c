/* Loops that wait for others, with and without a step that others can see. */
#include "generator.h"

static const char declarations[] =
    "static volatile int flag; static int plain_flag; static volatile int wanted[2], turn; static struct { volatile int next, now; } "
    "ticket; static pthread_spinlock_t spin;\n";

static const struct statement_kind kinds[] = {
    {2, .text = "while (!flag) ;"},
    {1, .text = "while (!plain_flag) sched_yield();"},
    {1, .text = "while (!flag) sched_yield();"},
    {1, .text = "{ int n = 0; while (!flag) n++; LOG(n > 0); }"},
    {1, .text = "for (int i = 0; i < 3 && !flag; i++) ;"},
    {1, .text = "while (atomic_load_explicit(&c, memory_order_relaxed) == 0) sched_yield();"},
    {1, .text = "{ int v; do v = flag; while (v == 0); LOG(v); }"},
    {1, .text = "{ int n = 0; while (!atomic_load(&c)) n++; }"},
    {1, .text = "while (flag != #) ; flag = 1;"},
    {5, .text = "flag = 1;"},
    {2, .text = "flag = 2;"},
    {3, .text = "plain_flag = 1;"},
    {3, .text = "atomic_store(&c, 1);"},
    {1, .text = "flag = 0;"},
    {1, .text = "wanted[0] = 1; turn = 1; while (wanted[1] && turn == 1) ; a++; wanted[0] = 0;"},
    {1, .text = "wanted[1] = 1; turn = 0; while (wanted[0] && turn == 0) ; a++; wanted[1] = 0;"},
    {1, .text = "while (pthread_mutex_trylock(&m0)) ; @ pthread_mutex_unlock(&m0);"},
    {1, .text = "while (pthread_mutex_trylock(&m0)) sched_yield(); a++; pthread_mutex_unlock(&m0);"},
    {2, .text = "while (pthread_rwlock_trywrlock(&w)) ; @ pthread_rwlock_unlock(&w);"},
    {1, .text = "while (pthread_rwlock_tryrdlock(&w)) sched_yield(); LOG(b); pthread_rwlock_unlock(&w);"},
    {1, .text = "pthread_rwlock_rdlock(&w); @ pthread_rwlock_unlock(&w);"},
    {2, .text = "while (sem_trywait(&s)) ; @"},
    {2, .text = "sem_post(&s);"},
    {2, .text = "while (pthread_spin_trylock(&spin)) ; @ pthread_spin_unlock(&spin);"},
    {1, .text = "pthread_spin_lock(&spin); b++; pthread_spin_unlock(&spin);"},
    {1, .text = "while (pthread_spin_trylock(&spin) && !flag) ;"},
    {1, .text = "{ int mine = __atomic_fetch_add(&ticket.next, 1, __ATOMIC_SEQ_CST); while (ticket.now != mine) ; a++; ticket.now = mine + 1; "
                "}"},
    {1, .text = "{ volatile int n = 0; while (n < 3000) n++; }"},
    {1, .text = "pthread_mutex_lock(&m0); while (!a) { pthread_mutex_unlock(&m0); pthread_mutex_lock(&m0); } pthread_mutex_unlock(&m0);"},
    {1, .text = "a = 1;"},
    {1, .text = "LOG(a);"},
    {1, .text = "if (a == 1) __hd_fail(\"assertion\", \"a\");"},
};
const struct statement_family family_spinning = {declarations, "pthread_spin_init(&spin, 0);", kinds, sizeof kinds / sizeof *kinds};

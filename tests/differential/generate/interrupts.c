/* What happens to a thread between two of its steps: handlers of signals from other threads, nested or not, and asynchronous cancellation. */
#include "generator.h"

static const char declarations[] =
    "#include <errno.h>\n"
    "#include <setjmp.h>\n"
    "#include <signal.h>\n"
    "#include <time.h>\n"
    "#include <unistd.h>\n"
    "static volatile sig_atomic_t shown; static atomic_ulong target; static __thread sigjmp_buf away; static __thread volatile int jumps;\n"
    "static void showing(int n) { (void)n; shown = shown + 1; a = b; }\n"
    "static void hailing(int n) { (void)n; sem_post(&s); }\n"
    "static void adding(int n) { (void)n; atomic_fetch_add(&c, 1); }\n"
    "static void leaving(int n) { if (jumps) siglongjmp(away, n); b = 2; }\n"
    "static void (*const handlers[])(int) = {showing, hailing, adding, leaving};\n"
    "static void handled(int n, int which, int flags) { struct sigaction l = {.sa_handler = handlers[which], .sa_flags = flags}; "
    "sigaction(n, &l, 0); }\n"
    "static void waiting_for(int n) { sigset_t l; sigprocmask(SIG_SETMASK, 0, &l); sigdelset(&l, n); sigsuspend(&l); }\n";

static const struct statement_kind kinds[] = {
    {5, .text = "{ unsigned long t = atomic_load(&target); if (t) pthread_kill(t, SIGUSR1); }"},
    {2, .text = "{ unsigned long t = atomic_load(&target); if (t) pthread_kill(t, SIGUSR2); }"},
    {5, .text = "atomic_store(&target, pthread_self());"},
    {2, .text = "kill(getpid(), SIGUSR1);"},
    {1, .text = "raise(SIGUSR1);"},
    {2, .text = "handled(SIGUSR1, #, 0);"},
    {1, .text = "handled(SIGUSR1, #, SA_RESTART);"},
    {1, .text = "handled(SIGUSR2, #, SA_NODEFER);"},
    {1, .text = "handled(SIGUSR1, #, SA_RESETHAND);"},
    {1, .text = "{ sigset_t l, o; sigemptyset(&l); sigaddset(&l, SIGUSR1); pthread_sigmask(SIG_BLOCK, &l, &o); @ pthread_sigmask(SIG_SETMASK, &o, 0); }"},
    {2, .text = "atomic_store(&target, pthread_self()); waiting_for(SIGUSR1);"},
    {1, .text = "pause();"},
    {1, .text = "if (!sigsetjmp(away, 1)) { jumps = 1; @ } jumps = 0;"},
    {2, .text = "LOG(sem_wait(&s));"},
    {1, .text = "while (sem_wait(&s)) LOG(errno);"},
    {2, .text = "sem_post(&s);"},
    {1, .text = "pthread_mutex_lock(&m0); @ pthread_mutex_unlock(&m0);"},
    {1, .text = "pthread_mutex_lock(&m0); if (!a) pthread_cond_wait(&q, &m0); LOG(a); pthread_mutex_unlock(&m0);"},
    {1, .text = "pthread_mutex_lock(&m0); a = 1; pthread_cond_signal(&q); pthread_mutex_unlock(&m0);"},
    {1, .text = "LOG(usleep(#));"},
    {1, .text = "while (!shown) ;"},
    {1, .text = "pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0); @ pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);"},
    {1, .text = "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0); @ pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);"},
    {1, .text = "{ unsigned long t = atomic_load(&target); if (t) pthread_cancel(t); }"},
    {2, .text = "LOG(shown);"},
    {2, .text = "LOG(a);"},
    {3, .text = "b = #;"},
    {1, .text = "a++;"},
    {1, .text = "LOG(atomic_load(&c));"},
};
const struct statement_family family_interrupts = {declarations, "handled(SIGUSR1, 0, 0); handled(SIGUSR2, 3, 0);", kinds,
                                                   sizeof kinds / sizeof *kinds};

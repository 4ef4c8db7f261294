/* Signals that threads send to themselves and to each other, blocked, awaited and handled. */
#include "generator.h"

static const char declarations[] =
    "#include <signal.h>\n"
    "#include <setjmp.h>\n"
    "#include <unistd.h>\n"
    "static volatile sig_atomic_t got; static atomic_ulong other; static __thread sigjmp_buf out;\n"
    "static void handler(int n) { got = got + 1; a = n; } static void jumping(int n) { siglongjmp(out, n); } static void posting(int n) { "
    "(void)n; sem_post(&s); }\n"
    "static void informed(int n, siginfo_t *i, void *x) { (void)n; (void)x; b = i->si_value.sival_int; }\n"
    "static void informing(int flags) { struct sigaction l = {.sa_sigaction = informed, .sa_flags = SA_SIGINFO | flags}; sigaction(SIGUSR1, &l, 0); }\n"
    "static sigset_t usr(void) { sigset_t l; sigemptyset(&l); sigaddset(&l, SIGUSR1); return l; }\n";

static const struct statement_kind kinds[] = {
    {3, .text = "signal(SIGUSR1, handler);"},
    {1, .text = "signal(SIGUSR1, posting);"},
    {1, .text = "signal(SIGUSR1, SIG_IGN);"},
    {1, .text = "informing(0);"},
    {1, .text = "informing(SA_RESETHAND);"},
    {1, .text = "{ struct sigaction l = {.sa_handler = handler, .sa_flags = SA_NODEFER | SA_RESTART}; sigaction(SIGUSR1, &l, 0); }"},
    {1, .text = "{ unsigned long t = atomic_load(&other); if (t) LOG(pthread_sigqueue(t, SIGUSR1, (union sigval){.sival_int = #})); }"},
    {1, .text = "{ sigset_t l; sigemptyset(&l); LOG(sigsuspend(&l)); }"},
    {1, .text = "{ sigset_t l = usr(); LOG(sigtimedwait(&l, 0, &soon)); }"},
    {3, .text = "raise(SIGUSR1);"},
    {2, .text = "pthread_kill(pthread_self(), SIGUSR1);"},
    {1, .text = "if (kill(getpid(), SIGUSR1)) LOG(9);"},
    {2, .text = "{ sigset_t l = usr(); pthread_sigmask(SIG_BLOCK, &l, 0); @ }"},
    {1, .text = "{ sigset_t l = usr(); pthread_sigmask(SIG_UNBLOCK, &l, 0); }"},
    {1, .text = "{ sigset_t l = usr(), o; pthread_sigmask(SIG_BLOCK, &l, &o); raise(SIGUSR1); @ pthread_sigmask(SIG_SETMASK, &o, 0); }"},
    {2, .text = "atomic_store(&other, pthread_self());"},
    {3, .text = "{ unsigned long t = atomic_load(&other); if (t) LOG(pthread_kill(t, SIGUSR1)); }"},
    {2, .text = "{ sigset_t l = usr(); int n; pthread_sigmask(SIG_BLOCK, &l, 0); atomic_store(&other, pthread_self()); LOG(sigwait(&l, "
                "&n)); LOG(n); }"},
    {1, .text = "{ sigset_t l; sigpending(&l); LOG(sigismember(&l, SIGUSR1)); }"},
    {1, .text = "{ signal(SIGUSR2, jumping); int v = $; if (!sigsetjmp(out, 1)) { raise(SIGUSR2); } LOG(v); }"},
    {2, .text = "LOG(got);"},
    {1, .text = "LOG(a);"},
    {1, .text = "sem_wait(&s);"},
    {1, .text = "if ($) raise(SIGTERM);"},
    {1, .text = "b++;"},
};
const struct statement_family family_signals = {declarations, "{ sigset_t l = usr(); pthread_sigmask(SIG_BLOCK, &l, 0); }", kinds,
                                                sizeof kinds / sizeof *kinds};

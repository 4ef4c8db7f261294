/* Values of threads, and what becomes of them when a thread ends: keys with destructors, thread-locals, pthread_once. */
#include "generator.h"

static const char declarations[] =
    "#include <threads.h>\n"
    "static pthread_key_t k0, k1; static pthread_once_t k_once = PTHREAD_ONCE_INIT; static int slots[2];\n"
    "static void last(void *x) { *(int *)x += 1; } static void last_again(void *x) { a++; if (x == &slots[1]) pthread_setspecific(k1, "
    "&slots[0]); }\n"
    "static void make(void) { b++; } static void make_or_end(void) { if (a) pthread_exit(0); b++; } static __thread int mine = 1; static "
    "__thread int *mine_too;\n";

static const struct statement_kind kinds[] = {
    {3, .text = "pthread_setspecific(k0, &slots[# & 1]);"},
    {3, .text = "pthread_setspecific(k1, &slots[# & 1]);"},
    {2, .text = "LOG(pthread_getspecific(k0) == &slots[0]);"},
    {1, .text = "pthread_setspecific(k0, 0);"},
    {1, .text = "{ int *l = malloc(4); *l = 1; pthread_setspecific(k0, l); }"},
    {1, .text = "{ int l = 1; pthread_setspecific(k0, &l); @ }"},
    {1, .text = "LOG(pthread_key_delete(k0));"},
    {2, .text = "pthread_once(&k_once, make);"},
    {1, .text = "pthread_once(&k_once, make_or_end);"},
    {1, .text = "{ tss_t n; LOG(tss_create(&n, last)); tss_set(n, &slots[1]); if ($) tss_delete(n); }"},
    {1, .text = "{ static _Thread_local int kept = 1; kept += r; pthread_setspecific(k0, &kept); }"},
    {1, .text = "LOG(mine++);"},
    {1, .text = "mine_too = &slots[0]; *mine_too = #;"},
    {1, .text = "if (mine_too) LOG(*mine_too);"},
    {1, .text = "{ int *n = pthread_getspecific(k0); if (n) LOG(*n); }"},
    {1, .text = "{ pthread_key_t n; LOG(pthread_key_create(&n, last)); pthread_setspecific(n, &slots[0]); }"},
    {2, .text = "LOG(slots[# & 1]);"},
    {1, .text = "slots[# & 1] = #;"},
    {1, .text = "if ($) pthread_exit((void *)h);"},
    {2, .text = "a = #;"},
    {1, .text = "LOG(b);"},
};
const struct statement_family family_keys = {declarations, "pthread_key_create(&k0, last); pthread_key_create(&k1, last_again);", kinds,
                                             sizeof kinds / sizeof *kinds};

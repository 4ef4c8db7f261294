/* Memory that is freed, grown and shrunk, and its addresses, which are used again. */
#include "generator.h"

static const char declarations[] =
    "static int *_Atomic block; static int *plain_block; struct node { struct node *_Atomic next; int value; }; static struct node "
    "*_Atomic top;\n";

static const struct statement_kind kinds[] = {
    {3, .text = "{ int *n = malloc(8); n[0] = 1; n[1] = #; atomic_store(&block, n); }"},
    {2, .text = "{ int *n = malloc(8); n[0] = 1; n[1] = #; free(atomic_exchange(&block, n)); }"},
    {1, .text = "plain_block = malloc(8);"},
    {1, .text = "free(plain_block);"},
    {1, .text = "if (plain_block) *plain_block = 1;"},
    {2, .text = "{ int *u = atomic_load(&block); if (u) *u = #; }"},
    {3, .text = "{ int *u = atomic_load(&block); if (u) { r = u[# & 1]; LOG(r); } }"},
    {1, .text = "{ int *u = atomic_load(&block); if (u) u[#] = 1; }"},
    {2, .text = "free(atomic_exchange(&block, 0));"},
    {2, .text = "free(atomic_load(&block));"},
    {1, .text = "{ int *u = atomic_load(&block); atomic_store(&block, 0); free(u); }"},
    {2, .text = "{ int *u = atomic_exchange(&block, 0); u = realloc(u, 4 << #); u[0] = 1; atomic_store(&block, u); }"},
    {1, .text = "{ int *u = atomic_load(&block); if (u) atomic_store(&block, realloc(u, 4 << #)); }"},
    {2, .text = "{ int *n = malloc(8); *n = 3; LOG(*n); free(n); }"},
    {1, .text = "{ int *n = malloc(8); LOG(n == atomic_load(&block)); free(n); }"},
    {1, .text = "{ void *n = aligned_alloc(64, 64); LOG((unsigned long)n % 64); free(n); }"},
    {1, .text = "{ void *n; if (!posix_memalign(&n, 32, 8)) { *(int *)n = 1; free(atomic_exchange(&block, n)); } }"},
    {1, .text = "{ int *n = calloc(2, 4); LOG(n[#]); atomic_store(&block, n); }"},
    {1, .text = "{ int *u = atomic_load(&block); if (u) { u = reallocarray(u, #, 4); LOG(*u); } }"},
    {1, .text = "{ int *u = atomic_load(&block); if (u) free(u + 1); }"},
    {1, .text = "{ int *n = malloc(0); free(n); free(n); }"},
    {1, .text = "{ int l = 1; if ($) free(&l); }"},
    {2, .text = "{ struct node *n = malloc(sizeof *n); n->value = #; n->next = atomic_load(&top); while "
                "(!atomic_compare_exchange_strong(&top, &(struct node *){n->next}, n)) n->next = atomic_load(&top); }"},
    {2, .text = "{ struct node *n = atomic_load(&top); if (n && atomic_compare_exchange_strong(&top, &n, n->next)) { LOG(n->value); "
                "free(n); } }"},
    {1, .text = "{ int *n = malloc(8); if ($) free(n); }"},
};
const struct statement_family family_heap = {declarations, NULL, kinds, sizeof kinds / sizeof *kinds};

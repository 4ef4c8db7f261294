/* Values that nobody wrote: decided by, handed on, written in some executions alone. LOCAL is nothing, or volatile (levels.c). */
#include "generator.h"

static const char declarations[] =
    "#ifndef LOCAL\n"
    "#define LOCAL\n"
    "#endif\n"
    "struct holes { char x; int y; short z; };\n"
    "static __attribute__((noinline)) int either(int x, int y) { return x ? y : 0; }\n"
    "static struct holes *_Atomic heap_holes; static struct holes static_holes;\n";

static const struct statement_kind kinds[] = {
    {1, .text = "{ LOCAL int y; if (y == 1) a = y; }"},
    {1, .text = "{ LOCAL int y; if (a) y = 1; if (y == 1) b = 1; }"},
    {1, .text = "{ LOCAL int y; if (atomic_load(&c)) y = 2; if (y == 2) LOG(5); }"},
    {1, .text = "{ LOCAL int y; switch (y) { case 1: LOG(1); break; case 2: LOG(2); break; default: break; } }"},
    {1, .text = "{ LOCAL int y; LOG(bytes[y & 7]); }"},
    {1, .text = "{ LOCAL int y; for (int i = 0; i < (y & 1); i++) LOG(3); }"},
    {1, .text = "{ LOCAL int y; r = either(a, y); if (r == 1) LOG(4); }"},
    {1, .text = "{ LOCAL int y; y |= 1; if (y & 1) LOG(6); }"},
    {1, .text = "{ LOCAL int y[2]; y[# & 1] = 1; if (y[# & 1] == 1) LOG(2); }"},
    {1, .text = "{ LOCAL int y; b = y; }"},
    {1, .text = "{ LOCAL int y; if ($) y = 1; b = y; }"},
    {1, .text = "{ LOCAL int y; atomic_store(&c, y); }"},
    {1, .text = "{ struct holes l; l.x = 1; static_holes = l; }"},
    {1, .text = "{ LOCAL int y; static_holes.y = y; }"},
    {1, .text = "if (b == 1) LOG(5);"},
    {1, .text = "r = b; LOG(r);"},
    {1, .text = "if (atomic_load(&c) == 1) LOG(7);"},
    {1, .text = "if (static_holes.y == 1) LOG(8);"},
    {1, .text = "{ struct holes l = static_holes; if (l.z) LOG(9); }"},
    {1, .text = "if (a) LOG(1);"},
    {1, .text = "{ struct holes *l = malloc(sizeof *l); l->x = 1; atomic_store(&heap_holes, l); }"},
    {1, .text = "{ struct holes *l = atomic_load(&heap_holes); if (l) l->y = 1; }"},
    {1, .text = "{ struct holes *l = atomic_load(&heap_holes); if (l && l->y == 1) LOG(1); }"},
    {1, .text = "{ struct holes *l = atomic_load(&heap_holes); if (l && l->x == 1) LOG(2); }"},
    {1, .text = "{ int *l = malloc(8); l[0] = 1; if (l[1]) LOG(3); free(l); }"},
    {1, .text = "{ int *l = calloc(1, 8); l[0] = 1; if (l[1]) LOG(3); free(l); }"},
    {1, .text = "{ int *l = malloc(4); *l = 1; l = realloc(l, 8); if (l[r & 1]) LOG(3); free(l); }"},
    {1, .text = "a = 1;"},
    {2, .text = "b = 1;"},
    {1, .text = "atomic_store(&c, 1);"},
    {1, .text = "static_holes.z = 1;"},
};
const struct statement_family family_uninitialised = {declarations, NULL, kinds, sizeof kinds / sizeof *kinds};

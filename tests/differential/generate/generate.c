#include "generate.h"

#include <string.h>

#include "base/hash.h"
#include "generator.h"

static const char *const names[] = {
#define X(name, text) text,
    GENERATE_LIST(X)
#undef X
};

static bool feature_of(const char *name, size_t length, unsigned *features) {
  for (unsigned i = 0; i < GENERATE_FAMILIES; i++) {
    if (strlen(names[i]) != length || strncmp(names[i], name, length) != 0) continue;
    *features |= 1u << i;
    return true;
  }
  return false;
}

bool generate_features(const char *list, unsigned *features) {
  *features &= ~(unsigned)GENERATE_EVERY;
  if (strcmp(list, "classic") == 0) return true;
  if (strcmp(list, "all") == 0) {
    *features |= GENERATE_ALL;
    return true;
  }
  for (;; list++) {
    size_t length = strcspn(list, ",");
    if (!feature_of(list, length, features)) return false;
    list += length;
    if (!*list) return !(*features & GENERATE_CXX) || (*features & GENERATE_EVERY) == GENERATE_CXX;
  }
}

uint32_t below(struct generator *g, uint32_t n) {
  g->state = hash_mix(g->state);
  return (uint32_t)((g->state >> 20) % n);
}

/* Returns the families that it is of. */
static unsigned program_of(uint64_t seed, unsigned index, unsigned features, struct text *out) {
  struct generator g = {.stores = features & GENERATE_STORES, .loops = features & GENERATE_LOOPS, .families = features & GENERATE_EVERY};
  g.state = hash_pair(seed, index), g.out = out, g.index = index;
  if (g.families)
    wide_program(&g);
  else
    classic_program(&g);
  unsigned families = 0;
  for (unsigned i = 0; i < PALETTE_MOST && g.families; i++) families |= 1u << g.palette[i];
  return families;
}

unsigned generate_families(uint64_t seed, unsigned index, unsigned features) {
  struct text source = {0};
  unsigned families = program_of(seed, index, features, &source);
  text_release(&source);
  return families;
}

static void head(unsigned features, struct text *out) {
  text_puts(out, features & GENERATE_CXX ? cxx_declarations : classic_declarations);
  if (features & GENERATE_ALL) wide_declarations(out);
}

void generate(uint64_t seed, unsigned count, unsigned features, struct text *out) {
  head(features, out);
  for (unsigned i = 0; i < count; i++) program_of(seed, i, features, out);
  text_puts(out, "static void (*const programs[])(void) = {");
  for (unsigned i = 0; i < count; i++) text_printf(out, "program%u, ", i);
  text_puts(out,
            "};\nint main(int argc, char **argv) { unsigned n = 0; for (const char *t = argv[argc - 1]; *t; t++) n = n * 10 + "
            "(unsigned)(*t - '0');"
            " programs[n](); return 0; }\n");
}

void generate_one(uint64_t seed, unsigned index, unsigned features, struct text *out) {
  head(features, out);
  program_of(seed, index, features, out);
  text_printf(out, "int main(void) { program%u(); return 0; }\n", index);
}

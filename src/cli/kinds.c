#include "cli/kinds.h"

#include <string.h>

#include "trace/finding.h"

_Static_assert(FINDING_COUNT <= 32, "kinds are bits of a word");

static void list_kinds(struct diag *d) {
  struct text known = {0};
  for (unsigned k = 0; k < FINDING_COUNT; k++) text_printf(&known, "%s%s", k ? ", " : "", finding_kind_text((enum finding_kind)k));
  diag_hint(d, "the kinds are %s", text_str(&known));
  text_release(&known);
}

static enum err add_kind(const char *name, size_t n, const char *option, uint32_t *set, struct diag *d) {
  for (unsigned k = 0; k < FINDING_COUNT; k++) {
    const char *kind = finding_kind_text((enum finding_kind)k);
    if (strlen(kind) != n || memcmp(kind, name, n) != 0) continue;
    *set |= 1u << k;
    return ERR_NONE;
  }
  diag_set(d, ERR_USAGE, "%s: there is no kind of findings \"%.*s\"", option, (int)n, name);
  list_kinds(d);
  return ERR_USAGE;
}

static enum err add_kinds(const struct words *words, const char *option, uint32_t *set, struct diag *d) {
  for (size_t i = 0; i < words->count; i++) {
    for (const char *at = words->data[i];; at++) {
      size_t n = strcspn(at, ",");
      enum err e = add_kind(at, n, option, set, d);
      if (e) return e;
      at += n;
      if (!*at) break;
    }
  }
  return ERR_NONE;
}

enum err kinds_ignored(const struct words *only, const struct words *ignore, uint32_t *set, struct diag *d) {
  const uint32_t all = (uint32_t)((1ull << FINDING_COUNT) - 1);
  uint32_t asked = 0, ignored = 0;
  enum err e = add_kinds(only, "--only", &asked, d);
  if (!e) e = add_kinds(ignore, "--ignore", &ignored, d);
  if (only->count == 0) asked = all;
  *set = ignored | (all & ~asked);
  if (!e && *set == all) e = diag_set(d, ERR_USAGE, "--only and --ignore leave no kind of findings to look for");
  return e;
}

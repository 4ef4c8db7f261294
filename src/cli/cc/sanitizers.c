#include "cli/cc/sanitizers.h"

#include <string.h>

/* They keep what they know of memory where the runtime does, or stand before malloc() as it does. */
static const char *const others[] = {"address", "kernel-address", "hwaddress",     "kernel-hwaddress",
                                     "leak",    "memory",         "kernel-memory", "dataflow"};
enum { OTHERS = sizeof others / sizeof *others };

static bool is_word(const char *name, const char *word, size_t n) { return strlen(name) == n && strncmp(name, word, n) == 0; }

static unsigned bit_of(const char *word, size_t n) {
  for (unsigned i = 0; i < OTHERS; i++)
    if (is_word(others[i], word, n)) return 1u << i;
  return is_word("all", word, n) ? (1u << OTHERS) - 1 : 0;
}

bool sanitizers_read(struct sanitizers *s, const char *word, struct text *rest) {
  static const char yes[] = "-fsanitize=", no[] = "-fno-sanitize=";
  bool asks = strncmp(word, yes, strlen(yes)) == 0;
  if (!asks && strncmp(word, no, strlen(no)) != 0) return false;
  const char *option = asks ? yes : no, *list = word + strlen(option);
  for (size_t n; *list; list += n + (list[n] == ',')) {
    n = strcspn(list, ",");
    s->asked = asks ? s->asked | bit_of(list, n) : s->asked & ~bit_of(list, n);
    if (is_word("thread", list, n)) {
      s->thread = asks;
      continue;
    }
    text_puts(rest, rest->count ? "," : option);
    text_append(rest, list, n);
  }
  return true;
}

enum err sanitizers_check(const struct sanitizers *s, struct diag *d) {
  if (!s->asked) return ERR_NONE;
  unsigned i = 0;
  while (!(s->asked >> i & 1)) i++;
  diag_hint(d, "build it twice, once for each");
  return diag_set(d, ERR_UNSUPPORTED, "a program that is watched cannot have -fsanitize=%s as well", others[i]);
}

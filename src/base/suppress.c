#include "base/suppress.h"

/* Those of findings that there are not here are known, too. */
static const char *const types[] = {"race", "race_top", "deadlock", "thread", "mutex", "signal", "called_from_lib"};

static bool starts_with(const char *s, const char *piece, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (s[i] != piece[i] || !s[i]) return false;
  return true;
}

static size_t length(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

/* Each piece between stars at its first place, the last one at its last place if the name must end there. */
bool suppress_matches(const char *pattern, const char *name) {
  bool here = *pattern == '^';
  for (pattern += here; *pattern; here = false) {
    size_t n = 0, left = length(name);
    if (*pattern == '*') {
      pattern++;
      continue;
    }
    while (pattern[n] && pattern[n] != '*' && !(pattern[n] == '$' && !pattern[n + 1])) n++;
    if (pattern[n] == '$') {
      if (n > left || (here && n != left)) return false;
      return starts_with(name + left - n, pattern, n);
    }
    while (!starts_with(name, pattern, n)) {
      if (here || !*name) return false;
      name++;
    }
    name += n, pattern += n;
  }
  return true;
}

static bool is_type(const char *type, size_t n) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (length(types[i]) == n && starts_with(type, types[i], n)) return true;
  return false;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

enum suppress_line suppress_parse(const char *at, const char *end, struct suppress_parts *parts) {
  while (at < end && is_space(*at)) at++;
  while (end > at && is_space(end[-1])) end--;
  *parts = (struct suppress_parts){.type = at, .type_length = (size_t)(end - at)};
  if (at == end || *at == '#') return SUPPRESS_NOTHING;
  const char *colon = at;
  while (colon < end && *colon != ':') colon++;
  if (colon == end || colon + 1 == end) return SUPPRESS_NO_RULE;
  *parts = (struct suppress_parts){at, colon + 1, (size_t)(colon - at), (size_t)(end - colon - 1)};
  return is_type(at, parts->type_length) ? SUPPRESS_RULE : SUPPRESS_NO_TYPE;
}

/* Reads lines, each of which must be a JSON object (RFC 8259) in UTF-8, without a key twice beside itself. Prints the first that is not. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const unsigned char *at;

static void space(void) {
  while (*at == ' ' || *at == '\t') at++;
}

static bool utf8(void) {
  unsigned n = *at < 0x80 ? 1 : *at >= 0xc2 && *at < 0xe0 ? 2 : *at >= 0xe0 && *at < 0xf0 ? 3 : *at >= 0xf0 && *at < 0xf5 ? 4 : 0;
  if (n == 0 || (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] >= 0xa0) || (*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] >= 0x90))
    return false;
  for (unsigned i = 1; i < n; i++)
    if ((at[i] & 0xc0) != 0x80) return false;
  at += n;
  return true;
}

static bool string(void) {
  if (*at++ != '"') return false;
  while (*at != '"') {
    if (*at < 0x20) return false;
    if (*at != '\\') {
      if (!utf8()) return false;
      continue;
    }
    at++;
    if (*at == 'u') {
      for (int i = 1; i <= 4; i++)
        if (!isxdigit(at[i])) return false;
      at += 5;
    } else if (*at && strchr("\"\\/bfnrt", *at)) {
      at++;
    } else {
      return false;
    }
  }
  at++;
  return true;
}

static bool number(void) {
  if (*at == '-') at++;
  if (!isdigit(*at) || (*at == '0' && isdigit(at[1]))) return false;
  while (isdigit(*at)) at++;
  return true; /* no fractions here */
}

static bool word(const char *w) {
  if (strncmp((const char *)at, w, strlen(w)) != 0) return false;
  at += strlen(w);
  return true;
}

static bool value(void);

static bool list(char end, bool keys) {
  enum { KEYS = 64 };
  const unsigned char *seen[KEYS];
  size_t lengths[KEYS];
  unsigned n = 0;
  for (at++, space(); *at != (unsigned char)end; space()) {
    if (n++ && *at++ != ',') return false;
    space();
    const unsigned char *key = at;
    if (keys && !string()) return false;
    if (keys && n <= KEYS) {
      seen[n - 1] = key, lengths[n - 1] = (size_t)(at - key);
      for (unsigned i = 0; i + 1 < n; i++)
        if (lengths[i] == lengths[n - 1] && memcmp(seen[i], key, lengths[i]) == 0) return false;
    }
    space();
    if (keys && *at++ != ':') return false;
    if (!value()) return false;
  }
  at++;
  return true;
}

static bool value(void) {
  space();
  bool fine = *at == '{'   ? list('}', true)
              : *at == '[' ? list(']', false)
              : *at == '"' ? string()
              : *at == 't' ? word("true")
              : *at == 'f' ? word("false")
              : *at == 'n' ? word("null")
                           : number();
  space();
  return fine;
}

int main(void) {
  static char line[1 << 20];
  for (int n = 1; fgets(line, sizeof line, stdin); n++) {
    at = (const unsigned char *)line;
    if (*at == '{' && value() && *at == '\n') continue;
    printf("line %d is no JSON object from column %d on: %s", n, (int)(at - (const unsigned char *)line + 1), line);
    return 1;
  }
  return 0;
}

#include "json.h"

#include <stdlib.h>
#include <string.h>

struct parser {
  const char *at;
  bool bad;
  unsigned depth;
};

static void skip(struct parser *p) { p->at += strspn(p->at, " \t\r\n"); }

static bool take(struct parser *p, char c) {
  skip(p);
  if (*p->at != c) return false;
  p->at++;
  return true;
}

/* Moves past a string's closing quote; its content lies in [*start, *end). */
static void string(struct parser *p, const char **start, const char **end) {
  *start = *end = p->at;
  if (!take(p, '"')) {
    p->bad = true;
    return;
  }
  *start = p->at;
  while (*p->at && *p->at != '"') p->at += *p->at == '\\' && p->at[1] ? 2 : 1;
  *end = p->at;
  if (!take(p, '"')) p->bad = true;
}

static struct json *value(struct parser *p);

/* The members of an array or object after its opening bracket. */
static void members(struct parser *p, struct json *j, char close) {
  struct json **last = &j->child;
  if (take(p, close)) return;
  do {
    const char *key = NULL, *key_end = NULL;
    if (j->kind == JSON_OBJECT) {
      skip(p);
      string(p, &key, &key_end);
      if (!take(p, ':')) p->bad = true;
    }
    struct json *child = p->bad ? NULL : value(p);
    if (!child) {
      p->bad = true;
      return;
    }
    child->key = key;
    child->key_end = key_end;
    *last = child;
    last = &child->next;
  } while (take(p, ','));
  if (!take(p, close)) p->bad = true;
}

static void word(struct parser *p, struct json *j) {
  static const struct {
    const char *text;
    enum json_kind kind;
  } words[] = {{"null", JSON_NULL}, {"true", JSON_TRUE}, {"false", JSON_FALSE}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i].text);
    if (strncmp(p->at, words[i].text, n)) continue;
    j->kind = words[i].kind;
    p->at += n;
    return;
  }
  char *end;
  j->kind = JSON_NUMBER;
  strtod(p->at, &end);
  if (end == p->at) p->bad = true;
  p->at = end;
}

static struct json *value(struct parser *p) {
  skip(p);
  struct json *j = calloc(1, sizeof *j);
  if (!j || ++p->depth > 64) {
    free(j);
    p->bad = true;
    return NULL;
  }
  j->start = p->at;
  const char *from, *to;
  if (*p->at == '"') {
    j->kind = JSON_STRING;
    string(p, &from, &to);
  } else if (*p->at == '[' || *p->at == '{') {
    j->kind = *p->at == '[' ? JSON_ARRAY : JSON_OBJECT;
    p->at++;
    members(p, j, j->kind == JSON_ARRAY ? ']' : '}');
  } else {
    word(p, j);
  }
  j->end = p->at;
  p->depth--;
  return j;
}

void json_free(struct json *j) {
  while (j) {
    struct json *next = j->next;
    json_free(j->child);
    free(j);
    j = next;
  }
}

struct json *json_parse(const char *text) {
  struct parser p = {.at = text};
  struct json *j = value(&p);
  skip(&p);
  if (!p.bad && !*p.at) return j;
  json_free(j);
  return NULL;
}

const struct json *json_first(const struct json *j) { return j && (j->kind == JSON_ARRAY || j->kind == JSON_OBJECT) ? j->child : NULL; }

const struct json *json_get(const struct json *j, const char *key) {
  size_t n = strlen(key);
  if (!j || j->kind != JSON_OBJECT) return NULL;
  for (const struct json *c = j->child; c; c = c->next)
    if ((size_t)(c->key_end - c->key) == n && !memcmp(c->key, key, n)) return c;
  return NULL;
}

long json_number(const struct json *j, long otherwise) { return j && j->kind == JSON_NUMBER ? strtol(j->start, NULL, 10) : otherwise; }

const char *json_string(const struct json *j, char *to, size_t size) {
  size_t n = 0;
  if (j && j->kind == JSON_STRING) {
    for (const char *c = j->start + 1; c < j->end - 1 && n + 1 < size; c++) {
      if (*c == '\\') c++;
      to[n++] = *c;
    }
  }
  to[n] = 0;
  return to;
}

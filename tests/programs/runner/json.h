/* Just enough JSON for reading what `heddle --json` prints: a tree over the text, strings unescaped where asked for. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* A value: where it stands in the text, its children in order. For members of objects, `key` is the name (still escaped). */
struct json {
  enum json_kind kind;
  const char *start, *end;
  const char *key, *key_end;
  struct json *child, *next;
};

/* The root of `text` (NUL-terminated, must outlive the tree), or NULL if it is not exactly one JSON value. */
struct json *json_parse(const char *text);
void json_free(struct json *j);
/* A member of an object, or NULL. `j` may be NULL. */
const struct json *json_get(const struct json *j, const char *key);
/* First child of an array or object; NULL for anything else. */
const struct json *json_first(const struct json *j);
/* A number's value, or `otherwise`. */
long json_number(const struct json *j, long otherwise);
/* Copies a string's text, unescaped, to `to` (cut at `size`); "" for anything else. */
const char *json_string(const struct json *j, char *to, size_t size);

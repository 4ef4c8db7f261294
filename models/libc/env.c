/* The environment. What the machine was given is asked by name and stays outside `environ`, which holds what the program has set. As in
 * the C library, reading while another thread changes it is a race. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

static char *nothing[1];
char **environ = nothing;
extern char **__environ __attribute__((alias("environ")));

static char **own; /* the array that setenv() made; `environ` may be the program's own */
static size_t own_capacity;
static char **removed; /* names that are unset although the machine knows them */
static size_t removed_count;
static bool cleared;

/* Entries that setenv() made. The program may still hold a pointer to one that was replaced or removed, so that none is ever freed. */
struct made {
  struct made *next;
  char entry[];
};
__attribute__((used)) static struct made *made;

static bool is_entry(const char *entry, const char *name, size_t n) { return !hd_strncmp(entry, name, n) && entry[n] == '='; }

static size_t find(const char *name, size_t n) {
  size_t i = 0;
  while (environ && environ[i] && !is_entry(environ[i], name, n)) i++;
  return i;
}

static bool is_removed(const char *name) {
  for (size_t i = 0; i < removed_count; i++)
    if (!hd_strcmp(removed[i], name)) return true;
  return cleared;
}

static char *get(const char *name) {
  size_t n = hd_strlen(name), i = find(name, n);
  if (environ && environ[i]) return environ[i] + n + 1;
  return is_removed(name) ? NULL : (char *)__hd_getenv(name);
}

char *getenv(const char *name) { return get(name); }
char *secure_getenv(const char *name) { return get(name); }
char *__secure_getenv(const char *name);
char *__secure_getenv(const char *name) { return get(name); }

static int set_entry(char *entry, size_t name_length) {
  size_t i = find(entry, name_length);
  if (environ && environ[i]) {
    environ[i] = entry;
    return 0;
  }
  if (i + 2 > own_capacity || environ != own) {
    size_t capacity = 2 * (i + 8);
    char **larger = malloc(capacity * sizeof *larger);
    if (!larger) return -1;
    for (size_t k = 0; k < i; k++) larger[k] = environ[k];
    free(own);
    own = environ = larger;
    own_capacity = capacity;
  }
  environ[i] = entry;
  environ[i + 1] = NULL;
  return 0;
}

static bool bad_name(const char *name) {
  if (name && *name && !hd_strchr(name, '=')) return false;
  HD_ERRNO = EINVAL;
  return true;
}

int setenv(const char *name, const char *value, int overwrite) {
  if (bad_name(name)) return -1;
  if (!overwrite && get(name)) return 0;
  size_t n = hd_strlen(name), m = hd_strlen(value);
  struct made *block = malloc(sizeof *block + n + m + 2);
  if (!block) return -1;
  block->next = made;
  made = block;
  char *entry = block->entry;
  __builtin_memcpy(entry, name, n);
  entry[n] = '=';
  __builtin_memcpy(entry + n + 1, value, m + 1);
  return set_entry(entry, n);
}

int unsetenv(const char *name) {
  if (bad_name(name)) return -1;
  size_t i = find(name, hd_strlen(name));
  for (; environ && environ[i]; i++) environ[i] = environ[i + 1];
  if (is_removed(name) || !__hd_getenv(name)) return 0;
  char **larger = realloc(removed, (removed_count + 1) * sizeof *larger);
  if (!larger) return -1;
  removed = larger;
  size_t n = hd_strlen(name) + 1;
  char *copy = malloc(n);
  if (!copy) return -1;
  __builtin_memcpy(copy, name, n);
  removed[removed_count++] = copy;
  return 0;
}

int putenv(char *entry) {
  const char *equals = hd_strchr(entry, '=');
  return equals ? set_entry(entry, (size_t)(equals - entry)) : unsetenv(entry);
}

int clearenv(void) {
  environ = NULL;
  cleared = true;
  return 0;
}

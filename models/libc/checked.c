/* What -D_FORTIFY_SOURCE makes of <string.h>: the same functions, told the size of their object. */
#include <string.h>

#include "internal.h"

static void check(size_t needed, size_t object, const char *message) {
  if (needed > object) __hd_fail("out-of-bounds", message);
}

#define BLOCK(name)                                                                 \
  void *__##name##_chk(void *to, const void *from, size_t n, size_t object);        \
  void *__##name##_chk(void *to, const void *from, size_t n, size_t object) {       \
    check(n, object, #name " is given a size that is larger than its destination"); \
    return name(to, from, n);                                                       \
  }

BLOCK(memcpy)
BLOCK(memmove)
BLOCK(mempcpy)

void *__memset_chk(void *to, int c, size_t n, size_t object);
void *__memset_chk(void *to, int c, size_t n, size_t object) {
  check(n, object, "memset is given a size that is larger than its destination");
  return memset(to, c, n);
}

void __explicit_bzero_chk(void *to, size_t n, size_t object);
void __explicit_bzero_chk(void *to, size_t n, size_t object) {
  check(n, object, "explicit_bzero is given a size that is larger than its destination");
  __builtin_memset(to, 0, n);
}

#define COPY(name, before)                                                                        \
  char *__##name##_chk(char *to, const char *from, size_t object);                                \
  char *__##name##_chk(char *to, const char *from, size_t object) {                               \
    check(before + hd_strlen(from) + 1, object, #name " writes past the end of its destination"); \
    return name(to, from);                                                                        \
  }

COPY(strcpy, 0)
COPY(stpcpy, 0)
COPY(strcat, hd_strlen(to))

#define COPY_N(name, needed)                                                  \
  char *__##name##_chk(char *to, const char *from, size_t n, size_t object);  \
  char *__##name##_chk(char *to, const char *from, size_t n, size_t object) { \
    check(needed, object, #name " writes past the end of its destination");   \
    return name(to, from, n);                                                 \
  }

COPY_N(strncpy, n)
COPY_N(stpncpy, n)
COPY_N(strncat, hd_strlen(to) + hd_strnlen(from, n) + 1)

size_t __strlcpy_chk(char *to, const char *from, size_t size, size_t object);
size_t __strlcpy_chk(char *to, const char *from, size_t size, size_t object) {
  extern size_t strlcpy(char *to, const char *from, size_t size);
  check(size, object, "strlcpy is given a size that is larger than its destination");
  return strlcpy(to, from, size);
}

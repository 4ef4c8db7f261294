/* Functions of <string.h> that programs pass shared memory to. */
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include "copying.h"
#include "intercept/text.h"

#define READS(p, n)  touches(t, p, n, SITE_READ, CALLER)
#define FINDS(p, n)  touches_text(t, p, n, CALLER) /* an end, or a difference */
#define WRITES(p, n) (records_behind() ? (void)0 : touches(t, p, n, SITE_WRITE, CALLER))
/* A record has what was written. */
#define WROTE(p, n) (UNLIKELY(records_behind()) ? touches(t, p, n, SITE_WRITE, CALLER) : (void)0)

/* Before the runtime has started nothing may be looked up. */
void *memory_copy(void *to, const void *from, size_t n) {
  if (LIKELY(runtime_on)) return NEXT(memcpy)(to, from, n);
  rt_copy(to, from, n);
  return to;
}
void *memory_move(void *to, const void *from, size_t n) { return NEXT(memmove)(to, from, n); }
void *memory_fill(void *p, int c, size_t n) {
  if (LIKELY(runtime_on)) return NEXT(memset)(p, c, n);
  char *at = p;
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(c) : "memory");
  return p;
}

static void touch(const void *p, size_t n, enum site_kind kind, uintptr_t pc) { touches(watched(), p, n, kind, pc); }

PUBLIC void *memcpy(void *to, const void *from, size_t n) { return copying_copy(to, from, n, false, CALLER, touch); }
PUBLIC void *memmove(void *to, const void *from, size_t n) { return copying_copy(to, from, n, true, CALLER, touch); }
PUBLIC void *memset(void *p, int c, size_t n) { return copying_fill(p, c, n, CALLER, touch); }

static size_t differ_at(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  size_t i = 0;
  while (i < n && x[i] == y[i]) i++;
  return i < n ? i + 1 : n;
}

PUBLIC int memcmp(const void *a, const void *b, size_t n) {
  struct thread *t = watched();
  if (t) {
    size_t read = differ_at(a, b, n);
    FINDS(a, read), FINDS(b, read);
  }
  return NEXT(memcmp)(a, b, n);
}

PUBLIC int bcmp(const void *a, const void *b, size_t n) {
  struct thread *t = watched();
  if (t) {
    size_t read = differ_at(a, b, n);
    FINDS(a, read), FINDS(b, read);
  }
  return NEXT(memcmp)(a, b, n);
}

PUBLIC void *memchr(const void *p, int c, size_t n) {
  struct thread *t = watched();
  void *found = NEXT(memchr)(p, c, n);
  FINDS(p, found ? (size_t)((char *)found - (const char *)p) + 1 : n);
  return found;
}

PUBLIC size_t strlen(const char *s) {
  struct thread *t = watched();
  size_t n = runtime_on ? NEXT(strlen)(s) : rt_length(s);
  FINDS(s, n + 1);
  return n;
}

PUBLIC size_t strnlen(const char *s, size_t most) {
  struct thread *t = watched();
  size_t n = NEXT(strnlen)(s, most);
  FINDS(s, n < most ? n + 1 : n);
  return n;
}

PUBLIC char *strcpy(char *to, const char *from) {
  struct thread *t = watched();
  size_t n = NEXT(strlen)(from) + 1;
  FINDS(from, n), text_decides(t), WRITES(to, n);
  NEXT(strcpy)(to, from);
  WROTE(to, n);
  return to;
}

PUBLIC char *strncpy(char *to, const char *from, size_t n) {
  struct thread *t = watched();
  size_t length = NEXT(strnlen)(from, n);
  FINDS(from, length < n ? length + 1 : n), WRITES(to, n);
  NEXT(strncpy)(to, from, n);
  WROTE(to, n);
  return to;
}

PUBLIC char *strcat(char *to, const char *from) {
  struct thread *t = watched();
  size_t before = NEXT(strlen)(to), n = NEXT(strlen)(from) + 1;
  FINDS(to, before + 1), FINDS(from, n), text_decides(t), WRITES(to + before, n);
  NEXT(strcat)(to, from);
  WROTE(to + before, n);
  return to;
}

PUBLIC char *strncat(char *to, const char *from, size_t most) {
  struct thread *t = watched();
  size_t before = NEXT(strlen)(to), n = NEXT(strnlen)(from, most);
  FINDS(to, before + 1), FINDS(from, n < most ? n + 1 : n), text_decides(t), WRITES(to + before, n + 1);
  NEXT(strncat)(to, from, most);
  WROTE(to + before, n + 1);
  return to;
}

PUBLIC wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
  struct thread *t = watched();
  size_t before = NEXT(wcslen)(to), n = NEXT(wcslen)(from) + 1;
  FINDS(to, (before + 1) * sizeof *to), FINDS(from, n * sizeof *from), text_decides(t), WRITES(to + before, n * sizeof *to);
  NEXT(wcscat)(to, from);
  WROTE(to + before, n * sizeof *to);
  return to;
}

PUBLIC wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t most) {
  struct thread *t = watched();
  size_t before = NEXT(wcslen)(to), n = NEXT(wcsnlen)(from, most);
  FINDS(to, (before + 1) * sizeof *to), FINDS(from, (n < most ? n + 1 : n) * sizeof *from), text_decides(t);
  WRITES(to + before, (n + 1) * sizeof *to);
  NEXT(wcsncat)(to, from, most);
  WROTE(to + before, (n + 1) * sizeof *to);
  return to;
}

PUBLIC int strcmp(const char *a, const char *b) {
  struct thread *t = watched();
  if (t) {
    size_t n = 0;
    while (a[n] && a[n] == b[n]) n++;
    FINDS(a, n + 1), FINDS(b, n + 1);
  }
  return runtime_on ? NEXT(strcmp)(a, b) : rt_equal(a, b) ? 0 : 1;
}

PUBLIC int strncmp(const char *a, const char *b, size_t most) {
  struct thread *t = watched();
  if (t) {
    size_t n = 0;
    while (n < most && a[n] && a[n] == b[n]) n++;
    FINDS(a, n < most ? n + 1 : n), FINDS(b, n < most ? n + 1 : n);
  }
  return NEXT(strncmp)(a, b, most);
}

#undef strchr
#undef strrchr
PUBLIC char *strchr(const char *s, int c) {
  struct thread *t = watched();
  char *found = NEXT(strchr)(s, c);
  FINDS(s, found ? (size_t)(found - s) + 1 : NEXT(strlen)(s) + 1);
  return found;
}

PUBLIC char *strrchr(const char *s, int c) {
  struct thread *t = watched();
  FINDS(s, NEXT(strlen)(s) + 1);
  return NEXT(strrchr)(s, c);
}

/* GNU's strerror_r() writes to the program's memory only if it has no text of its own. */
PUBLIC char *strerror_r(int error, char *text, size_t size) {
  struct thread *t = watched();
  char *result = NEXT(strerror_r)(error, text, size);
  if (t && result == text) touches(t, text, rt_length(text) + 1, SITE_WRITE, CALLER);
  return result;
}

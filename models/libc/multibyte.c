/* Multibyte characters: UTF-8 after setlocale() chose it; else each byte below 128 is a character and the others are none. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <uchar.h>
#include <wchar.h>

#include "internal.h"

extern bool __hd_utf8;

/* What mbstate_t holds between calls: how many bytes are still to come, and the bits so far. */
static unsigned missing(const mbstate_t *state) { return (unsigned)state->__count & 7; }
static unsigned total(const mbstate_t *state) { return (unsigned)state->__count >> 3; }

static size_t broken(mbstate_t *state) {
  *state = (mbstate_t){0};
  HD_ERRNO = EILSEQ;
  return (size_t)-1;
}

/* Starts a character; false if no character starts with this byte. */
static bool lead(mbstate_t *state, unsigned char c) {
  unsigned length = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
  if (!length) return false;
  state->__count = (int)(length << 3 | (length - 1));
  state->__value.__wch = c & (0x7fu >> length);
  return true;
}

/* Not too short, no surrogate, not too large: known from the second byte on. */
static bool plausible(const mbstate_t *state) {
  unsigned left = missing(state), length = total(state), value = state->__value.__wch << (6 * left);
  if (left == length - 1) return true;
  unsigned highest = value | ((1u << (6 * left)) - 1);
  if (length == 3 && (highest < 0x800 || (value >= 0xd800 && highest < 0xe000))) return false;
  return length != 4 || (highest >= 0x10000 && value <= 0x10ffff);
}

static size_t decode(wchar_t *to, const char *s, size_t n, mbstate_t *state) {
  size_t used = 0;
  while (used < n) {
    unsigned char c = (unsigned char)s[used++];
    if (!missing(state)) {
      if (c < 0x80) {
        if (to) *to = c;
        return c ? used : 0;
      }
      if (!__hd_utf8 || !lead(state, c)) return broken(state);
      continue;
    }
    if ((c & 0xc0) != 0x80) return broken(state);
    state->__value.__wch = state->__value.__wch << 6 | (c & 0x3f);
    state->__count--;
    if (!plausible(state)) return broken(state);
    if (missing(state)) continue;
    if (to) *to = (wchar_t)state->__value.__wch;
    *state = (mbstate_t){0};
    return used;
  }
  return (size_t)-2;
}

size_t mbrtowc(wchar_t *restrict to, const char *restrict s, size_t n, mbstate_t *restrict state) {
  static mbstate_t own;
  if (!state) {
    HD_SHARED_RESULT(mbrtowc);
    state = &own;
  }
  return s ? decode(to, s, n, state) : decode(NULL, "", 1, state);
}

static size_t encode(char *to, wchar_t wide) {
  uint32_t c = (uint32_t)wide;
  if (c < 0x80) return to[0] = (char)c, 1;
  if (!__hd_utf8 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return HD_ERRNO = EILSEQ, (size_t)-1;
  size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t i = n; --i; c >>= 6) to[i] = (char)(0x80 | (c & 0x3f));
  to[0] = (char)((0xf00 >> n) | c);
  return n;
}

size_t wcrtomb(char *restrict to, wchar_t wide, mbstate_t *restrict state) {
  if (!state) HD_SHARED_RESULT(wcrtomb);
  return to ? encode(to, wide) : 1;
}
size_t mbrlen(const char *restrict s, size_t n, mbstate_t *restrict state) {
  static mbstate_t own;
  if (!state) HD_SHARED_RESULT(mbrlen);
  return mbrtowc(NULL, s, n, state ? state : &own);
}
size_t __mbrlen(const char *restrict s, size_t n, mbstate_t *restrict state) { return mbrlen(s, n, state); }
int mbsinit(const mbstate_t *state) { return !state || !missing(state); }

static int one(wchar_t *to, const char *s, size_t n) {
  mbstate_t state = {0};
  if (!s) return 0;
  size_t used = decode(to, s, n, &state);
  if (used == (size_t)-2) HD_ERRNO = EILSEQ;
  return used >= (size_t)-2 ? -1 : (int)used;
}

/* C's three that have a state of their own, if only for encodings that have one. */
int mbtowc(wchar_t *restrict to, const char *restrict s, size_t n) {
  HD_SHARED_RESULT(mbtowc);
  return one(to, s, n);
}
int mblen(const char *s, size_t n) {
  HD_SHARED_RESULT(mblen);
  return one(NULL, s, n);
}
int wctomb(char *to, wchar_t wide) {
  HD_SHARED_RESULT(wctomb);
  return to ? (int)encode(to, wide) : 0;
}
wint_t btowc(int c) { return c >= 0 && c < 0x80 ? (wint_t)c : WEOF; }
int wctob(wint_t c) { return c < 0x80 ? (int)c : EOF; }

size_t mbsnrtowcs(wchar_t *restrict to, const char **restrict from, size_t bytes, size_t n, mbstate_t *restrict state) {
  mbstate_t own = {0};
  const char *s = *from, *end = bytes > (size_t)(UINTPTR_MAX - (uintptr_t)s) ? (const char *)UINTPTR_MAX : s + bytes;
  size_t count = 0;
  if (!state) {
    HD_SHARED_RESULT(mbsrtowcs);
    state = &own;
  }
  for (; (!to || count < n) && s < end; count++) {
    wchar_t wide;
    size_t limit = (size_t)(end - s), used = decode(&wide, s, limit < 8 ? limit : 8, state);
    if (used == (size_t)-1) {
      if (to) *from = s;
      return used;
    }
    if (used == (size_t)-2) {
      s = end;
      break;
    }
    if (to) to[count] = wide;
    if (!used) {
      if (to) *from = NULL;
      return count;
    }
    s += used;
  }
  if (to) *from = s;
  return count;
}

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t n, mbstate_t *restrict state) {
  return mbsnrtowcs(to, from, SIZE_MAX, n, state);
}

size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t n) {
  mbstate_t state = {0};
  const char *at = from;
  return mbsnrtowcs(to, &at, SIZE_MAX, n, &state);
}

size_t wcsnrtombs(char *restrict to, const wchar_t **restrict from, size_t wides, size_t n, mbstate_t *restrict state) {
  const wchar_t *w = *from;
  size_t count = 0;
  if (!state) HD_SHARED_RESULT(wcsrtombs);
  for (; wides; w++, wides--) {
    char bytes[8];
    size_t length = encode(bytes, *w);
    if (length == (size_t)-1) {
      if (to) *from = w;
      return length;
    }
    if (to && length > n - count) break;
    if (to) __builtin_memcpy(to + count, bytes, length);
    if (!*w) {
      if (to) *from = NULL;
      return count;
    }
    count += length;
  }
  if (to) *from = w;
  return count;
}

size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t n, mbstate_t *restrict state) {
  return wcsnrtombs(to, from, SIZE_MAX, n, state);
}

size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t n) {
  const wchar_t *at = from;
  return wcsnrtombs(to, &at, SIZE_MAX, n, &(mbstate_t){0});
}

size_t mbrtoc32(char32_t *restrict to, const char *restrict s, size_t n, mbstate_t *restrict state) {
  return mbrtowc((wchar_t *)to, s, n, state);
}
size_t c32rtomb(char *restrict to, char32_t c, mbstate_t *restrict state) { return wcrtomb(to, (wchar_t)c, state); }

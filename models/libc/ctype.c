/* <ctype.h> in the C locale. The tables are constants, so that reading them is no visible access to anything that changes. */
#include <ctype.h>

#include <locale.h>

#include "internal.h"

#undef toascii
#undef tolower_l
#undef toupper_l
#undef __tolower_l
#undef __toupper_l
#undef _tolower
#undef _toupper

enum { UPPER = _ISupper | _ISalpha | _ISprint | _ISgraph | _ISalnum, LOWER = _ISlower | _ISalpha | _ISprint | _ISgraph | _ISalnum };
enum { DIGIT = _ISdigit | _ISxdigit | _ISprint | _ISgraph | _ISalnum, PUNCT = _ISpunct | _ISprint | _ISgraph };

/* -128 .. 255, as glibc's: negative chars and EOF are inside. */
static const unsigned short classes[384] = {
    [128 + 0 ... 128 + 8] = _IScntrl,
    [128 + '\t'] = _IScntrl | _ISspace | _ISblank,
    [128 + '\n' ... 128 + '\r'] = _IScntrl | _ISspace,
    [128 + 14 ... 128 + 31] = _IScntrl,
    [128 + ' '] = _ISspace | _ISprint | _ISblank,
    [128 + '!' ... 128 + '/'] = PUNCT,
    [128 + '0' ... 128 + '9'] = DIGIT,
    [128 + ':' ... 128 + '@'] = PUNCT,
    [128 + 'A' ... 128 + 'F'] = UPPER | _ISxdigit,
    [128 + 'G' ... 128 + 'Z'] = UPPER,
    [128 + '[' ... 128 + '`'] = PUNCT,
    [128 + 'a' ... 128 + 'f'] = LOWER | _ISxdigit,
    [128 + 'g' ... 128 + 'z'] = LOWER,
    [128 + '{' ... 128 + '~'] = PUNCT,
    [128 + 127] = _IScntrl,
};

#define ROW8(map, c) map(c), map(c + 1), map(c + 2), map(c + 3), map(c + 4), map(c + 5), map(c + 6), map(c + 7)
#define ROW64(map, c)                                                                                                     \
  ROW8(map, (c)), ROW8(map, (c) + 8), ROW8(map, (c) + 16), ROW8(map, (c) + 24), ROW8(map, (c) + 32), ROW8(map, (c) + 40), \
      ROW8(map, (c) + 48), ROW8(map, (c) + 56)
#define LOWERED(c) ((c) >= 'A' && (c) <= 'Z' ? (c) + 32 : (c))
#define UPPERED(c) ((c) >= 'a' && (c) <= 'z' ? (c)-32 : (c))
/* Below zero, glibc's tables hold what the same bytes hold as unsigned chars, but for EOF. */
#define BELOW(c) ((c) == -1 ? -1 : (c) + 256)
#define TABLE(map) \
  { ROW64(BELOW, -128), ROW64(BELOW, -64), ROW64(map, 0), ROW64(map, 64), ROW64(map, 128), ROW64(map, 192) }

static const int32_t lowered[384] = TABLE(LOWERED);
static const int32_t uppered[384] = TABLE(UPPERED);

static const unsigned short *const classes_at = classes + 128;
static const int32_t *const lowered_at = lowered + 128;
static const int32_t *const uppered_at = uppered + 128;

const unsigned short **__ctype_b_loc(void) { return (const unsigned short **)&classes_at; }
const int32_t **__ctype_tolower_loc(void) { return (const int32_t **)&lowered_at; }
const int32_t **__ctype_toupper_loc(void) { return (const int32_t **)&uppered_at; }

extern struct __locale_struct __hd_locale;
/* The C locale's one object: what newlocale() and uselocale() hand out. Its tables are what <ctype.h>'s _l macros read. */
struct __locale_struct __hd_locale = {.__ctype_b = classes + 128, .__ctype_tolower = lowered + 128, .__ctype_toupper = uppered + 128};

static bool in_class(int c, int mask) { return c >= -128 && c < 256 && classes[c + 128] & mask; }

#define CLASS(name, mask)                                     \
  int(name)(int c) { return in_class(c, mask) ? (mask) : 0; } \
  int(name##_l)(int c, locale_t l) { return (void)l, in_class(c, mask) ? (mask) : 0; }

CLASS(isalnum, _ISalnum)
CLASS(isalpha, _ISalpha)
CLASS(isblank, _ISblank)
CLASS(iscntrl, _IScntrl)
CLASS(isdigit, _ISdigit)
CLASS(isgraph, _ISgraph)
CLASS(islower, _ISlower)
CLASS(isprint, _ISprint)
CLASS(ispunct, _ISpunct)
CLASS(isspace, _ISspace)
CLASS(isupper, _ISupper)
CLASS(isxdigit, _ISxdigit)

int(isascii)(int c) { return (c & ~0x7f) == 0; }
int(toascii)(int c) { return c & 0x7f; }
int(tolower)(int c) { return c >= -128 && c < 256 ? lowered[c + 128] : c; }
int(toupper)(int c) { return c >= -128 && c < 256 ? uppered[c + 128] : c; }
int(_tolower)(int c) { return c + 32; }
int(_toupper)(int c) { return c - 32; }
int(tolower_l)(int c, locale_t l) { return (void)l, tolower(c); }
int(toupper_l)(int c, locale_t l) { return (void)l, toupper(c); }
int(__tolower_l)(int c, locale_t l) { return (void)l, tolower(c); }
int(__toupper_l)(int c, locale_t l) { return (void)l, toupper(c); }

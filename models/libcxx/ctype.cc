/* Characters: their classes and cases, and their conversions between files and programs, as the C locale has them. */
#include <wchar.h>
#include <wctype.h>

#include "facet.h"

namespace std {

/* --- ctype<char> --- */

namespace {

constexpr ctype_base::mask mask_of(int c) {
  ctype_base::mask mask = 0;
  bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
  if (upper) mask |= ctype_base::upper;
  if (lower) mask |= ctype_base::lower;
  if (upper || lower) mask |= ctype_base::alpha;
  if (digit) mask |= ctype_base::digit;
  if (digit || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f')) mask |= ctype_base::xdigit;
  if (c == ' ' || (c >= '\t' && c <= '\r')) mask |= ctype_base::space;
  if (c == ' ' || c == '\t') mask |= ctype_base::blank;
  if (c < ' ' || c == 127) mask |= ctype_base::cntrl;
  if (c > ' ' && c < 127 && !digit && !upper && !lower) mask |= ctype_base::punct;
  if (c >= ' ' && c < 127) mask |= ctype_base::print;
  return mask;
}

struct mask_table {
  ctype_base::mask masks[256];
  constexpr mask_table() : masks() {
    for (int c = 0; c < 128; c++) masks[c] = mask_of(c);
  }
};
constexpr mask_table classic_masks;

char upper_of(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char lower_of(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

extern "C" const void *const ctype_char_vtable[2] __asm__("_ZTVSt5ctypeIcE");
/* ctype<char>'s layout, with the tables that it otherwise fills when it is first used. */
struct ctype_char_data {
  heddle::facet_head head;
  __c_locale c_locale;
  bool owns_table;
  const int *to_upper, *to_lower;
  const ctype_base::mask *table;
  char widen_ok;
  char widen[256], narrow[256];
  char narrow_ok;
  constexpr ctype_char_data()
      : head{ctype_char_vtable + 2, 1},
        c_locale(),
        owns_table(),
        to_upper(),
        to_lower(),
        table(classic_masks.masks),
        widen_ok(1),
        widen(),
        narrow(),
        narrow_ok(1) {
    for (int c = 0; c < 256; c++) widen[c] = narrow[c] = static_cast<char>(c);
  }
};
}  // namespace

extern "C" ctype_char_data CLASSIC_FACET(ctype);
constinit ctype_char_data __hd_classic_ctype;

const ctype_base::mask ctype_base::upper, ctype_base::lower, ctype_base::alpha, ctype_base::digit, ctype_base::xdigit, ctype_base::space,
    ctype_base::print, ctype_base::graph, ctype_base::cntrl, ctype_base::punct, ctype_base::alnum, ctype_base::blank;

const size_t ctype<char>::table_size;
const ctype_base::mask *ctype<char>::classic_table() noexcept { return classic_masks.masks; }
ctype<char>::ctype(const mask *table, bool owned, size_t references)
    : facet(references),
      _M_c_locale_ctype(nullptr),
      _M_del(table != nullptr && owned),
      _M_toupper(nullptr),
      _M_tolower(nullptr),
      _M_table(table != nullptr ? table : classic_table()),
      _M_widen_ok(0),
      _M_widen(),
      _M_narrow(),
      _M_narrow_ok(0) {}
ctype<char>::ctype(__c_locale, const mask *table, bool owned, size_t references) : ctype(table, owned, references) {}
ctype<char>::~ctype() {
  if (_M_del) delete[] _M_table;
}
char ctype<char>::do_toupper(char c) const { return upper_of(c); }
char ctype<char>::do_tolower(char c) const { return lower_of(c); }
const char *ctype<char>::do_toupper(char *low, const char *high) const {
  for (; low < high; low++) *low = upper_of(*low);
  return high;
}
const char *ctype<char>::do_tolower(char *low, const char *high) const {
  for (; low < high; low++) *low = lower_of(*low);
  return high;
}
/* The caches of a facet that a program made stay empty: it may be used by several threads. */
void ctype<char>::_M_narrow_init() const {}
void ctype<char>::_M_widen_init() const {}

/* --- codecvt<char, char>: no conversion --- */

codecvt<char, char, mbstate_t>::codecvt(size_t references) : __codecvt_abstract_base(references), _M_c_locale_codecvt(nullptr) {}
codecvt<char, char, mbstate_t>::codecvt(__c_locale, size_t references) : codecvt(references) {}
codecvt<char, char, mbstate_t>::~codecvt() {}
codecvt_base::result codecvt<char, char, mbstate_t>::do_out(mbstate_t &, const char *from, const char *, const char *&from_next, char *to,
                                                            char *, char *&to_next) const {
  from_next = from;
  to_next = to;
  return noconv;
}
codecvt_base::result codecvt<char, char, mbstate_t>::do_unshift(mbstate_t &, char *to, char *, char *&to_next) const {
  to_next = to;
  return noconv;
}
codecvt_base::result codecvt<char, char, mbstate_t>::do_in(mbstate_t &, const char *from, const char *, const char *&from_next, char *to,
                                                           char *, char *&to_next) const {
  from_next = from;
  to_next = to;
  return noconv;
}
int codecvt<char, char, mbstate_t>::do_encoding() const noexcept { return 1; }
bool codecvt<char, char, mbstate_t>::do_always_noconv() const noexcept { return true; }
int codecvt<char, char, mbstate_t>::do_length(mbstate_t &, const char *from, const char *end, size_t max) const {
  size_t n = static_cast<size_t>(end - from);
  return static_cast<int>(n < max ? n : max);
}
int codecvt<char, char, mbstate_t>::do_max_length() const noexcept { return 1; }

namespace {
extern "C" const void *const codecvt_char_vtable[2] __asm__("_ZTVSt7codecvtIcc11__mbstate_tE");
struct codecvt_char_data {
  heddle::facet_head head;
  __c_locale c_locale;
};
}  // namespace
extern "C" codecvt_char_data CLASSIC_FACET(codecvt);
constinit codecvt_char_data __hd_classic_codecvt = {{codecvt_char_vtable + 2, 1}, nullptr};

}  // namespace std

using codecvt_char = std::codecvt<char, char, mbstate_t>;
FACET_ACCESS(std::ctype<char>, heddle::FACET_CTYPE, std::__hd_classic_ctype)
FACET_ACCESS(codecvt_char, heddle::FACET_CODECVT, std::__hd_classic_codecvt)

/* Numbers in text: numpunct, num_get, and the caches of punctuation that both directions use. num_put is in num_put.cc. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <limits>

#include "facet.h"

namespace std {

/* --- numpunct --- */

namespace {

constexpr char atoms_out[] = "-+xX0123456789abcdef0123456789ABCDEF";
constexpr char atoms_in[] = "-+xX0123456789abcdefABCDEF";

/* __numpunct_cache's layout. */
template <class Char>
struct cache_data {
  heddle::facet_head head;
  const char *grouping;
  size_t grouping_size;
  bool use_grouping;
  const Char *true_name;
  size_t true_size;
  const Char *false_name;
  size_t false_size;
  Char decimal_point, thousands_separator;
  Char out[__num_base::_S_oend], in[__num_base::_S_iend];
  bool allocated;
  constexpr cache_data(const Char *true_text, const Char *false_text)
      : head(),
        grouping(""),
        grouping_size(0),
        use_grouping(false),
        true_name(true_text),
        true_size(4),
        false_name(false_text),
        false_size(5),
        decimal_point('.'),
        thousands_separator(','),
        out(),
        in(),
        allocated(false) {
    for (int i = 0; i < __num_base::_S_oend; i++) out[i] = static_cast<Char>(atoms_out[i]);
    for (int i = 0; i < __num_base::_S_iend; i++) in[i] = static_cast<Char>(atoms_in[i]);
  }
};
constinit cache_data<char> char_cache("true", "false");

extern "C" const void *const numpunct_char_vtable[2] __asm__("_ZTVNSt7__cxx118numpunctIcEE");
extern "C" const void *const num_get_char_vtable[2] __asm__("_ZTVSt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE");
struct numpunct_char_data {
  heddle::facet_head head;
  cache_data<char> *data;
};

}  // namespace

extern "C" numpunct_char_data CLASSIC_FACET(numpunct);
constinit numpunct_char_data __hd_classic_numpunct = {{numpunct_char_vtable + 2, 1}, &char_cache};
extern "C" heddle::facet_head CLASSIC_FACET(num_get);
constinit heddle::facet_head __hd_classic_num_get = {num_get_char_vtable + 2, 1};

/* For facets that programs derive: the C locale's punctuation, which they override. */
template <>
void numpunct<char>::_M_initialize_numpunct(__c_locale) {
  if (_M_data == nullptr) _M_data = new __numpunct_cache<char>;
  _M_data->_M_grouping = "";
  _M_data->_M_decimal_point = '.';
  _M_data->_M_thousands_sep = ',';
  _M_data->_M_truename = "true";
  _M_data->_M_truename_size = 4;
  _M_data->_M_falsename = "false";
  _M_data->_M_falsename_size = 5;
}
template <>
numpunct<char>::~numpunct() {
  delete _M_data;
}

template <>
const __numpunct_cache<char> *__use_cache<__numpunct_cache<char>>::operator()(const locale &where) const {
  locale::_Impl *impl = where._M_impl;
  const size_t i = heddle::FACET_NUMPUNCT;
  if (impl->_M_facets[i] == reinterpret_cast<const locale::facet *>(&__hd_classic_numpunct))
    return reinterpret_cast<const __numpunct_cache<char> *>(&char_cache);
  const locale::facet *found = __atomic_load_n(&impl->_M_caches[i], __ATOMIC_ACQUIRE);
  if (found == nullptr) {
    auto *made = new __numpunct_cache<char>;
    try {
      made->_M_cache(where);
    } catch (...) {
      delete made;
      throw;
    }
    impl->_M_install_cache(made, i);
    found = __atomic_load_n(&impl->_M_caches[i], __ATOMIC_ACQUIRE);
  }
  return static_cast<const __numpunct_cache<char> *>(found);
}

const char *__num_base::_S_atoms_out = atoms_out;
const char *__num_base::_S_atoms_in = atoms_in;

bool __verify_grouping(const char *grouping, size_t size, const string &found) noexcept {
  /* `found` holds the sizes of the groups, leftmost first; all but that one must be what `grouping` says, from the right. */
  const size_t last = found.size() - 1, whole = last < size - 1 ? last : size - 1;
  size_t i = last;
  bool good = true;
  for (size_t j = 0; j < whole && good; j++, i--) good = found[i] == grouping[j];
  for (; i > 0 && good; i--) good = found[i] == grouping[whole];
  if (static_cast<signed char>(grouping[whole]) > 0 && grouping[whole] != numeric_limits<char>::max())
    good = good && found[0] <= grouping[whole];
  return good;
}

/* --- text to floating-point numbers --- */

namespace {

float convert(const char *text, char **end, float) { return strtof(text, end); }
double convert(const char *text, char **end, double) { return strtod(text, end); }
long double convert(const char *text, char **end, long double) { return strtold(text, end); }

template <class T>
void convert_all(const char *text, T &value, ios_base::iostate &state) {
  char *end;
  value = convert(text, &end, T());
  if (end == text || *end != '\0') {
    value = 0;
    state = ios_base::failbit;
  } else if (isinf(value)) {
    value = value > 0 ? numeric_limits<T>::max() : -numeric_limits<T>::max();
    state = ios_base::failbit;
  }
}

}  // namespace

template <>
void __convert_to_v(const char *text, float &value, ios_base::iostate &state, const __c_locale &) noexcept {
  convert_all(text, value, state);
}
template <>
void __convert_to_v(const char *text, double &value, ios_base::iostate &state, const __c_locale &) noexcept {
  convert_all(text, value, state);
}
template <>
void __convert_to_v(const char *text, long double &value, ios_base::iostate &state, const __c_locale &) noexcept {
  convert_all(text, value, state);
}

template class numpunct<char>;
template class num_get<char>;

}  // namespace std

FACET_ACCESS(std::numpunct<char>, heddle::FACET_NUMPUNCT, std::__hd_classic_numpunct)
FACET_ACCESS(std::num_get<char>, heddle::FACET_NUM_GET, std::__hd_classic_num_get)

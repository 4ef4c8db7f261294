/* Comparing text: by its bytes, as the C locale does. */
#include <string.h>

#include "facet.h"

namespace std {

template <>
int collate<char>::_M_compare(const char *a, const char *b) const noexcept {
  int order = strcmp(a, b);
  return order < 0 ? -1 : order > 0;
}
template <>
size_t collate<char>::_M_transform(char *to, const char *from, size_t n) const noexcept {
  return strxfrm(to, from, n);
}

template class collate<char>;
template class collate_byname<char>;

extern "C" const void *const collate_char_vtable[2] __asm__("_ZTVNSt7__cxx117collateIcEE");
struct collate_char_data {
  heddle::facet_head head;
  __c_locale c_locale;
};
extern "C" collate_char_data CLASSIC_FACET(collate);
constinit collate_char_data __hd_classic_collate = {{collate_char_vtable + 2, 1}, nullptr};

}  // namespace std

FACET_ACCESS(std::collate<char>, heddle::FACET_COLLATE, std::__hd_classic_collate)

/* Facets of the classic locale, as constant data.
 *
 * No code runs to set locales up, and nothing of them is shared and written. Ids are constants, too (enum facet_index), so that looking a
 * facet up writes nothing. The classic locale's table leaves out the facets for dates, so that a program takes them only if it uses them:
 * their use_facet() falls back on the classic instance. */
#pragma once
#include <stddef.h>

#include <locale>

namespace heddle {

enum facet_index {
  FACET_CTYPE,
  FACET_CODECVT,
  FACET_NUMPUNCT,
  FACET_NUM_GET,
  FACET_NUM_PUT,
  FACET_COLLATE,
  FACET_TIMEPUNCT,
  FACET_TIME_GET,
  FACET_TIME_PUT,
  FACETS_A_CHARACTER, /* then the same for wchar_t */
  FACETS_KNOWN = 2 * FACETS_A_CHARACTER
};

/* What every facet begins with: locale::facet's vtable pointer and reference count. */
struct facet_head {
  const void *const *vtable;
  int references;
};

/* A constant's address as the facet that it is laid out as. */
template <class Facet, class Data>
const Facet &as_facet(const Data &data) {
  static_assert(sizeof(Data) == sizeof(Facet) && alignof(Data) == alignof(Facet), "the data is laid out as the facet");
  return reinterpret_cast<const Facet &>(data);
}

/* Classic instances that the classic locale's table names; each is defined beside its facet's code. */
#define CLASSIC_FACET(name) __hd_classic_##name __asm__("__hd_classic_" #name)

}  // namespace heddle

/* Defines use_facet and has_facet over a facet's classic instance. */
#define FACET_ACCESS(Facet, index, classic)                                                          \
  template <>                                                                                        \
  const Facet &std::use_facet<Facet>(const std::locale &locale) {                                    \
    const std::locale::facet *found = locale._M_impl->_M_facets[index];                              \
    return found != nullptr ? static_cast<const Facet &>(*found) : heddle::as_facet<Facet>(classic); \
  }                                                                                                  \
  template <>                                                                                        \
  bool std::has_facet<Facet>(const std::locale &) noexcept {                                         \
    return true;                                                                                     \
  }

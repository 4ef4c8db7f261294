/* Locales: the classic one, and copies of it with facets replaced. There are no others: names but "C" and "POSIX" are not valid. */
#include <locale>

#include <string.h>

#include <stdexcept>

#include "facet.h"

namespace std {

using facet = locale::facet;

extern "C" heddle::facet_head CLASSIC_FACET(ctype), CLASSIC_FACET(codecvt), CLASSIC_FACET(numpunct), CLASSIC_FACET(num_get),
    CLASSIC_FACET(num_put), CLASSIC_FACET(collate);
static const void *classic_facets[heddle::FACETS_KNOWN] = {
    &__hd_classic_ctype, &__hd_classic_codecvt, &__hd_classic_numpunct, &__hd_classic_num_get, &__hd_classic_num_put, &__hd_classic_collate,
};
static const void *no_caches[heddle::FACETS_KNOWN];
static char classic_name[] = "C";
static char *classic_names[] = {classic_name};

/* locale::_Impl's layout. Nothing counts references to the classic locale. */
static constinit struct {
  int references;
  const void **facets;
  size_t size;
  const void **caches;
  char **names; /* the first is the name, null if a facet was replaced */
} classic_data = {1, classic_facets, heddle::FACETS_KNOWN, no_caches, classic_names};

/* Written by locale::global() alone, which programs call before they have threads. */
locale::_Impl *locale::_S_classic = reinterpret_cast<locale::_Impl *>(&classic_data);
locale::_Impl *locale::_S_global = reinterpret_cast<locale::_Impl *>(&classic_data);

/* --- facets --- */

locale::facet::~facet() {}
const char locale::facet::_S_c_name[2] = "C";
const char *locale::facet::_S_get_c_name() noexcept { return _S_c_name; }
__c_locale locale::facet::_S_get_c_locale() { return nullptr; }
__c_locale locale::facet::_S_clone_c_locale(__c_locale &) noexcept { return nullptr; }
void locale::facet::_S_destroy_c_locale(__c_locale &) {}
void locale::facet::_S_create_c_locale(__c_locale &c_locale, const char *name, __c_locale) {
  if (strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0) __throw_runtime_error("locale::facet::_S_create_c_locale name not valid");
  c_locale = nullptr;
}

_Atomic_word locale::id::_S_refcount = heddle::FACETS_KNOWN; /* ids given so far */

/* Facets of programs get their numbers when they are first asked for. */
size_t locale::id::_M_id() const noexcept {
  if (_M_index == 0) {
    size_t none = 0, mine = static_cast<size_t>(__atomic_add_fetch(&_S_refcount, 1, __ATOMIC_ACQ_REL));
    __atomic_compare_exchange_n(&_M_index, &none, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  return _M_index - 1;
}

/* --- tables of facets --- */

static const facet **copy_table(const facet *const *from, size_t size, size_t room) {
  auto **to = new const facet *[room];
  for (size_t i = 0; i < room; i++) to[i] = i < size ? from[i] : nullptr;
  return to;
}

locale::_Impl::_Impl(const _Impl &other, size_t references)
    : _M_refcount(static_cast<int>(references)),
      _M_facets(copy_table(other._M_facets, other._M_facets_size, other._M_facets_size)),
      _M_facets_size(other._M_facets_size),
      _M_caches(copy_table(nullptr, 0, other._M_facets_size)),
      _M_names(new char *[_S_categories_size]()) {
  for (size_t i = 0; i < _M_facets_size; i++)
    if (_M_facets[i] != nullptr) _M_facets[i]->_M_add_reference();
  if (other._M_names[0] == nullptr) return;
  _M_names[0] = new char[strlen(other._M_names[0]) + 1];
  strcpy(_M_names[0], other._M_names[0]);
}

locale::_Impl::~_Impl() noexcept {
  for (size_t i = 0; i < _M_facets_size; i++) {
    if (_M_facets[i] != nullptr) _M_facets[i]->_M_remove_reference();
    if (_M_caches[i] != nullptr) _M_caches[i]->_M_remove_reference();
  }
  delete[] _M_names[0];
  delete[] _M_names;
  delete[] _M_facets;
  delete[] _M_caches;
}

/* `added` may be null: the classic facet. */
void locale::_Impl::_M_install_facet(const locale::id *id, const facet *added) {
  size_t i = id->_M_id();
  if (i >= _M_facets_size) {
    size_t room = i + 8;
    const facet **facets = copy_table(_M_facets, _M_facets_size, room);
    const facet **caches = copy_table(_M_caches, _M_facets_size, room);
    delete[] _M_facets;
    delete[] _M_caches;
    _M_facets = facets;
    _M_caches = caches;
    _M_facets_size = room;
  }
  if (added != nullptr) added->_M_add_reference();
  if (_M_facets[i] != nullptr) _M_facets[i]->_M_remove_reference();
  _M_facets[i] = added;
}

void locale::_Impl::_M_replace_facet(const _Impl *other, const locale::id *id) {
  size_t i = id->_M_id();
  _M_install_facet(id, i < other->_M_facets_size ? other->_M_facets[i] : nullptr);
}

/* Several threads may ask for the same cache first. */
void locale::_Impl::_M_install_cache(const facet *cache, size_t i) {
  cache->_M_add_reference();
  const facet *none = nullptr;
  if (!__atomic_compare_exchange_n(&_M_caches[i], &none, cache, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) cache->_M_remove_reference();
}

/* The standard facets of each category. */
static const struct {
  locale::category category;
  const locale::id *id;
} categories[] = {
    {locale::ctype, &ctype<char>::id},      {locale::ctype, &codecvt<char, char, mbstate_t>::id},
    {locale::numeric, &numpunct<char>::id}, {locale::numeric, &num_get<char>::id},
    {locale::numeric, &num_put<char>::id},  {locale::collate, &collate<char>::id},
    {locale::time, &__timepunct<char>::id}, {locale::time, &time_get<char>::id},
    {locale::time, &time_put<char>::id},
};

/* --- locales --- */

locale::locale() noexcept : _M_impl(_S_global) {
  if (_M_impl != _S_classic) _M_impl->_M_add_reference();
}

locale::locale(_Impl *impl) noexcept : _M_impl(impl) {}

locale::locale(const locale &other) noexcept : _M_impl(other._M_impl) {
  if (_M_impl != _S_classic) _M_impl->_M_add_reference();
}

locale::locale(const char *name) : _M_impl(_S_classic) {
  if (name == nullptr) __throw_runtime_error("locale::locale null not valid");
  __c_locale ignored;
  if (*name != '\0') facet::_S_create_c_locale(ignored, name);
}

locale::locale(const locale &base, const char *name, category which) : locale(base, locale(name), which) {}

locale::locale(const locale &base, const locale &added, category which) : _M_impl(new _Impl(*base._M_impl, 1)) {
  for (const auto &c : categories)
    if ((c.category & which) != 0) _M_impl->_M_replace_facet(added._M_impl, c.id);
  if (_M_impl->_M_names[0] != nullptr && added._M_impl->_M_names[0] != nullptr) return;
  delete[] _M_impl->_M_names[0];
  _M_impl->_M_names[0] = nullptr;
}

locale::~locale() noexcept {
  if (_M_impl != _S_classic) _M_impl->_M_remove_reference();
}

const locale &locale::operator=(const locale &other) noexcept {
  if (other._M_impl != _S_classic) other._M_impl->_M_add_reference();
  if (_M_impl != _S_classic) _M_impl->_M_remove_reference();
  _M_impl = other._M_impl;
  return *this;
}

string locale::name() const { return _M_impl->_M_names[0] != nullptr ? _M_impl->_M_names[0] : "*"; }

bool locale::operator==(const locale &other) const noexcept {
  if (_M_impl == other._M_impl) return true;
  const char *a = _M_impl->_M_names[0], *b = other._M_impl->_M_names[0];
  return a != nullptr && b != nullptr && strcmp(a, b) == 0;
}

locale locale::global(const locale &next) {
  _Impl *old = _S_global;
  if (next._M_impl != _S_classic) next._M_impl->_M_add_reference();
  _S_global = next._M_impl;
  return locale(old);
}

const locale &locale::classic() {
  static constinit void *classic = &classic_data; /* laid out as a locale */
  return reinterpret_cast<const locale &>(classic);
}

}  // namespace std

/* The members of the standard exception classes that the headers leave to the library. */
#include <stdexcept>

#include <stdlib.h>
#include <string.h>

#include <functional>
#include <memory>
#include <new>
#include <typeinfo>

namespace std {

exception::~exception() noexcept {}
const char *exception::what() const noexcept { return "std::exception"; }

#define LIBRARY_EXCEPTION(name, text) \
  name::~name() noexcept {}           \
  const char *name::what() const noexcept { return text; }

LIBRARY_EXCEPTION(bad_exception, "std::bad_exception")
LIBRARY_EXCEPTION(bad_alloc, "std::bad_alloc")
LIBRARY_EXCEPTION(bad_array_new_length, "std::bad_array_new_length")
LIBRARY_EXCEPTION(bad_cast, "std::bad_cast")
LIBRARY_EXCEPTION(bad_typeid, "std::bad_typeid")
LIBRARY_EXCEPTION(bad_weak_ptr, "bad_weak_ptr")
LIBRARY_EXCEPTION(bad_function_call, "bad_function_call")

/* The text of an exception. libstdc++ shares it and counts references; a copy for each exception costs memory but no atomic steps.
 * An empty pointer stands for a text that was moved away. */
static const char *copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  void *memory = operator new(size);
  memcpy(memory, text, size);
  return static_cast<const char *>(memory);
}
static const char *copy_text_or_end(const char *text) noexcept { return text != nullptr ? copy_text(text) : nullptr; }

__cow_string::__cow_string() : _M_p(nullptr) {}
__cow_string::__cow_string(const string &text) : _M_p(copy_text(text.c_str())) {}
__cow_string::__cow_string(const char *text, size_t n) : __cow_string(string(text, n)) {}
__cow_string::__cow_string(const __cow_string &other) noexcept : _M_p(copy_text_or_end(other._M_p)) {}
__cow_string::__cow_string(__cow_string &&other) noexcept : _M_p(other._M_p) { other._M_p = nullptr; }
__cow_string::~__cow_string() { operator delete(const_cast<char *>(_M_p)); }
__cow_string &__cow_string::operator=(const __cow_string &other) noexcept {
  if (this != &other) *this = __cow_string(other);
  return *this;
}
__cow_string &__cow_string::operator=(__cow_string &&other) noexcept {
  const char *mine = _M_p;
  _M_p = other._M_p;
  other._M_p = mine;
  return *this;
}

#define EXCEPTION_WITH_TEXT(name)                                                                             \
  name::name(const string &text) : _M_msg(text) {}                                                            \
  name::name(const char *text) : _M_msg(text, strlen(text)) {}                                                \
  name::name(name &&other) noexcept : exception(other), _M_msg(static_cast<__cow_string &&>(other._M_msg)) {} \
  name::name(const name &other) noexcept : exception(other), _M_msg(other._M_msg) {}                          \
  name &name::operator=(name &&other) noexcept {                                                              \
    _M_msg = static_cast<__cow_string &&>(other._M_msg);                                                      \
    return *this;                                                                                             \
  }                                                                                                           \
  name &name::operator=(const name &other) noexcept {                                                         \
    _M_msg = other._M_msg;                                                                                    \
    return *this;                                                                                             \
  }                                                                                                           \
  name::~name() noexcept {}                                                                                   \
  const char *name::what() const noexcept { return _M_msg._M_p != nullptr ? _M_msg._M_p : ""; }

EXCEPTION_WITH_TEXT(logic_error)
EXCEPTION_WITH_TEXT(runtime_error)

#define DERIVED_EXCEPTION(name, base)            \
  name::name(const string &text) : base(text) {} \
  name::name(const char *text) : base(text) {}   \
  name::~name() noexcept {}

DERIVED_EXCEPTION(domain_error, logic_error)
DERIVED_EXCEPTION(invalid_argument, logic_error)
DERIVED_EXCEPTION(length_error, logic_error)
DERIVED_EXCEPTION(out_of_range, logic_error)
DERIVED_EXCEPTION(range_error, runtime_error)
DERIVED_EXCEPTION(overflow_error, runtime_error)
DERIVED_EXCEPTION(underflow_error, runtime_error)

}  // namespace std

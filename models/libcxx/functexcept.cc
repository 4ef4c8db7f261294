/* The functions by which the headers throw, and the failures that compilers report. */
#include <bits/functexcept.h>
#include <cxxabi.h>
#include <stdarg.h>
#include <stdio.h>

#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>
#include <typeinfo>

#include "../hd_model.h"

namespace std {

void __throw_bad_exception() { throw bad_exception(); }
void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_typeid() { throw bad_typeid(); }
void __throw_bad_function_call() { throw bad_function_call(); }

#define THROW_WITH_TEXT(name) \
  void __throw_##name(const char *text) { throw name(text); }
THROW_WITH_TEXT(logic_error)
THROW_WITH_TEXT(domain_error)
THROW_WITH_TEXT(invalid_argument)
THROW_WITH_TEXT(length_error)
THROW_WITH_TEXT(out_of_range)
THROW_WITH_TEXT(runtime_error)
THROW_WITH_TEXT(range_error)
THROW_WITH_TEXT(overflow_error)
THROW_WITH_TEXT(underflow_error)

void __throw_out_of_range_fmt(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw out_of_range(text);
}

void __throw_system_error(int code) { throw system_error(error_code(code, generic_category())); }

}  // namespace std

namespace __cxxabiv1 {
extern "C" {

void __cxa_bad_cast() { throw std::bad_cast(); }
void __cxa_bad_typeid() { throw std::bad_typeid(); }
void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
void __cxa_throw_bad_array_length() { throw std::bad_array_new_length(); }
void __cxa_pure_virtual() { __hd_fail("abort", "pure virtual method called"); }
void __cxa_deleted_virtual() { __hd_fail("abort", "deleted virtual method called"); }

}  // extern "C"
}  // namespace __cxxabiv1

/* std::exception_ptr: references to primary exceptions. */
#include "exception.h"

namespace std {
namespace __exception_ptr {

exception_ptr::exception_ptr(void *object) noexcept : _M_exception_object(object) {
  if (object != nullptr) _M_addref();
}

void exception_ptr::_M_addref() noexcept {
  if (_M_exception_object != nullptr) heddle::retain(heddle::header_of_object(_M_exception_object));
}

void exception_ptr::_M_release() noexcept {
  if (_M_exception_object != nullptr) heddle::release(heddle::header_of_object(_M_exception_object));
  _M_exception_object = nullptr;
}

void *exception_ptr::_M_get() const noexcept { return _M_exception_object; }

const type_info *exception_ptr::__cxa_exception_type() const noexcept {
  return _M_exception_object != nullptr ? heddle::header_of_object(_M_exception_object)->type : nullptr;
}

}  // namespace __exception_ptr

exception_ptr current_exception() noexcept {
  heddle::header *h = heddle::thread_globals()->caught;
  return h == nullptr ? exception_ptr() : exception_ptr(heddle::object_of(h));
}

/* Each rethrow has a header of its own: several threads may handle one exception at the same time. */
void rethrow_exception(exception_ptr pointer) {
  void *object = pointer._M_get();
  if (object == nullptr) terminate();
  auto *dependent = reinterpret_cast<heddle::header *>(__cxxabiv1::__cxa_allocate_dependent_exception());
  dependent->primary = object;
  heddle::retain(heddle::header_of_object(object));
  heddle::thread_globals()->uncaught++;
  heddle::raise(dependent); /* the caller destroys the parameter */
}

nested_exception::~nested_exception() noexcept {}

}  // namespace std

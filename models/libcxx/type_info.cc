/* Run-time type information: the classes of type_info objects, whose vtables say what an object is, and their queries.
 *
 * The machine reads type_info objects natively when it looks for a handler; the virtual members here serve programs and libraries that ask
 * for themselves. */
#include <string.h>

#include "exception.h"

namespace std {

type_info::~type_info() {}
bool type_info::__is_pointer_p() const { return false; }
bool type_info::__is_function_p() const { return false; }
bool type_info::__do_catch(const type_info *thrown, void **, unsigned) const { return *this == *thrown; }
bool type_info::__do_upcast(const __cxxabiv1::__class_type_info *, void **) const { return false; }

}  // namespace std

namespace __cxxabiv1 {

/* The first of these is the key function of its class: clang emits the fundamental types' type_info objects beside it. */
__fundamental_type_info::~__fundamental_type_info() {}
__array_type_info::~__array_type_info() {}
__function_type_info::~__function_type_info() {}
bool __function_type_info::__is_function_p() const { return true; }
__enum_type_info::~__enum_type_info() {}

/* A null pointer for a handler of type `to`: pointers to data members are null as -1, and passed by address like all pointers to members.
 */
static bool catch_null(const __pbase_type_info *to, void **object) {
  static const ptrdiff_t null_data_member = -1;
  static const ptrdiff_t null_function_member[2] = {0, 0};
  if (to->__is_pointer_p())
    *object = nullptr;
  else if (to->__pointee->__is_function_p())
    *object = const_cast<ptrdiff_t *>(null_function_member);
  else
    *object = const_cast<ptrdiff_t *>(&null_data_member);
  return true;
}

/* [except.handle]: qualification conversions, then conversions of what the pointer points to. `outer` bit 0: every level so far is const.
 */
__pbase_type_info::~__pbase_type_info() {}
bool __pbase_type_info::__do_catch(const std::type_info *thrown, void **object, unsigned outer) const {
  if (*this == *thrown) return true;
  if (*thrown == typeid(nullptr)) return catch_null(this, object);
  if (typeid(*this) != typeid(*thrown)) return false;
  const auto *from = static_cast<const __pbase_type_info *>(thrown);
  const unsigned qualifiers = __const_mask | __volatile_mask | __restrict_mask;
  if ((outer & 1) == 0) return false;
  if ((from->__flags & qualifiers & ~__flags) != 0) return false;
  const unsigned function_kinds = __transaction_safe_mask | __noexcept_mask;
  if ((__flags & function_kinds & ~from->__flags) != 0) return false;
  if ((__flags & __const_mask) == 0) outer &= ~1u;
  return __pointer_catch(from, object, outer);
}

__pointer_type_info::~__pointer_type_info() {}
bool __pointer_type_info::__is_pointer_p() const { return true; }
bool __pointer_type_info::__pointer_catch(const __pbase_type_info *thrown, void **object, unsigned outer) const {
  if (outer < 2 && *__pointee == typeid(void)) return !thrown->__pointee->__is_function_p();
  return __pbase_type_info::__pointer_catch(thrown, object, outer);
}

__pointer_to_member_type_info::~__pointer_to_member_type_info() {}
bool __pointer_to_member_type_info::__pointer_catch(const __pbase_type_info *thrown, void **object, unsigned outer) const {
  const auto *from = static_cast<const __pointer_to_member_type_info *>(thrown);
  return *__context == *from->__context && __pbase_type_info::__pointer_catch(thrown, object, outer);
}

__class_type_info::~__class_type_info() {}
bool __class_type_info::__do_catch(const std::type_info *thrown, void **object, unsigned outer) const {
  if (*this == *thrown) return true;
  if (outer >= 4) return false; /* behind two pointers classes do not convert */
  return thrown->__do_upcast(this, object);
}
bool __class_type_info::__do_upcast(const __class_type_info *to, void **object) const {
  const void *base = heddle::upcast(this, to, *object);
  if (base == nullptr) return false;
  *object = const_cast<void *>(base);
  return true;
}

/* libstdc++'s own steps of dynamic_cast, part of the vtables' layout: dynamic_cast.cc does its work without them. */
bool __class_type_info::__do_upcast(const __class_type_info *, const void *, __upcast_result &) const { return false; }
bool __class_type_info::__do_dyncast(ptrdiff_t, __sub_kind, const __class_type_info *, const void *, const __class_type_info *,
                                     const void *, __dyncast_result &) const {
  return false;
}
__class_type_info::__sub_kind __class_type_info::__do_find_public_src(ptrdiff_t, const void *, const __class_type_info *,
                                                                      const void *) const {
  return __unknown;
}

__si_class_type_info::~__si_class_type_info() {}
bool __si_class_type_info::__do_upcast(const __class_type_info *, const void *, __upcast_result &) const { return false; }
bool __si_class_type_info::__do_dyncast(ptrdiff_t, __sub_kind, const __class_type_info *, const void *, const __class_type_info *,
                                        const void *, __dyncast_result &) const {
  return false;
}
__class_type_info::__sub_kind __si_class_type_info::__do_find_public_src(ptrdiff_t, const void *, const __class_type_info *,
                                                                         const void *) const {
  return __unknown;
}

__vmi_class_type_info::~__vmi_class_type_info() {}
bool __vmi_class_type_info::__do_upcast(const __class_type_info *, const void *, __upcast_result &) const { return false; }
bool __vmi_class_type_info::__do_dyncast(ptrdiff_t, __sub_kind, const __class_type_info *, const void *, const __class_type_info *,
                                         const void *, __dyncast_result &) const {
  return false;
}
__class_type_info::__sub_kind __vmi_class_type_info::__do_find_public_src(ptrdiff_t, const void *, const __class_type_info *,
                                                                          const void *) const {
  return __unknown;
}

}  // namespace __cxxabiv1

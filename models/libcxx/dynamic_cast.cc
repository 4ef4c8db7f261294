/* dynamic_cast and conversions to bases, by walking the subobjects of a complete object ([expr.dynamic.cast], Itanium C++ ABI 2.9.7). */
#include "exception.h"

using __cxxabiv1::__base_class_type_info;
using __cxxabiv1::__class_type_info;
using __cxxabiv1::__si_class_type_info;
using __cxxabiv1::__vmi_class_type_info;

namespace heddle {

static const void *virtual_base(const void *object, ptrdiff_t offset) {
  const char *vtable = *static_cast<const char *const *>(object);
  return static_cast<const char *>(object) + *reinterpret_cast<const ptrdiff_t *>(vtable + offset);
}

/* Calls visit(base type, base's address or null, is public) for each direct base. A null object stays null where the place
 * of a virtual base would have to be read from it. */
template <class Visit>
static void each_base(const __class_type_info *type, const void *object, Visit visit) {
  const std::type_info &kind = typeid(*type);
  if (kind == typeid(__si_class_type_info)) {
    visit(static_cast<const __si_class_type_info *>(type)->__base_type, object, true);
    return;
  }
  if (kind != typeid(__vmi_class_type_info)) return;
  const auto *many = static_cast<const __vmi_class_type_info *>(type);
  for (unsigned i = 0; i < many->__base_count; i++) {
    const __base_class_type_info &base = many->__base_info[i];
    const void *place = object;
    if (object != nullptr)
      place = base.__is_virtual_p() ? virtual_base(object, base.__offset()) : static_cast<const char *>(object) + base.__offset();
    visit(base.__base_type, place, base.__is_public_p());
  }
}

/* The subobjects of one type that a walk met. */
struct found {
  const void *first = nullptr;
  bool several = false;
  bool is_public = false; /* some path to it is public */

  void add(const void *object, bool by_public_path) {
    if (first != nullptr && first != object) several = true;
    if (first == nullptr) first = object;
    if (first == object) is_public |= by_public_path;
  }
  const void *only_public() const { return !several && is_public ? first : nullptr; }
};

static void collect(const __class_type_info *type, const void *object, bool by_public_path, const std::type_info *wanted, found *out) {
  if (*type == *wanted) {
    out->add(object, by_public_path);
    return; /* a class does not contain itself */
  }
  each_base(type, object, [&](const __class_type_info *base, const void *place, bool is_public) {
    collect(base, place, by_public_path && is_public, wanted, out);
  });
}

static bool is_class(const std::type_info *type) {
  const std::type_info &kind = typeid(*type);
  return kind == typeid(__class_type_info) || kind == typeid(__si_class_type_info) || kind == typeid(__vmi_class_type_info);
}

const void *upcast(const std::type_info *from, const std::type_info *to, const void *object) noexcept {
  if (*from == *to) return object;
  if (!is_class(from) || object == nullptr) return nullptr;
  found bases;
  collect(static_cast<const __class_type_info *>(from), object, true, to, &bases);
  return bases.only_public();
}

/* How the subobject of type `from` at `object` lies in another: 0 not at all, 1 not publicly, 2 publicly. */
static int contains(const __class_type_info *type, const void *place, bool by_public_path, const __class_type_info *from,
                    const void *object) {
  if (*type == *from) return place != object ? 0 : by_public_path ? 2 : 1;
  int best = 0;
  each_base(type, place, [&](const __class_type_info *base, const void *at, bool is_public) {
    int inside = contains(base, at, by_public_path && is_public, from, object);
    if (inside > best) best = inside;
  });
  return best;
}

/* Collects the subobjects of type `wanted` that contain the source, and whether they do so publicly. */
static void collect_derived(const __class_type_info *type, const void *place, const __class_type_info *wanted,
                            const __class_type_info *from, const void *object, found *out) {
  if (*type == *wanted) {
    int inside = contains(type, place, true, from, object);
    if (inside != 0) out->add(place, inside == 2);
    return;
  }
  each_base(type, place,
            [&](const __class_type_info *base, const void *at, bool) { collect_derived(base, at, wanted, from, object, out); });
}

}  // namespace heddle

extern "C" void *__cxxabiv1::__dynamic_cast(const void *object, const __class_type_info *from, const __class_type_info *to, ptrdiff_t) {
  const void *const *vtable = *static_cast<const void *const *const *>(object);
  const void *whole = static_cast<const char *>(object) + reinterpret_cast<ptrdiff_t>(vtable[-2]);
  const auto *whole_type = static_cast<const __class_type_info *>(vtable[-1]);

  heddle::found derived;
  heddle::collect_derived(whole_type, whole, to, from, object, &derived);
  const void *result = derived.only_public();
  if (result == nullptr && heddle::contains(whole_type, whole, true, from, object) == 2) {
    heddle::found sides;
    heddle::collect(whole_type, whole, true, to, &sides);
    result = sides.only_public();
  }
  return const_cast<void *>(result);
}

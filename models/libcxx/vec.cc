/* Arrays with constructors and destructors: __cxa_vec_* (Itanium C++ ABI 3.3.3). `padding` bytes before the elements end in their number.
 */
#include <cxxabi.h>

#include <new>

using std::size_t;

namespace {

using element_function = __cxxabiv1::__cxa_cdtor_type;

size_t *cookie(void *elements) { return static_cast<size_t *>(elements) - 1; }
char *element(void *elements, size_t i, size_t size) { return static_cast<char *>(elements) + i * size; }

size_t total(size_t count, size_t size, size_t padding) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(bytes, padding, &bytes)) throw std::bad_array_new_length();
  return bytes;
}

/* Destroys elements [0, count), last first. An exception destroys the rest before it leaves; a second one ends the program. */
void destroy(void *elements, size_t count, size_t size, element_function destructor) {
  size_t i = count;
  try {
    while (i > 0) destructor(element(elements, --i, size));
  } catch (...) {
    [&]() noexcept {
      while (i > 0) destructor(element(elements, --i, size));
    }();
    throw;
  }
}

template <class Construct>
void construct(void *elements, size_t count, size_t size, element_function destructor, Construct make) {
  size_t i = 0;
  try {
    for (; i < count; i++) make(i);
  } catch (...) {
    [&]() noexcept {
      if (destructor != nullptr) destroy(elements, i, size, destructor);
    }();
    throw;
  }
}

template <class Free>
void *make_array(void *block, size_t count, size_t size, size_t padding, element_function constructor, element_function destructor,
                 Free release) {
  if (block == nullptr) return nullptr;
  void *elements = static_cast<char *>(block) + padding;
  if (padding != 0) *cookie(elements) = count;
  try {
    __cxxabiv1::__cxa_vec_ctor(elements, count, size, constructor, destructor);
  } catch (...) {
    release(block);
    throw;
  }
  return elements;
}

template <class Free>
void delete_array(void *elements, size_t size, size_t padding, element_function destructor, Free release) {
  if (elements == nullptr) return;
  void *block = static_cast<char *>(elements) - padding;
  size_t count = padding != 0 ? *cookie(elements) : 0;
  try {
    if (padding != 0 && destructor != nullptr) destroy(elements, count, size, destructor);
  } catch (...) {
    release(block, count * size + padding);
    throw;
  }
  release(block, count * size + padding);
}

}  // namespace

namespace __cxxabiv1 {
extern "C" {

__cxa_vec_ctor_return_type __cxa_vec_ctor(void *elements, size_t count, size_t size, element_function constructor,
                                          element_function destructor) {
  if (constructor != nullptr) construct(elements, count, size, destructor, [&](size_t i) { constructor(element(elements, i, size)); });
}

__cxa_vec_ctor_return_type __cxa_vec_cctor(void *to, void *from, size_t count, size_t size, void (*constructor)(void *, void *),
                                           element_function destructor) {
  if (constructor != nullptr)
    construct(to, count, size, destructor, [&](size_t i) { constructor(element(to, i, size), element(from, i, size)); });
}

void __cxa_vec_dtor(void *elements, size_t count, size_t size, element_function destructor) {
  if (destructor != nullptr) destroy(elements, count, size, destructor);
}

void __cxa_vec_cleanup(void *elements, size_t count, size_t size, element_function destructor) noexcept {
  if (destructor != nullptr) destroy(elements, count, size, destructor);
}

void *__cxa_vec_new(size_t count, size_t size, size_t padding, element_function constructor, element_function destructor) {
  return make_array(operator new[](total(count, size, padding)), count, size, padding, constructor, destructor,
                    [](void *block) { operator delete[](block); });
}

void *__cxa_vec_new2(size_t count, size_t size, size_t padding, element_function constructor, element_function destructor,
                     void *(*allocate)(size_t), void (*release)(void *)) {
  return make_array(allocate(total(count, size, padding)), count, size, padding, constructor, destructor,
                    [&](void *block) { release(block); });
}

void *__cxa_vec_new3(size_t count, size_t size, size_t padding, element_function constructor, element_function destructor,
                     void *(*allocate)(size_t), void (*release)(void *, size_t)) {
  size_t bytes = total(count, size, padding);
  return make_array(allocate(bytes), count, size, padding, constructor, destructor, [&](void *block) { release(block, bytes); });
}

void __cxa_vec_delete(void *elements, size_t size, size_t padding, element_function destructor) {
  delete_array(elements, size, padding, destructor, [](void *block, size_t) { operator delete[](block); });
}

void __cxa_vec_delete2(void *elements, size_t size, size_t padding, element_function destructor, void (*release)(void *)) {
  delete_array(elements, size, padding, destructor, [&](void *block, size_t) { release(block); });
}

void __cxa_vec_delete3(void *elements, size_t size, size_t padding, element_function destructor, void (*release)(void *, size_t)) {
  delete_array(elements, size, padding, destructor, release);
}

}  // extern "C"
}  // namespace __cxxabiv1

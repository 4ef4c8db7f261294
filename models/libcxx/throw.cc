/* Throwing, catching and rethrowing: the __cxa_* half that compilers call. The machine unwinds (__hd_unwind_raise). */
#include <stdlib.h>
#include <string.h>

#include <new>

#include "../hd_model.h"
#include "exception.h"

namespace heddle {

static thread_local globals current;

globals *thread_globals() noexcept { return &current; }

/* "GNUCC++\0": what marks an exception as C++ for foreign unwinders. */
static const uint64_t class_name = 0x474e5543432b2b00u;

void retain(header *primary) noexcept {
  if (!primary->shared) primary->shared = true; /* no store if it is set: other threads read it */
  __atomic_add_fetch(&primary->references, 1, __ATOMIC_RELAXED);
}

void release(header *primary) noexcept {
  if (primary->shared && __atomic_sub_fetch(&primary->references, 1, __ATOMIC_ACQ_REL) != 0) return;
  if (primary->destroy != nullptr) primary->destroy(primary + 1);
  free(primary);
}

static void end_unwind(int, void *unwind) {
  header *h = header_of_unwind(unwind);
  header *primary = primary_of(h);
  if (h != primary) free(h);
  release(primary);
}

static void prepare(header *h) {
  h->unwind.class_name = class_name;
  h->unwind.cleanup = end_unwind;
}

void raise(header *h) {
  void *object = object_of(h);
  h->adjusted = object;
  __hd_unwind_raise(&h->unwind, primary_of(h)->type, object, &h->adjusted);
  __cxxabiv1::__cxa_begin_catch(&h->unwind);
  terminate_now();
}

}  // namespace heddle

using heddle::header;

namespace __cxxabiv1 {
extern "C" {

struct __cxa_refcounted_exception : header {};

__cxa_eh_globals *__cxa_get_globals() noexcept { return reinterpret_cast<__cxa_eh_globals *>(heddle::thread_globals()); }
__cxa_eh_globals *__cxa_get_globals_fast() noexcept { return __cxa_get_globals(); }

void *__cxa_allocate_exception(size_t size) noexcept {
  void *memory = malloc(sizeof(header) + size);
  if (memory == nullptr) std::terminate();
  memset(memory, 0, sizeof(header));
  return static_cast<header *>(memory) + 1;
}

void __cxa_free_exception(void *object) noexcept { free(heddle::header_of_object(object)); }

__cxa_refcounted_exception *__cxa_init_primary_exception(void *object, std::type_info *type, void (*destroy)(void *)) noexcept {
  header *h = heddle::header_of_object(object);
  h->type = type;
  h->destroy = destroy;
  heddle::prepare(h);
  return static_cast<__cxa_refcounted_exception *>(h);
}

__cxa_dependent_exception *__cxa_allocate_dependent_exception() noexcept {
  header *h = static_cast<header *>(calloc(1, sizeof(header)));
  if (h == nullptr) std::terminate();
  heddle::prepare(h);
  return reinterpret_cast<__cxa_dependent_exception *>(h);
}

void __cxa_free_dependent_exception(__cxa_dependent_exception *dependent) noexcept { free(dependent); }

void __cxa_throw(void *object, std::type_info *type, void (*destroy)(void *)) {
  header *h = __cxa_init_primary_exception(object, type, destroy);
  h->references = 1;
  heddle::thread_globals()->uncaught++;
  heddle::raise(h);
}

void *__cxa_get_exception_ptr(void *unwind) noexcept { return heddle::header_of_unwind(unwind)->adjusted; }

void *__cxa_begin_catch(void *unwind) noexcept {
  heddle::globals *g = heddle::thread_globals();
  header *h = heddle::header_of_unwind(unwind);
  h->handlers = h->handlers < 0 ? 1 - h->handlers : h->handlers + 1;
  g->uncaught--;
  if (h != g->caught) {
    h->next = g->caught;
    g->caught = h;
  }
  return h->adjusted;
}

void __cxa_end_catch() {
  heddle::globals *g = heddle::thread_globals();
  header *h = g->caught;
  if (h == nullptr) return;
  if (h->handlers < 0) { /* rethrown: its next handler owns it */
    if (++h->handlers == 0) g->caught = h->next;
    return;
  }
  if (--h->handlers > 0) return;
  g->caught = h->next;
  heddle::end_unwind(0, &h->unwind);
}

void __cxa_rethrow() {
  heddle::globals *g = heddle::thread_globals();
  if (g->caught == nullptr) std::terminate();
  g->uncaught++;
  g->caught->handlers = -g->caught->handlers;
  heddle::raise(g->caught);
}

std::type_info *__cxa_current_exception_type() noexcept {
  header *h = heddle::thread_globals()->caught;
  return h == nullptr ? nullptr : const_cast<std::type_info *>(heddle::primary_of(h)->type);
}

/* Entered from a function whose dynamic exception specification was violated. */
[[noreturn]] void __cxa_call_unexpected(void *unwind) {
  __cxa_begin_catch(unwind);
  std::unexpected();
}

/* Entered from a function that does not let exceptions out (compilers other than clang). */
[[noreturn]] void __cxa_call_terminate(void *unwind) noexcept {
  __cxa_begin_catch(unwind);
  heddle::terminate_now();
}

void _Unwind_DeleteException(void *unwind) {
  void (*cleanup)(int, void *) = heddle::header_of_unwind(unwind)->unwind.cleanup;
  if (cleanup != nullptr) cleanup(1, unwind);
}

/* Functions with landing pads name it; the machine unwinds and never calls it. */
int __gxx_personality_v0(...) { __hd_unsupported("__gxx_personality_v0", "unwinding is the machine's"); }

}  // extern "C"

__forced_unwind::~__forced_unwind() throw() {}
__foreign_exception::~__foreign_exception() throw() {}
}  // namespace __cxxabiv1

bool std::uncaught_exception() noexcept { return heddle::thread_globals()->uncaught != 0; }
int std::uncaught_exceptions() noexcept { return static_cast<int>(heddle::thread_globals()->uncaught); }

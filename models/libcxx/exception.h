/* The in-memory form of a C++ exception: the Itanium C++ ABI's exception header in libstdc++'s variant.
 *
 *     [struct header | thrown object]           a primary exception: what `throw` makes
 *     [struct header]                           a dependent one: what std::rethrow_exception makes; `primary` is the object
 *
 * Landing pads and the machine see &header.unwind. Invariants:
 *   1. `shared` is set once an exception_ptr to a primary exception exists, by the thread that handles it; only then is the reference count
 *      accessed atomically, so that exceptions that stay in their thread cost no visible step.
 *   2. `handlers` counts the handlers that are active for this header; negative while it is being rethrown. */
#pragma once
#include <cxxabi.h>
#include <stddef.h>
#include <stdint.h>

#include <exception>
#include <typeinfo>

namespace heddle {

struct header {
  const std::type_info *type; /* of a primary exception */
  void (*destroy)(void *);
  header *next;  /* in the stack of caught exceptions of its thread */
  void *primary; /* dependent: the primary exception's object; else null */
  int handlers;
  int references;
  bool shared;
  void *adjusted; /* what the handler's parameter refers to: written by the machine */
  alignas(16) struct {
    uint64_t class_name;
    void (*cleanup)(int reason, void *exception);
    uint64_t private_words[2];
  } unwind;
};
static_assert(sizeof(header) % 16 == 0, "the thrown object follows the header");

struct globals {
  header *caught;
  unsigned uncaught;
};

inline header *header_of_unwind(void *unwind) { return reinterpret_cast<header *>(static_cast<char *>(unwind) - offsetof(header, unwind)); }
inline header *header_of_object(void *object) { return static_cast<header *>(object) - 1; }
inline void *object_of(header *h) { return h->primary != nullptr ? h->primary : h + 1; }
/* The header that holds type and destructor. */
inline header *primary_of(header *h) { return h->primary != nullptr ? header_of_object(h->primary) : h; }

globals *thread_globals() noexcept;
/* Another reference to a primary exception. */
void retain(header *primary) noexcept;
void release(header *primary) noexcept;
/* Unwinds to a handler for `h`; ends the program if there is none. */
[[noreturn]] void raise(header *h);
/* Unwinding is impossible: calls the terminate handler. */
[[noreturn]] void terminate_now() noexcept;
/* Ends the execution with a finding that names the current exception. */
[[noreturn]] void fail_for_exception();

/* Converts a pointer to an object of type `from` to its public, unambiguous base `to`; null if there is none. */
const void *upcast(const std::type_info *from, const std::type_info *to, const void *object) noexcept;

}  // namespace heddle

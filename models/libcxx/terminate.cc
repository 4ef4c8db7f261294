/* std::terminate and what a program says when it ends that way. */
#include <stdio.h>
#include <exception>

#include "../hd_model.h"
#include "exception.h"

namespace heddle {

/* A handler is code: replaced rarely, read at the end. */
static std::terminate_handler on_terminate = fail_for_exception;
static std::unexpected_handler on_unexpected = terminate_now;

void terminate_now() noexcept {
  std::get_terminate()();
  __hd_fail("abort", "a terminate handler returned");
}

/* Evaluates what() of an exception whose what() may throw. */
static const char *what_of(const std::exception *e) noexcept {
  try {
    return e->what();
  } catch (...) {
    return nullptr;
  }
}

void fail_for_exception() {
  header *h = thread_globals()->caught;
  if (h == nullptr) __hd_fail("abort", "std::terminate was called");
  header *primary = primary_of(h);
  int status = 0;
  char *name = __cxxabiv1::__cxa_demangle(primary->type->name(), nullptr, nullptr, &status);
  if (name == nullptr) name = const_cast<char *>(primary->type->name());
  const void *base = upcast(primary->type, &typeid(std::exception), primary + 1);
  const char *what = base != nullptr ? what_of(static_cast<const std::exception *>(base)) : nullptr;
  char message[1024];
  if (what != nullptr)
    snprintf(message, sizeof message, "uncaught exception of type %s: %s", name, what);
  else
    snprintf(message, sizeof message, "uncaught exception of type %s", name);
  __hd_fail("uncaught-exception", message);
}

}  // namespace heddle

namespace std {

terminate_handler get_terminate() noexcept { return __atomic_load_n(&heddle::on_terminate, __ATOMIC_ACQUIRE); }
terminate_handler set_terminate(terminate_handler handler) noexcept {
  return __atomic_exchange_n(&heddle::on_terminate, handler != nullptr ? handler : heddle::fail_for_exception, __ATOMIC_ACQ_REL);
}
void terminate() noexcept { heddle::terminate_now(); }

unexpected_handler get_unexpected() noexcept { return __atomic_load_n(&heddle::on_unexpected, __ATOMIC_ACQUIRE); }
unexpected_handler set_unexpected(unexpected_handler handler) noexcept {
  return __atomic_exchange_n(&heddle::on_unexpected, handler != nullptr ? handler : heddle::terminate_now, __ATOMIC_ACQ_REL);
}
void unexpected() {
  get_unexpected()();
  heddle::terminate_now();
}

}  // namespace std

namespace __gnu_cxx {
void __verbose_terminate_handler() { heddle::fail_for_exception(); }
}  // namespace __gnu_cxx

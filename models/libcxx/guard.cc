/* Initialisation of local statics.
 *
 * clang tests byte 0 of the guard itself (an acquire load) and calls here only while it is 0. Word 1 is 1 while a thread initialises.
 * A thread that waits for its own initialisation waits for ever: the deadlock is reported where the recursion is. */
#include "../hd_model.h"

extern "C" {

static char *done_byte(long long *guard) { return reinterpret_cast<char *>(guard); }
static int *busy_word(long long *guard) { return reinterpret_cast<int *>(guard) + 1; }

int __cxa_guard_acquire(long long *guard) {
  __hd_await(busy_word(guard), 0, 1);
  if (__atomic_load_n(done_byte(guard), __ATOMIC_ACQUIRE) == 0) return 1;
  __atomic_store_n(busy_word(guard), 0, __ATOMIC_RELEASE);
  return 0;
}

void __cxa_guard_release(long long *guard) {
  __atomic_store_n(done_byte(guard), 1, __ATOMIC_RELEASE);
  __atomic_store_n(busy_word(guard), 0, __ATOMIC_RELEASE);
}

void __cxa_guard_abort(long long *guard) { __atomic_store_n(busy_word(guard), 0, __ATOMIC_RELEASE); }
}

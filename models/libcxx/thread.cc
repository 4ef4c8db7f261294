/* Threads (see also start.cc), condition variables and once, over the machine's POSIX threads. */
#include <thread>

#include <pthread.h>
#include <condition_variable>
#include <mutex>
#include <system_error>

#include "park.h"

namespace std {

thread::_State::~_State() = default;

/* A fixed number: what a program does must not depend on the machine it is checked on. */
unsigned thread::hardware_concurrency() noexcept { return 2; }

condition_variable::condition_variable() noexcept = default;
condition_variable::~condition_variable() noexcept = default;
void condition_variable::wait(unique_lock<mutex> &lock) { _M_cond.wait(*lock.mutex()); }
void condition_variable::notify_one() noexcept { _M_cond.notify_one(); }
void condition_variable::notify_all() noexcept { _M_cond.notify_all(); }

/* What std::call_once runs in this thread. */
__thread void *__once_callable;
__thread void (*__once_call)();
extern "C" void __once_proxy() { __once_call(); }

enum { ONCE_NEW = 0, ONCE_RUNNING = 1, ONCE_DONE = 2 }; /* as in models/libc/thread.c */

/* What pthread_once() does for __once_proxy: a function that throws counts as not called, and another thread may try. The C library's model
 * calls it if it is there, which is no reason to link it. */
extern "C" [[gnu::used]] void __hd_call_once(int *word) {
  for (;;) {
    int state = ONCE_NEW;
    if (__atomic_compare_exchange_n(word, &state, ONCE_RUNNING, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) break;
    if (state == ONCE_DONE) return;
    heddle::park(word, ONCE_RUNNING, nullptr, CLOCK_MONOTONIC);
  }
  auto finish = [&](int state) {
    __atomic_store_n(word, state, __ATOMIC_SEQ_CST);
    heddle::unpark(word, 1u << 30);
  };
  try {
    __once_proxy();
  } catch (...) {
    finish(ONCE_NEW);
    throw;
  }
  finish(ONCE_DONE);
}

}  // namespace std

/* Threads, condition variables and once, over the machine's POSIX threads. */
#include <thread>

#include <errno.h>
#include <pthread.h>
#include <condition_variable>
#include <mutex>
#include <system_error>

/* glibc's hint that counters need not be atomic: never, because which thread counts is what is explored. A constant, so that
 * reading it is no step. */
extern "C" const char never_single_threaded __asm__("__libc_single_threaded");
const char never_single_threaded = 0;

namespace std {

thread::_State::~_State() = default;

/* The thread owns its state and destroys it when the function is done. */
static void *run_thread(void *memory) {
  thread::_State_ptr state{static_cast<thread::_State *>(memory)};
  state->_M_run();
  return nullptr;
}

void thread::_M_start_thread(_State_ptr state, void (*)()) {
  int code = pthread_create(&_M_id._M_thread, nullptr, run_thread, state.get());
  if (code != 0) __throw_system_error(code);
  state.release();
}

void thread::join() {
  int code = _M_id != id() ? pthread_join(_M_id._M_thread, nullptr) : EINVAL;
  if (code != 0) __throw_system_error(code);
  _M_id = id();
}

void thread::detach() {
  int code = _M_id != id() ? pthread_detach(_M_id._M_thread) : EINVAL;
  if (code != 0) __throw_system_error(code);
  _M_id = id();
}

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

}  // namespace std

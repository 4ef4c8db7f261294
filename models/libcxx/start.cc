/* How threads begin and end, over POSIX threads. */
#include <errno.h>
#include <pthread.h>
#include <system_error>
#include <thread>

namespace std {

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

}  // namespace std

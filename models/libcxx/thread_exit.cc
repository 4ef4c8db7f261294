/* What happens when a thread ends, after its thread-local objects: std::notify_all_at_thread_exit and the *_at_thread_exit members of
 * promises. */
#include <condition_variable>
#include <future>
#include <mutex>

namespace {

struct entries {
  std::__at_thread_exit_elt *first = nullptr;
  ~entries() {
    while (first != nullptr) {
      std::__at_thread_exit_elt *e = first;
      first = e->_M_next;
      e->_M_cb(e);
    }
  }
};
thread_local entries at_exit;

void add(std::__at_thread_exit_elt *e, void (*run)(void *)) {
  e->_M_cb = run;
  e->_M_next = at_exit.first;
  at_exit.first = e;
}

struct notification : std::__at_thread_exit_elt {
  std::condition_variable *condition;
  std::mutex *locked;

  static void notify(void *memory) {
    auto *n = static_cast<notification *>(memory);
    n->locked->unlock();
    n->condition->notify_all();
    delete n;
  }
};

}  // namespace

namespace std {

void notify_all_at_thread_exit(condition_variable &condition, unique_lock<mutex> lock) {
  auto *n = new notification;
  n->condition = &condition;
  n->locked = lock.release();
  add(n, notification::notify);
}

void __future_base::_State_baseV2::_Make_ready::_M_set() { add(this, _S_run); }

void __future_base::_State_baseV2::_Make_ready::_S_run(void *memory) {
  unique_ptr<_Make_ready> made{static_cast<_Make_ready *>(memory)};
  if (shared_ptr<_State_baseV2> state = made->_M_shared_state.lock())
    state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
}

}  // namespace std

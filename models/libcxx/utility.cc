/* Small parts: clocks, random devices, locks of atomic shared pointers. */
#include <pthread.h>
#include <time.h>

#include <chrono>
#include <memory>
#include <random>

namespace std {
namespace chrono {
inline namespace _V2 {

static nanoseconds now_on(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

system_clock::time_point system_clock::now() noexcept { return time_point(duration(now_on(CLOCK_REALTIME))); }
steady_clock::time_point steady_clock::now() noexcept { return time_point(duration(now_on(CLOCK_MONOTONIC))); }

}  // namespace _V2
}  // namespace chrono

extern "C" void __hd_random_bytes(void *to, size_t n);

/* An execution depends on its schedule and input alone; what a device gives is sampled. */
void random_device::_M_init(const string &) {}
void random_device::_M_init_pretr1(const string &token) { _M_init(token); }
void random_device::_M_fini() {}
random_device::result_type random_device::_M_getval() {
  result_type value;
  __hd_random_bytes(&value, sizeof value);
  return value;
}
random_device::result_type random_device::_M_getval_pretr1() { return _M_getval(); }
double random_device::_M_getentropy() const noexcept { return 0; }

namespace {

/* One lock for each of 16 classes of addresses; two pointers' locks are taken in order. */
pthread_mutex_t pointer_locks[16] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};
unsigned char class_of(const void *pointer) { return static_cast<unsigned char>(reinterpret_cast<uintptr_t>(pointer) / 16 % 16); }

}  // namespace

_Sp_locker::_Sp_locker(const void *pointer) noexcept : _M_key1(class_of(pointer)), _M_key2(_M_key1) {
  pthread_mutex_lock(&pointer_locks[_M_key1]);
}
_Sp_locker::_Sp_locker(const void *a, const void *b) noexcept : _M_key1(class_of(a)), _M_key2(class_of(b)) {
  if (_M_key1 > _M_key2) swap(_M_key1, _M_key2);
  pthread_mutex_lock(&pointer_locks[_M_key1]);
  if (_M_key1 != _M_key2) pthread_mutex_lock(&pointer_locks[_M_key2]);
}
_Sp_locker::~_Sp_locker() {
  if (_M_key1 != _M_key2) pthread_mutex_unlock(&pointer_locks[_M_key2]);
  pthread_mutex_unlock(&pointer_locks[_M_key1]);
}

}  // namespace std

/* Futures: errors, results, and the wait for a result. */
#include <future>

#include "../hd_model.h"
#include "park.h"

namespace std {

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

future_error::~future_error() noexcept = default;
const char *future_error::what() const noexcept { return logic_error::what(); }
void __throw_future_error(int code) { throw future_error(make_error_code(static_cast<future_errc>(code))); }

namespace {

struct category final : error_category {
  const char *name() const noexcept override { return "future"; }
  string message(int code) const override {
    switch (static_cast<future_errc>(code)) {
      case future_errc::promise_already_satisfied:
        return "Promise already satisfied";
      case future_errc::future_already_retrieved:
        return "Future already retrieved";
      case future_errc::no_state:
        return "No associated state";
      case future_errc::broken_promise:
        return "Broken promise";
    }
    return "Unknown error";
  }
};

union lasting {
  category object;
  constexpr lasting() : object() {}
  ~lasting() {}
};
constinit lasting the_category;

}  // namespace

const error_category &future_category() noexcept { return the_category.object; }

/* The word is a future's status: bit 31 says that threads wait, and bit 0, once set, that the result is there. Both may be set: a thread
 * that comes to wait when the result has just been given says so all the same. A wait without a limit needs no queue: it is blocked until
 * bit 0 is set. */
static bool wait_for_change(unsigned *word, unsigned value, const timespec *until, clockid_t clock) {
  if (until != nullptr) return heddle::park(reinterpret_cast<int *>(word), static_cast<int>(value), until, clock) != ETIMEDOUT;
  __hd_await_masked(reinterpret_cast<int *>(word), 1, 1);
  return true;
}

bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned *word, unsigned value, bool limited, chrono::seconds seconds,
                                                       chrono::nanoseconds nanoseconds) {
  timespec until = {static_cast<time_t>(seconds.count()), static_cast<long>(nanoseconds.count())};
  return wait_for_change(word, value, limited ? &until : nullptr, CLOCK_REALTIME);
}

bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned *word, unsigned value, bool limited, chrono::seconds seconds,
                                                              chrono::nanoseconds nanoseconds) {
  timespec until = {static_cast<time_t>(seconds.count()), static_cast<long>(nanoseconds.count())};
  return wait_for_change(word, value, limited ? &until : nullptr, CLOCK_MONOTONIC);
}

void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned *word) { heddle::unpark(reinterpret_cast<int *>(word), 1u << 30); }

}  // namespace std

/* finds: data race A B; fixed: nothing; everywhere. Exceptions that threads share end behind the last thread's use, whichever thread that is. */
#include <exception>
#include <future>
#include <thread>

#include "moment.h"

struct failure {
  int *counted, value;
  failure(int *c, int v) : counted(c), value(v) {}
  failure(const failure &) = default;
  ~failure() { value = 0; }
};

/* A promise that is broken: one thread looks at the exception while the other one gives it back, and lets it end. */
static int looked;
static void last_is_thread() {
  std::promise<void> p;
  std::future<void> f = p.get_future();
  std::thread t([&] {
    std::exception_ptr mine;
    {
      auto e = std::make_exception_ptr(failure(&looked, 7));
      p.set_exception(e);
      mine = e;
    }
    moment_await(0);
    mine = nullptr;
  });
  try {
    f.get();
  } catch (const failure &e) {
    looked += e.value;
  }
  f = std::future<void>();
  p = std::promise<void>();
  moment_reach(0);
  t.join();
}

/* The other way round: a thread handles it, and is done before main() gives it back. */
static void last_is_main() {
  std::exception_ptr shared;
  try {
    throw failure(&looked, 5);
  } catch (...) {
    shared = std::current_exception();
  }
  std::thread t([copy = shared]() mutable {
    int sum = 0;
    try {
      std::rethrow_exception(std::move(copy));
    } catch (const failure &e) {
      sum = e.value;
    }
    moment_reach(sum > 0);
  });
  moment_await(1);
  shared = nullptr;
  t.join();
}

/* An exception orders nothing by itself. */
static int unordered;
static void raced() {
  std::thread t([] {
    try {
      throw 1;
    } catch (int) {
      unordered = 1; /* @A */
    }
  });
#ifndef BROKEN
  t.join();
#endif
  try {
    throw 2;
  } catch (int) {
    unordered = 2; /* @B */
  }
  if (t.joinable()) t.join();
}

int main() {
  last_is_thread();
  last_is_main();
  raced();
  return looked == 7 && unordered ? 0 : 1;
}

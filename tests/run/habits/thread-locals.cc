// finds: data race A A; fixed: nothing. analysis: ovp. quickly. Thread-local objects with destructors, threads that begin before main() does, static locals, and exceptions that cross threads.
#include <cstdlib>
#include <exception>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fixed.h"

static std::mutex mutex;
static std::vector<std::string> ended;
static int unguarded;

struct named {
  std::string name = "thread ";
  ~named() {
    lock();
    unguarded++; // @A
    unlock();
    std::lock_guard guard(mutex);
    ended.push_back(name);
  }
};
static thread_local named mine;
static thread_local std::vector<int> numbers(10, 1);

struct early {
  std::thread thread;
  size_t seen = 0;
  early() {
    thread = std::thread([this] { seen = numbers.size(); });
  }
};
static early begun;

struct slow {
  int value;
  slow() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    value = 7;
  }
};
static slow &the_slow() {
  static slow one;
  return one;
}

static int fails(int n) {
  std::string text(n, 'a');
  if (n == 0) throw std::runtime_error("failed");
  return fails(n - 1) + (int)text.size();
}
static void work(int i) {
  mine.name += std::to_string(i);
  numbers.push_back(i);
  if (the_slow().value != 7) std::abort();
  for (int k = 0; k < 10; k++) try {
      fails(20);
    } catch (const std::exception &e) {
      if (e.what() != std::string("failed")) std::abort();
    }
}

int main() {
  std::vector<std::thread> threads;
  std::exception_ptr handed;
  begun.thread.join();
  for (int i = 0; i < 4; i++) threads.emplace_back(work, i);
  for (auto &t : threads) t.join();
  auto result = std::async(std::launch::async, fails, 5);
  try {
    result.get();
    return 1;
  } catch (const std::runtime_error &) {
  }
  std::thread([&] {
    try {
      fails(3);
    } catch (...) {
      handed = std::current_exception();
    }
  }).join();
  try {
    std::rethrow_exception(handed);
  } catch (const std::runtime_error &) {
  }
  std::lock_guard guard(mutex);
  return begun.seen != 10 || ended.size() < 4;
}

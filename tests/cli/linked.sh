# heddle run: all ways of linking a program that is to be watched.
. "$(dirname "$0")/lib.sh"

cat >parts.cc <<'END'
#include <condition_variable>
#include <future>
#include <iostream>
#include <list>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>
struct table {
  std::map<std::string, int> numbers;
  std::list<int> order{3, 1, 2};
  table() { numbers["one"] = 1, order.sort(); }
};
static table &the_table() {
  static table t;
  return t;
}
static int fails_once() {
  static int times;
  static int value = times++ == 0 ? throw std::runtime_error("first") : 7;
  return value;
}
static std::mutex lock;
static std::condition_variable changed;
static bool ready;
static volatile int shared;
int main(int argc, char **) {
  std::thread t([] {
    the_table();
    shared = 1;
    std::lock_guard<std::mutex> guard(lock);
    the_table().numbers["two"] = 2, ready = true;
    changed.notify_one();
  });
  shared = 2; // races
  {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [] { return ready; });
  }
  t.join();
  int sum = 0;
  try {
    sum += fails_once();
  } catch (const std::exception &e) {
    sum += e.what()[0] == 'f';
  }
  sum += fails_once();
  std::promise<int> promise;
  std::thread u([&] {
    if (argc > 1)
      promise.set_value(100);
    else
      promise.set_value_at_thread_exit(100); // not seen if the C++ library is a part of the program
  });
  sum += promise.get_future().get();
  u.join();
  sum += std::async(std::launch::async, [] { return 1000; }).get();
  std::ostringstream out;
  for (auto &n : the_table().numbers) out << n.first << n.second;
  for (int n : the_table().order) out << n;
  std::cout << out.str() << sum << std::endl;
}
END

check_parts() {
  case $what in
    *-static-libstdc++*) run run --exit-code=66 ./parts own ;;
    *) run run --exit-code=66 ./parts ;;
  esac
  ran="$what"
  expect_code 66
  expect_line out "one1two21231108"
  expect_in err "parts.cc:36"
  expect_in err "Heddle: 1 finding (data-race: 1)"
}
# What links, and with which flags.
try() {
  what="$*"
  "$@" -g -o parts || fail "$what"
  check_parts
}

"$heddle" c++ -g -fheddle=run -c parts.cc -o cc.o || fail "heddle c++"
g++ -g -fsanitize=thread -c parts.cc -o gcc.o || fail "g++"
clang++-19 -g -fsanitize=thread -c parts.cc -o clang.o || fail "clang++"
for flags in '' '-static-libgcc' '-static-libstdc++' '-static-libstdc++ -static-libgcc'; do
  # shellcheck disable=SC2086
  for carried in '' -static-libsan; do
    try "$heddle" c++ -fheddle=run $flags $carried cc.o
    case $flags in
      -static-libstdc++*) try "$heddle" link --with=g++ $flags $carried gcc.o ;;
    esac
  done
done
# shellcheck disable=SC2086
for flags in '' '-static-libstdc++ -static-libgcc'; do
  try "$heddle" link $flags clang.o
  try g++ -fsanitize=thread $flags gcc.o
  try clang++-19 -fsanitize=thread -shared-libsan $flags clang.o
done

# ThreadSanitizer's runtime in the program is none of ours, whoever put it there.
g++ -fsanitize=thread -static-libtsan gcc.o -o own && run run ./own
expect_code 2
expect_in err "contains ThreadSanitizer's own runtime"

done_testing

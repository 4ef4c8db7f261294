// Two accounts are locked in the order of the arguments.
// confirms: deadlock 1
#include <chrono>
#include <iostream>
#include <mutex>
#include <thread>

struct account {
  std::mutex lock;
  long cents = 100;
};

static void pay(account &from, account &to, long cents) {
  std::lock_guard<std::mutex> one(from.lock), two(to.lock);
  from.cents -= cents, to.cents += cents;
}

int main() {
  account a, b;
  std::thread x([&] { pay(a, b, 10); });
  std::thread y([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    pay(b, a, 20);
  });
  x.join();
  y.join();
  std::cout << a.cents << ' ' << b.cents << '\n';
  return 0;
}

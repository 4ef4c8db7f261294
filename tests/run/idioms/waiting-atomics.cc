// std::atomic::wait(): a gate, a countdown, a ping-pong of plain data.
#include <atomic>
#include <thread>
constexpr int rounds = 60;
static std::atomic<int> turn{0};
static std::atomic<bool> gate{false};
static int ball, seen;
int main() {
  std::thread other([] {
    gate.wait(false, std::memory_order_acquire);
    for (int i = 0; i < rounds; i++) {
      for (int t; (t = turn.load(std::memory_order_acquire)) != 2 * i + 1;) turn.wait(t, std::memory_order_acquire);
      seen += ball;
#ifdef RACY
      turn.store(2 * i + 2, std::memory_order_relaxed);
#else
      turn.store(2 * i + 2, std::memory_order_release);
#endif
      turn.notify_one();
    }
  });
  gate.store(true, std::memory_order_release);
  gate.notify_all();
  for (int i = 0; i < rounds; i++) {
    ball = i;
    turn.store(2 * i + 1, std::memory_order_release);
    turn.notify_one();
    for (int t; (t = turn.load(std::memory_order_acquire)) != 2 * i + 2;) turn.wait(t, std::memory_order_acquire);
  }
  other.join();
  return seen != rounds * (rounds - 1) / 2;
}

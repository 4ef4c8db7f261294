// What C++20 adds to threads: waits on atomics, semaphores, latches, barriers, stop tokens, jthread. Compiled as C++20.
#include <atomic>
#include <barrier>
#include <cstdio>
#include <latch>
#include <memory>
#include <semaphore>
#include <stop_token>
#include <string>
#include <thread>

int main() {
  std::atomic<int> word{0};
  std::thread t([&] {
    word.wait(0);
    word = 2;
    word.notify_all();
  });
  word = 1;
  word.notify_one();
  word.wait(1);
  t.join();
  std::printf("%d\n", word.load());
  std::counting_semaphore<4> semaphore(0);
  std::binary_semaphore binary(1);
  std::latch latch(2);
  int sum = 0;
  {
    std::jthread a([&] {
      semaphore.acquire();
      sum += 1;
      latch.count_down();
    });
    std::jthread b([&](std::stop_token stop) {
      latch.arrive_and_wait();
      while (!stop.stop_requested()) std::this_thread::yield();
    });
    semaphore.release();
  }
  std::printf("%d %d %d\n", sum, binary.try_acquire(), binary.try_acquire_for(std::chrono::milliseconds(1)));
  int phases = 0;
  std::barrier barrier(2, [&]() noexcept { phases++; });
  std::thread c([&] {
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
  });
  barrier.arrive_and_wait();
  barrier.arrive_and_wait();
  c.join();
  std::printf("%d\n", phases);
  std::atomic<std::shared_ptr<int>> pointer(std::make_shared<int>(3));
  std::thread d([&] { pointer.store(std::make_shared<int>(4)); });
  d.join();
  std::printf("%d\n", *pointer.load());
  std::string s = "c++20 ";
  s += std::to_string(20);
  s.insert(0, "in ");
  std::printf("%s\n", s.c_str());
}

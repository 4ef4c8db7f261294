// std::barrier with a completion function, std::latch at the begin, std::counting_semaphore for what there are few of.
#include <barrier>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>
constexpr int threads = 3, rounds = 20;
static int cells[2][threads + 2], now;
static int copies[2];
int main() {
  std::latch start(threads);
  std::counting_semaphore<2> tools(2);
  std::binary_semaphore tool[2] = {std::binary_semaphore(1), std::binary_semaphore(1)};
  cells[0][1] = 1000;
  std::barrier sync(threads, []() noexcept { now = !now; });
  auto work = [&](int n) {
    start.arrive_and_wait();
    for (int i = 0; i < rounds; i++) {
      const int *from = cells[now];
#ifdef RACY
      int *to = cells[now];
#else
      int *to = cells[!now];
#endif
      to[n] = (from[n - 1] + from[n] + from[n + 1]) / 3;
      tools.acquire();
      int which = tool[0].try_acquire() ? 0 : 1;
      if (which == 1) tool[1].acquire();
      copies[which]++;
      tool[which].release();
      tools.release();
      sync.arrive_and_wait();
    }
  };
  std::vector<std::thread> all;
  for (int n = 1; n <= threads; n++) all.emplace_back(work, n);
  for (auto &t : all) t.join();
  return copies[0] + copies[1] != threads * rounds;
}

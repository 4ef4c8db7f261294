/* finds: data race A B; fixed: nothing. A future that becomes ready when its thread ends, after what that does last. */
#include <cstdio>
#include <future>
#include <thread>

static int last, unwatched;
struct ending {
  ~ending() { last = 5; }
};

int main() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  std::thread t([&] {
    static thread_local ending at_end;
    (void)&at_end;
    promise.set_value_at_thread_exit(3);
    last = 4;
  });
  int sum = future.get();
#ifdef FIXED
  sum += last;
#endif
  t.join();
  std::promise<int> direct;
  std::thread u([&] {
    direct.set_value(3);
    unwatched = 1; /* @A */
  });
  sum += direct.get_future().get();
#ifdef FIXED
  u.join();
#endif
  sum += unwatched; /* @B */
#ifndef FIXED
  u.join();
#endif
  std::printf("%d\n", sum);
  return 0;
}

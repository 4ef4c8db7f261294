/* predicts: data-race 1
 * unexplained: 6
 * A value that is set when its thread ends: who waits for it comes behind all that the thread has done. `raced` is a race. */
#include <future>
#include <thread>

int data, raced;

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread other([&promise] {
    raced = 1;
    promise.set_value_at_thread_exit(7);
    data = 1;
  });
  raced = 2;
  int value = future.get();
  data = 2;
  other.join();
  return value != 7;
}

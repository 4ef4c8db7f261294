/* An object is destroyed while another thread calls its virtual functions. */
#include "launch.h"
#include <thread>

struct base {
  virtual ~base() {}
  virtual int f() { return 1; }
};
struct derived : base {
  int f() override { return 2; }
};

int main() {
  base *b = new derived;
  std::thread t([b] { b->f(), moment_reach(0); });
  await(0);
  delete b;
  t.join();
}

// The queue of Michael and Scott with hazard pointers, as libcds has it.
#include <cds/init.h>
#include <cds/gc/hp.h>
#include <cds/container/msqueue.h>
#include <thread>
#include <cassert>
int main() {
  cds::Initialize();
  {
    cds::gc::HP hp;
    cds::threading::Manager::attachThread();
    {
      cds::container::MSQueue<cds::gc::HP, int> q;
      std::thread t([&] {
        cds::threading::Manager::attachThread();
        q.enqueue(1);
        cds::threading::Manager::detachThread();
      });
      q.enqueue(2);
      int x, sum = 0;
      while (q.dequeue(x))
        sum += x;
      t.join();
      while (q.dequeue(x))
        sum += x;
      assert(sum == 3);
    }
    cds::threading::Manager::detachThread();
  }
  cds::Terminate();
}

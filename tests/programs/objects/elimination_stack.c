// A stack with elimination (Hendler, Shavit, Yerushalmi, SPAA 2004): a push offers its element in a slot before it goes to the stack. A pop
// that clears the slot by a store, and not by an exchange, may take what another pop has.
// verdict: BUG
// options: --linearizable --threads=3 --operations=1 --arguments=1
// finding: not-linearizable
// case: exchanged -DFIXED
// options: --linearizable --threads=3 --operations=1 --arguments=1
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int slot;
static pthread_mutex_t lock;
static int element[16], depth;

HD_BEGIN(void) { pthread_mutex_init(&lock, 0); }

HD_OPERATION(push, int x) {
  int none = 0, mine = x;
  if (atomic_compare_exchange_strong(&slot, &none, x) && !atomic_compare_exchange_strong(&slot, &mine, 0)) return 0;
  pthread_mutex_lock(&lock);
  element[depth++] = x;
  pthread_mutex_unlock(&lock);
  return 0;
}

HD_OPERATION(pop) {
  int offered = slot;
#ifdef FIXED
  if (offered && atomic_compare_exchange_strong(&slot, &offered, 0)) return offered;
#else
  if (offered) {
    slot = 0;
    return offered;
  }
#endif
  pthread_mutex_lock(&lock);
  int x = depth ? element[--depth] : -1;
  pthread_mutex_unlock(&lock);
  return x;
}

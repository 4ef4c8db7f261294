// Double-checked locking: right with an acquire/release pointer, a data race with a plain one.
// verdict: SAFE
// options: --strategy=dpor
// case: plain -DPLAIN
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A B
// finding?: data-race C D
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

struct table {
  int entries;
};

static struct table storage;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef PLAIN
static struct table *instance;
#define GET()      (instance)
#define PUT(value) (instance = (value))
#else
static _Atomic(struct table *) instance;
#define GET()      atomic_load_explicit(&instance, memory_order_acquire)
#define PUT(value) atomic_store_explicit(&instance, (value), memory_order_release)
#endif

static void *use(void *unused) {
  (void)unused;
  struct table *t = GET();  // @A
  if (!t) {
    pthread_mutex_lock(&lock);
    t = GET();
    if (!t) {
      storage.entries = 8;  // @C
      t = &storage;
      PUT(t);  // @B
    }
    pthread_mutex_unlock(&lock);
  }
  hd_assert(t->entries == 8);  // @D
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, use, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}

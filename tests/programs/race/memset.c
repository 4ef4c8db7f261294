// memset() of a table while another thread reads an element.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <string.h>

static int table[16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *clear(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  memset(table, 0, sizeof table);  // @A
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, clear, 0);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  int seen = table[9];  // @B
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(t, 0);
  return seen;
}

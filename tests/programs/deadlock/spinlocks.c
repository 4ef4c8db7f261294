// Spin locks in opposite order.
// verdict: BUG
// finding: deadlock A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_spinlock_t a, b;

static void *forward(void *unused) {
  (void)unused;
  pthread_spin_lock(&a);
  pthread_spin_lock(&b);  // @A
  pthread_spin_unlock(&b);
  pthread_spin_unlock(&a);
  return 0;
}

static void *backward(void *unused) {
  (void)unused;
#ifdef FIXED
  pthread_spin_lock(&a);
  pthread_spin_lock(&b);
#else
  pthread_spin_lock(&b);
  pthread_spin_lock(&a);  // @B
#endif
  pthread_spin_unlock(&a);
  pthread_spin_unlock(&b);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_init(&b, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t[0], 0, forward, 0);
  pthread_create(&t[1], 0, backward, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}

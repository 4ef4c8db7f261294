// Three threads around one mutex; only one order of them reaches the error.
// verdict: BUG
// finding: assertion A
// case: maximal
// options: --strategy=maximal
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

extern void reach_error(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *thread1(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  data++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *thread2(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  data += 2;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *thread3(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  if (data > 3) reach_error();
#else
  if (data >= 3) reach_error();  // @A
#endif
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, thread1, 0);
  pthread_create(&t[1], 0, thread2, 0);
  pthread_create(&t[2], 0, thread3, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}

/* A library that is not built to be watched: it copies under a lock that nobody sees, and is told to wait. LIBRARY is the library itself. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

void put(const char *text, size_t size);
void wait_for(int n);

#ifdef LIBRARY
#include <stdatomic.h>
static atomic_flag lock;
static char kept[64];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int count;

void put(const char *text, size_t size) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
    ;
  memcpy(kept, text, size);
  atomic_flag_clear_explicit(&lock, memory_order_release);
  pthread_mutex_lock(&mutex);
  count++;
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&mutex);
}

void wait_for(int n) {
  pthread_mutex_lock(&mutex);
  while (count < n) pthread_cond_wait(&more, &mutex);
  pthread_mutex_unlock(&mutex);
}
#else
#include <unistd.h>
int own;

static void *work(void *text) {
  usleep(20000);
  own++;
  put(text, strlen(text));
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  static char texts[2][8] = {"one", "two"};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, texts[i]);
  wait_for(2);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
#endif

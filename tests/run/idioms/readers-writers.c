/* A read-write lock made of a mutex and a condition, with writers first. */
#include <pthread.h>
enum { ROUNDS = 50 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing, waiting;
static int data[4];
static void begin_read(void) {
  pthread_mutex_lock(&m);
  while (writing || waiting) pthread_cond_wait(&changed, &m);
  readers++;
  pthread_mutex_unlock(&m);
}
static void end_read(void) {
  pthread_mutex_lock(&m);
  if (--readers == 0) pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
}
static void begin_write(void) {
  pthread_mutex_lock(&m);
  waiting++;
#ifdef RACY
  while (writing) pthread_cond_wait(&changed, &m);
#else
  while (writing || readers) pthread_cond_wait(&changed, &m);
#endif
  waiting--, writing = 1;
  pthread_mutex_unlock(&m);
}
static void end_write(void) {
  pthread_mutex_lock(&m);
  writing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
}
static void *read_all(void *argument) {
  long sum = 0;
  for (int i = 0; i < ROUNDS; i++) {
    begin_read();
    for (int k = 0; k < 4; k++) sum += data[k] - data[0];
    end_read();
  }
  return sum ? NULL : argument;
}
static void *write_all(void *argument) {
  for (int i = 0; i < ROUNDS; i++) {
    begin_write();
    for (int k = 0; k < 4; k++) data[k]++;
    end_write();
  }
  return argument;
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, i < 2 ? read_all : write_all, t);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  return data[3] != 2 * ROUNDS;
}

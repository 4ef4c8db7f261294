/* A log: lines go into the buffer of the moment, a thread writes the other one meanwhile; flushing waits until a line is out. */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
enum { THREADS = 3, LINES = 40, SIZE = 1 << 14 };
static char buffers[2][SIZE];
static size_t used;
static int now;
static unsigned long added, written;
static bool over;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, out = PTHREAD_COND_INITIALIZER;
static void add(const char *line) {
  pthread_mutex_lock(&m);
  size_t n = strlen(line);
  memcpy(buffers[now] + used, line, n);
  used += n, added++;
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&m);
}
static void flush(void) {
  pthread_mutex_lock(&m);
  unsigned long until = added;
  while (written < until) pthread_cond_wait(&out, &m);
  pthread_mutex_unlock(&m);
}
static void *write_all(void *file) {
  pthread_mutex_lock(&m);
  for (;;) {
    while (used == 0 && !over) pthread_cond_wait(&more, &m);
    if (used == 0) break;
    const char *from = buffers[now];
    size_t n = used;
    unsigned long until = added;
#ifndef RACY
    now = !now;
#endif
    used = 0;
    pthread_mutex_unlock(&m);
    ssize_t done = write(*(int *)file, from, n);
    pthread_mutex_lock(&m);
    written = done == (ssize_t)n ? until : written;
    pthread_cond_broadcast(&out);
  }
  pthread_mutex_unlock(&m);
  return NULL;
}
static void *work(void *number) {
  char line[40];
  for (int i = 0; i < LINES; i++) {
    snprintf(line, sizeof line, "thread %d, line %d\n", *(int *)number, i);
    add(line);
    if (i % 16 == 0) flush();
  }
  return NULL;
}
int main(void) {
  pthread_t t[THREADS], writer;
  int numbers[THREADS], file = open("/dev/null", O_WRONLY);
  pthread_create(&writer, NULL, write_all, &file);
  for (int i = 0; i < THREADS; i++) numbers[i] = i, pthread_create(&t[i], NULL, work, &numbers[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  flush();
  pthread_mutex_lock(&m);
  over = true;
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&m);
  return pthread_join(writer, NULL) || close(file);
}

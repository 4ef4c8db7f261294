/* A parallel file scanner in the shape of pfscan: main puts files into a queue, workers search them for a text. The files are generated.
 *
 * The bug: what the workers found is added up without the lock: `matches` is read, a file is scanned, and what others found is lost.
 *
 * Natively: pfscan [FILES] fails in some of the runs with 8. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 2, SIZE = 2048, MOST = 256, SLOTS = 4 };

static const char text[] = "weft";
static char files[MOST][SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static const char *slots[SLOTS];
static int first, count, closed;
static volatile int matches;

static void queue_put(const char *file) {
  pthread_mutex_lock(&lock);
  while (count == SLOTS) pthread_cond_wait(&room, &lock);
  slots[(first + count++) % SLOTS] = file;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
}

static void queue_close(void) {
  pthread_mutex_lock(&lock);
  closed = 1;
  pthread_cond_broadcast(&filled);
  pthread_mutex_unlock(&lock);
}

static const char *queue_get(void) {
  const char *file = NULL;
  pthread_mutex_lock(&lock);
  while (count == 0 && !closed) pthread_cond_wait(&filled, &lock);
  if (count > 0) {
    file = slots[first], first = (first + 1) % SLOTS, count--;
    pthread_cond_signal(&room);
  }
  pthread_mutex_unlock(&lock);
  return file;
}

static int scan(const char *file) {
  int found = 0;
  for (int i = 0; i + (int)sizeof text - 1 <= SIZE; i++) {
    int k = 0;
    while (text[k] && file[i + k] == text[k]) k++;
    found += !text[k];
  }
  return found;
}

static void *work(void *unused) {
  for (const char *file; (file = queue_get());) {
    matches = matches + scan(file);
  }
  return unused;
}

int main(int argc, char **argv) {
  pthread_t worker[WORKERS];
  int n = argc > 1 ? atoi(argv[1]) : 4, expected = 0;
  if (n > MOST) n = MOST;
  for (int i = 0; i < n; i++) {
    memset(files[i], "wet."[i % 4], SIZE);
    for (int k = 0; k <= i % 3; k++) memcpy(files[i] + 10 + 20 * k, text, sizeof text - 1), expected++;
  }
  for (int i = 0; i < WORKERS; i++) pthread_create(&worker[i], 0, work, 0);
  for (int i = 0; i < n; i++) queue_put(files[i]);
  queue_close();
  for (int i = 0; i < WORKERS; i++) pthread_join(worker[i], 0);
  assert(matches == expected);
  return 0;
}

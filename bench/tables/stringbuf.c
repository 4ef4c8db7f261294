/* StringBuf: a buffer is appended to another: its length is asked and its characters are copied in two of its methods, each of which
 * locks it, and another thread shortens it in between: an index out of bounds. No access races. */
#include <heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define CAPACITY 16

struct buffer {
  pthread_mutex_t lock;
  int count;
  char text[CAPACITY];
};

static struct buffer whole = {PTHREAD_MUTEX_INITIALIZER, 3, "abc"};
static struct buffer tail = {PTHREAD_MUTEX_INITIALIZER, 3, "def"};

static int length(struct buffer *b) {
  pthread_mutex_lock(&b->lock);
  int count = b->count;
  pthread_mutex_unlock(&b->lock);
  return count;
}

/* false: the index is out of bounds. */
static bool copy(struct buffer *from, int count, char *to) {
  pthread_mutex_lock(&from->lock);
  bool inside = count <= from->count;
  if (inside) memcpy(to, from->text, (size_t)count);
  pthread_mutex_unlock(&from->lock);
  return inside;
}

static bool append(struct buffer *to, struct buffer *from) {
  pthread_mutex_lock(&to->lock);
  int count = length(from);
  bool right = copy(from, count, to->text + to->count);
  if (right) to->count += count;
  pthread_mutex_unlock(&to->lock);
  return right;
}

static void *appender(void *unused) {
  (void)unused;
  hd_assert(append(&whole, &tail));
  return 0;
}

static void *shortener(void *unused) {
  (void)unused;
  pthread_mutex_lock(&tail.lock);
  tail.count = 0;
  pthread_mutex_unlock(&tail.lock);
  return 0;
}

int main(void) {
  pthread_t thread[2];
  pthread_create(&thread[0], 0, appender, 0);
  pthread_create(&thread[1], 0, shortener, 0);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], 0);
  return 0;
}

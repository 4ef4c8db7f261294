/* predicts: data-race 1
 * Functions of the C library that nobody records: what they read from memory and write to it decides what threads do, and that is no race of
 * `done`. What they touch themselves is not judged; `raced` is a race. */
#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int fds[2], bytes, done[5], raced, word, data, left;
char text[32], other[64], through[32];
static void *(*volatile copies)(void *, const void *, int, size_t) = memccpy;

/* Of this file, but not woven. */
__attribute__((disable_sanitizer_instrumentation, noinline)) static void leave(int *to, int value) {
  *(volatile int *)to = value;
}

extern __attribute__((weak)) int nowhere; /* nobody defines it */

static void *first(void *unused) {
  done[0] = done[1] = done[2] = done[3] = 1;
  raced = 1;
  pthread_mutex_lock(&lock);
  ioctl(fds[0], FIONREAD, &bytes);
  memcpy(text, "12:34", 6);
  copies(through, "56:78", ':', sizeof through);
  leave(&left, 1);
  strfry(other); /* it only reads, as there is nothing in it */
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *second(void *unused) {
  char own[32] = "";
  usleep(50000);
  raced = 2;
  pthread_mutex_lock(&lock);
  int n = bytes;
  memccpy(own, text, ':', sizeof own);
  char copied = through[0];
  int found = left;
  strfry(other);
  pthread_mutex_unlock(&lock);
  if (copied == '5') done[2] = 2;
  if (found) done[3] = 2;
  if (n) done[0] = 2;
  if (own[0] == '1') done[1] = 2;
  return unused;
}

/* While a call lasts, `word` changes: the other thread has written it, and not the call. */
static void *writes(void *unused) {
  usleep(50000);
  data = 1;
  __atomic_store_n(&word, 1, __ATOMIC_RELAXED);
  return unused;
}

static int lasts(const void *a, const void *b) { return usleep(200000) || a == b; }

static int waits(void) {
  int now = 0;
  size_t n = 1;
  lfind(&word, &now, &n, sizeof now, lasts);
  memccpy(&now, &word, 256, sizeof now);
  return now ? data : 0;
}

/* Calls that are left by a jump, and within each other. */
static jmp_buf out;
static int jumps(const void *a, const void *b) {
  if (a != b) longjmp(out, 1);
  return 0;
}
static int deep(const void *a, const void *b) {
  int depth = *(const int *)a - 1, copy = 0;
  size_t n = 1;
  if (depth > 0 && !lfind(&depth, &copy, &n, sizeof copy, deep)) return 1;
  memccpy(&copy, b, 256, sizeof copy);
  return 0;
}
static int nests(void) {
  int key = 9, list[2] = {0};
  size_t n = 2;
  memccpy(list, &nowhere, 0, &nowhere ? sizeof list : 0);
  if (setjmp(out) == 0) lfind(&key, list, &n, sizeof key, jumps);
  return lfind(&key, list, &n, sizeof key, deep) == list;
}

int main(void) {
  pthread_t a, b, c;
  if (!nests()) return 1;
  if (pipe(fds) || write(fds[1], "abc", 3) != 3) return 1;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_create(&c, NULL, writes, NULL);
  int got = waits();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return got > 1;
}

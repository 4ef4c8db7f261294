/* finds: data race A B, data race C D, data race E F, data race G H, data race I J; fixed: nothing. Loops that go through memory, forwards,
 * backwards and by several steps at once: their accesses may be checked before the loop, all together, and lie where they lie. */
#include <pthread.h>

enum { N = 1000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char to[N], from[N], back[N];
int numbers[N];
long total;
static volatile int n = N;

__attribute__((noinline)) static void copy(char *out, const char *in, int length) {
  do {
    *out++ = *in++; /* @A */
  } while (--length);
}
__attribute__((noinline)) static void fill_backwards(char *end, int length) {
  for (char *p = end; p > end - length; p--) *p = (char)length; /* @C */
}
__attribute__((noinline)) static void add(const int *at, int length) {
  for (int i = 0; i < length; i++) total += at[i] ^ i; /* @E */
}
__attribute__((noinline)) static void overlap(unsigned char *out, int distance, int length) {
  unsigned char *in = out - distance;
  do {
    *out++ = *in++; /* @G */
    *out++ = *in++;
    *out++ = *in++;
    length -= 3;
  } while (length > 2);
}
__attribute__((noinline)) static void every_second(int *at, int length) {
  for (int i = 0; i < length; i += 2) at[i] = at[i] / 3; /* @I */
}
unsigned char window[N];
int sparse[N];

static void lock(void) {
#ifdef FIXED
  pthread_mutex_lock(&mutex);
#endif
}
static void unlock(void) {
#ifdef FIXED
  pthread_mutex_unlock(&mutex);
#endif
}

static void *work(void *argument) {
  lock();
  copy(to + 1, from, n - 2);
  fill_backwards(back + n - 2, n - 2);
  add(numbers + 1, n - 1);
  overlap(window + 9, 7, n - 16);
  every_second(sparse + 2, n - 2);
  unlock();
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  lock();
  to[n - 2] = 1;    /* @B */
  back[1] = 1;      /* @D */
  numbers[1] = 1;   /* @F */
  window[21] = 1;   /* @H */
  sparse[n - 2] = 1; /* @J */
  unlock();
  /* nobody else is here */
  to[0]++, to[n - 1]++, back[0]++, back[n - 1]++, numbers[0]++, window[1]++, window[n - 2]++, sparse[3]++, sparse[1]++;
  pthread_join(t, NULL);
  return 0;
}

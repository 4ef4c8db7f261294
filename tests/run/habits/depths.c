/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. Deeper calls than the runtime keeps, frames of a megabyte, and frames whose size is not known. */
#include <alloca.h>
#include <pthread.h>
#include <string.h>

#include "fixed.h"

enum { DEEP = 50000, LARGE = 1 << 20, STACK = 64 << 20 };
static int unguarded;

static long deep(int n, const int *above) {
  int mine = n;
  if (n > 0) return deep(n - 1, &mine) + *above + mine;
  lock();
  unguarded++; /* @A */
  unlock();
  return *above;
}
static long large(int n) {
  char room[LARGE];
  memset(room, n, sizeof room);
  return n > 0 ? large(n - 1) + room[5] : room[7];
}
static long unknown(size_t n) {
  char *block = alloca(n * 16), array[n];
  memset(block, 1, n * 16);
  memset(array, 2, n);
  return block[n] + array[n - 1] + (n > 1 ? unknown(n - 1) : 0);
}
static void *work(void *argument) {
  int zero = 0;
  volatile long sum = deep(DEEP, &zero) + large(5) + unknown(200);
  return sum < 0 ? argument : NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], &attributes, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}

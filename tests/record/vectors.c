/* same-each-run
 * flags: -O3 -mavx2
 * Loops that the compiler does with vectors, masked ones, too; shifted, unaligned and mixed sizes. */
#include <assert.h>
#include <pthread.h>
enum { N = 100 };
static int a[N], b[N], index_of[N];
static unsigned char bytes[N + 3];
static double d[N];
static long double wide = 1;
static void *work(void *argument) {
  for (int i = 0; i < N; i++) a[i] = i, index_of[i] = N - 1 - i;
  for (int i = 0; i < N; i++)
    if (a[i] & 1) b[i] = a[index_of[i]];
  for (int i = 0; i < N; i++) bytes[i + 3] = (unsigned char)(bytes[i] + i), d[i] = a[i] * 0.5;
  wide *= 3;
  *(int *)(void *)(bytes + 1) = 77;
  return argument;
}
int main(void) {
  pthread_t t;
  int sum = 0;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  for (int i = 0; i < N; i++) sum += b[i] + (int)d[i];
  assert(sum == 2450 + 2450 && bytes[1] == 77 && wide == 3);
  return 0;
}

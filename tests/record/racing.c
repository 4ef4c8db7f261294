/* unexplained: 1000
 * Accesses without order. */
#include <pthread.h>
static volatile int x, y, seen[2];
static void *one(void *argument) {
  for (int i = 1; i < 200; i++) x = i, seen[0] += y;
  return argument;
}
static void *two(void *argument) {
  for (int i = 1; i < 200; i++) y = i, seen[1] += x;
  return argument;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}

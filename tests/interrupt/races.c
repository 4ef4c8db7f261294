/* More executions than anybody can make, and a race in each line. */
#include <pthread.h>
static int x[8];
static void *race(void *a) {
  for (int turn = 0; turn < 30; turn++) {
    x[0]++, x[1]++, x[2]++, x[3]++;
    x[4]++, x[5]++, x[6]++, x[7]++;
  }
  return a;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, race, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}

/* A read and a write of one expression are told once, whatever else races on other lines; also by gcc. */
#include "launch.h"
static long total, other;

static void *work(void *data) {
  total += 1;
  other++;
  moment_reach(0);
  return data;
}

int main(void) {
  pthread_t t;
  launch(0, &t, work, NULL);
  total += 1;
  other = total;
  pthread_join(t, NULL);
  return 0;
}

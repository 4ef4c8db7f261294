/* One thread frees what another one has used. */
#include "launch.h"
static void *work(void *data) {
  ((char *)data)[5] = 1;
  moment_reach(0);
  return NULL;
}

int main(void) {
  char *p = malloc(40);
  pthread_t t;
  launch(0, &t, work, p);
  free(p);
  pthread_join(t, NULL);
  return 0;
}

/* A variable of a shared library, which is library-part.c. */
#include "launch.h"
void lib_bump(void);

static void *work(void *data) {
  lib_bump();
  moment_reach(0);
  return data;
}

int main(void) {
  pthread_t t;
  launch(0, &t, work, NULL);
  lib_bump();
  pthread_join(t, NULL);
  return 0;
}

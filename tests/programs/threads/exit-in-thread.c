// exit() from a thread ends the program whatever the others do; main's own result is lost.
// verdict: SAFE
#include <pthread.h>
#include <stdlib.h>

static void *quitter(void *unused) {
  (void)unused;
  exit(0);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, quitter, 0);
  pthread_join(t, 0);
  abort();
}

/* finds: data race A A; exits: 3. So does one that leaves by _exit() from a thread, while others run. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int counter;
static atomic_int ready;

static void *count(void *argument) {
  for (int i = 0; i < 100; i++) counter++; /* @A */
  if (++ready == 2) _exit(3);
  for (;;) pause();
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(b, NULL);
  return 0;
}

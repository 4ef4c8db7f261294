/* finds: data race A A; dies: KILL. So does one that is killed while its threads run. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static int counter;
static atomic_int ready;

static void *count(void *argument) {
  for (int i = 0; i < 100; i++) counter++; /* @A */
  ready++;
  for (;;) pause();
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  while (ready < 2) continue;
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

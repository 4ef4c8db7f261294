/* finds: data race A A; dies: ABRT. So does one that gives up, with a handler that looks on. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int counter;
static volatile sig_atomic_t seen;
static void look(int number) { seen = number; }

static void *count(void *argument) {
  for (int i = 0; i < 100; i++) counter++; /* @A */
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  signal(SIGABRT, look);
  if (fork() == 0) _exit(4);
  abort();
}

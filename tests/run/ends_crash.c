/* finds: data race A A; dies: SEGV. A program that crashes has what was found by then reported, and dies of its crash. */
#include <pthread.h>
#include <stddef.h>

static int counter;
static int *volatile nowhere;

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
  return *nowhere;
}

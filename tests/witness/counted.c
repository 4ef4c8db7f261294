/* Who is told a semaphore's count goes on only where the count is the same: there is no race, though no wait orders the two threads.
 * confirms: */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t done;
int result;

static void *works(void *unused) {
  result = 1;
  sem_post(&done);
  return unused;
}

static void *looks(void *unused) {
  int count = 0;
  usleep(50000);
  sem_getvalue(&done, &count);
  if (count == 1) result++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&done, 0, 0);
  pthread_create(&a, NULL, works, NULL);
  pthread_create(&b, NULL, looks, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return result != 2;
}

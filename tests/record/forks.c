/* processes: 3
 * A process that forks, with a child that forks and has threads. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *work(void *argument) {
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
  }
  return argument;
}
static void threads(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
static int await(void) {
  int status;
  wait(&status);
  return WEXITSTATUS(status);
}
int main(void) {
  threads();
  if (fork() == 0) {
    threads();
    if (fork() == 0) {
      threads();
      exit(counter);
    }
    _exit(await() - counter);
  }
  assert(await() == 20 && counter == 20);
  return 0;
}

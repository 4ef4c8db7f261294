/* finds: data race A A. A child goes on with what its parent knew; it finds what is wrong in it. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int counter;

static void *count(void *argument) {
  for (int i = 0; i < 100; i++) counter++; /* @A */
  return argument;
}
static void *quiet(void *argument) {
  for (int i = 0; i < 100; i++) free(malloc(100));
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, quiet, NULL);
  for (int i = 0; i < 10; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      if (i > 0) _exit(3);
      pthread_create(&a, NULL, count, NULL);
      pthread_create(&b, NULL, count, NULL);
      pthread_join(a, NULL);
      pthread_join(b, NULL);
      _exit(3);
    }
    int status;
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 3) return 1;
  }
  pthread_join(a, NULL);
  return 0;
}

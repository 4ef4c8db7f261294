/* finds: data race A A; fixed: nothing. analysis: ovp. quickly. A process that has had a thread becomes a daemon, closes all descriptors but one, has threads, and starts itself as another daemon's grandchild. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixed.h"

enum { TIMES = 50 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, unguarded;

static void *work(void *argument) {
  for (int i = 0; i < TIMES; i++) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
  }
  lock();
  if (argument) unguarded++; /* @A */
  unlock();
  return NULL;
}

static void become(char *name, int answer) {
  pthread_t t[2];
  char number[16];
  pthread_create(&t[0], NULL, work, NULL);
  pthread_join(t[0], NULL);
  if (daemon(1, 0) != 0) _exit(1);
  for (int i = 3; i < 1024; i++)
    if (i != answer) close(i);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, &count);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  if (count != 3 * TIMES) _exit(1);
  snprintf(number, sizeof number, "%d", answer);
  if (fork() == 0 && setsid() > 0 && fork() == 0) execl("/proc/self/exe", name, number, (char *)NULL);
  _exit(0);
}

int main(int argc, char **argv) {
  int ends[2];
  char answer = 0;
  if (argc > 1) return write(atoi(argv[1]), "y", 1) != 1;
  if (pipe(ends) != 0) return 1;
  pid_t child = fork();
  if (child == 0) become(argv[0], ends[1]);
  close(ends[1]);
  waitpid(child, NULL, 0);
  return read(ends[0], &answer, 1) != 1 || answer != 'y';
}

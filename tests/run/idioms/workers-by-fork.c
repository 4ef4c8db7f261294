/* Processes that work for threads: each thread forks its own, gets an answer by a pipe and waits for it; all put what they get into one
 * list. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
enum { THREADS = 3 };
struct answer {
  int value;
  struct answer *next;
};
static struct answer *answers;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ask(int n) {
  int ends[2], value = 0, status;
  if (pipe(ends)) return -1;
  pid_t child = fork();
  if (child == 0) {
    value = n * n;
    _exit(write(ends[1], &value, sizeof value) != sizeof value);
  }
  close(ends[1]);
  if (read(ends[0], &value, sizeof value) != sizeof value) value = -1;
  close(ends[0]);
  return waitpid(child, &status, 0) == child && status == 0 ? value : -1;
}
static void *work(void *number) {
  struct answer *a = malloc(sizeof *a);
  a->value = ask(*(int *)number);
#ifndef RACY
  pthread_mutex_lock(&m);
#endif
  a->next = answers;
  answers = a;
#ifndef RACY
  pthread_mutex_unlock(&m);
#else
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  return NULL;
}
int main(void) {
  pthread_t t[THREADS];
  int numbers[THREADS], sum = 0;
  for (int i = 0; i < THREADS; i++) numbers[i] = i + 1, pthread_create(&t[i], NULL, work, &numbers[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  for (struct answer *a = answers, *next; a; a = next) sum += a->value, next = a->next, free(a);
#ifdef RACY
  return 0;
#else
  return sum != 14;
#endif
}

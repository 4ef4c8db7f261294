/* finds: nothing. once. Threads that lock and allocate while signals come and processes are forked: usage: stress_signals [SECONDS] */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 6 };
static atomic_bool over;
static atomic_long signals, works;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static long under_mutex, under_rwlock;

static void handle(int number) {
  (void)number;
  signals++;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *nothing(void *argument) { return argument; }

static void *work(void *argument) {
  for (unsigned i = 0; !over; i++) {
    char *block = malloc(1 + i * 37 % 5000);
    memset(block, 1, 1 + i * 37 % 5000);
    pthread_mutex_lock(&mutex);
    under_mutex++;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    if (i % 10) {
      pthread_rwlock_rdlock(&rwlock);
      if (under_rwlock < 0) abort();
    } else {
      pthread_rwlock_wrlock(&rwlock);
      under_rwlock++;
    }
    pthread_rwlock_unlock(&rwlock);
    if (i % 50 == 0) {
      pthread_t id;
      if (pthread_create(&id, NULL, nothing, NULL) == 0) pthread_join(id, NULL);
    }
    free(block);
    works++;
  }
  return argument;
}

static void *fork_often(void *argument) {
  while (!over) {
    pid_t pid = fork();
    if (pid == 0) { /* what is held by others stays held: it keeps away from that */
      for (int i = 0; i < 100; i++) free(malloc((size_t)i * 10));
      pthread_t id;
      if (pthread_create(&id, NULL, nothing, NULL) == 0) pthread_join(id, NULL);
      _exit(3);
    }
    int status;
    if (pid < 0) continue;
    while (waitpid(pid, &status, 0) < 0) continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 3) abort();
  }
  return argument;
}

int main(int argc, char **argv) {
  double end = now() + (argc > 1 ? atof(argv[1]) : 0.5);
  pthread_t workers[WORKERS], forker;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle, action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  struct itimerval often = {{0, 1000}, {0, 1000}};
  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], NULL, work, NULL);
  pthread_create(&forker, NULL, fork_often, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  for (unsigned i = 0; now() < end || works == 0 || signals == 0; i++) {
    pthread_kill(workers[i % WORKERS], SIGUSR1);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&cond, &mutex, &until);
    pthread_mutex_unlock(&mutex);
  }
  over = true;
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
  pthread_join(forker, NULL);
  printf("%ld rounds, %ld signals\n", (long)works, (long)signals);
  return 0;
}

/* Runs a command several times and prints the smallest CPU time (user and system, of all its processes) in seconds.
 *
 *     cpu TIMES COMMAND..        its output goes to /dev/null, its errors to standard error
 *     cpu TIMES --memory COMMAND..  also the largest peak of its memory, in KB
 *     cpu TIMES --fork           instead: the CPU time of forking a process that ends at once, and waiting for it */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(const struct rusage *u) {
  return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) + (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1e-6;
}

static long peak; /* KB */

static double run(char **command) {
  struct rusage use;
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0) _exit(126);
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
  }
  if (pid < 0 || wait4(pid, &status, 0, &use) < 0) exit(2);
  if (!WIFEXITED(status) || WEXITSTATUS(status) >= 126) exit(2);
  if (use.ru_maxrss > peak) peak = use.ru_maxrss;
  return seconds(&use);
}

static double fork_cost(void) {
  enum { FORKS = 2000 };
  struct rusage before, after, children_before, children_after;
  getrusage(RUSAGE_SELF, &before);
  getrusage(RUSAGE_CHILDREN, &children_before);
  for (int i = 0; i < FORKS; i++) {
    pid_t pid = fork();
    if (pid == 0) _exit(0);
    if (pid < 0 || waitpid(pid, NULL, 0) < 0) exit(2);
  }
  getrusage(RUSAGE_SELF, &after);
  getrusage(RUSAGE_CHILDREN, &children_after);
  return (seconds(&after) - seconds(&before) + seconds(&children_after) - seconds(&children_before)) / FORKS;
}

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: cpu TIMES COMMAND..\n"), 2;
  double best = 1e9;
  bool memory = strcmp(argv[2], "--memory") == 0;
  int times = atoi(argv[1]);
  argv += memory;
  for (int i = 0; i < times; i++) {
    double t = strcmp(argv[2], "--fork") == 0 ? fork_cost() : run(argv + 2);
    if (t < best) best = t;
  }
  printf("%.9f", best);
  if (memory) printf(" %ld", peak);
  printf("\n");
  return 0;
}

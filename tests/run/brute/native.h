/* What a file of random programs ends with when it is built to run natively (programs.h). Each program runs in a process of its own,
 * several at a time. A line to standard output says of each run: process, program, run, status as of waitpid(), lines that it reached.
 *
 * A process that reaches no further line, and whose threads all sleep whenever they are looked at, hangs and is ended; so is one that
 * reaches none for long, as its threads wait for each other by spin locks. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_sanitize("thread"), noinline)) static
enum { JOBS = 6, PATIENCE = 10, LOOKS = 5, MOST_LOOKS = 10000 };

/* Shared with the processes. */
static struct slot {
  volatile unsigned reached; /* how many lines */
  volatile unsigned char at[LINES];
} *slots, *slot;
static unsigned seed;

UNSEEN void sleep_us(long n) {
  struct timespec t = {0, n * 1000};
  syscall(SYS_nanosleep, &t, 0);
}

UNSEEN void idle(void) {
  sleep_us(200);
  __asm__ volatile("" ::: "memory");
}

UNSEEN void pause_here(int line) {
  slot->at[line] = 1;
  unsigned n = (seed + (unsigned)line * 7919u + slot->reached++ % 3 * 104729u) * 2654435761u >> 8;
  if (n % 4 == 0) syscall(SYS_sched_yield);
  if (n % 4 == 1) sleep_us(1 + n / 4 % 300);
  __asm__ volatile("" ::: "memory");
}

/* A little later, which may be too soon. */
UNSEEN const struct timespec *soon(void) {
  static _Thread_local struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &t);
  t.tv_nsec += 300000;
  if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
  return &t;
}

static struct child {
  pid_t pid; /* 0: none */
  unsigned program, run, reached, looks, asleep;
} children[JOBS];

UNSEEN void say(const struct child *c, const struct slot *s, int status) {
  static char text[LINES * 8 + 100];
  int n = sprintf(text, "%d %u %u %d", c->pid, c->program, c->run, status);
  for (int i = 0; i < LINES; i++)
    if (s->at[i]) n += sprintf(text + n, " %d", i);
  text[n++] = '\n';
  if (write(1, text, (size_t)n) != n) _exit(3);
}

UNSEEN int sleeps(pid_t pid) {
  char path[300], text[400];
  int all = 1;
  sprintf(path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  for (struct dirent *e; tasks && all && (e = readdir(tasks));) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/stat", pid, e->d_name);
    int fd = open(path, O_RDONLY);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = 0;
    char *end = strrchr(text, ')');
    all = !end || end[2] == 'S';
  }
  if (tasks) closedir(tasks);
  return all;
}

UNSEEN void look_after(int i) {
  struct child *c = &children[i];
  int status;
  if (waitpid(c->pid, &status, WNOHANG) == c->pid) {
    say(c, &slots[i], status);
    c->pid = 0;
    return;
  }
  c->looks = slots[i].reached != c->reached ? 0 : c->looks + 1;
  c->reached = slots[i].reached;
  if (c->looks < PATIENCE || c->looks % LOOKS) return;
  c->asleep = sleeps(c->pid) ? c->asleep + 1 : 0;
  if (c->asleep >= LOOKS || c->looks >= MOST_LOOKS) kill(c->pid, SIGKILL);
}

UNSEEN void start(int i, unsigned program, unsigned run) {
  memset((void *)&slots[i], 0, sizeof slots[i]);
  slot = &slots[i], seed = (run * 65537u + program) * 40503u;
  pid_t pid = fork();
  if (pid == 0) {
    programs[program]();
    exit(0);
  }
  children[i] = (struct child){.pid = pid, .program = program, .run = run};
}

UNSEEN unsigned number(const char *t) {
  unsigned n = 0;
  while (*t) n = n * 10 + (unsigned)(*t++ - '0');
  return n;
}

/* A first report, so that debug information is read once, and not by each process. */
static int warm;
static void *warmer(void *x) {
  warm++;
  return x;
}
static void warm_up(void) {
  pthread_t t;
  pthread_create(&t, 0, warmer, 0);
  warm++;
  pthread_join(t, 0);
}

/* Arguments: the first run's number, how many runs of each; programs. */
int main(int argc, char **argv) {
  warm_up();
  slots = mmap(0, JOBS * sizeof *slots, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  unsigned from = number(argv[1]), runs = number(argv[2]), next = 0, all = runs * (unsigned)(argc - 3), busy;
  do {
    busy = 0;
    for (int i = 0; i < JOBS; i++) {
      if (children[i].pid) look_after(i);
      if (!children[i].pid && next < all) start(i, number(argv[3 + next / runs]), from + next % runs), next++;
      busy += children[i].pid != 0;
    }
    sleep_us(2000);
  } while (busy);
  return 0;
}

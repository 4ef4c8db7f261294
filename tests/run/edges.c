/* finds: use of a lock that the thread does not hold A, use of a lock that the thread does not hold B. Orders that programs count on beside locks, and what may not be undone by mistakes of others. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int shared;
static pthread_t start(void *(*f)(void *), void *argument) {
  pthread_t t;
  if (pthread_create(&t, NULL, f, argument) != 0) exit(2);
  return t;
}

static void *writes_pipe(void *ends) {
  shared = 1;
  return write(((int *)ends)[1], "x", 1) == 1 ? ends : NULL;
}
static void by_pipe(void) {
  int ends[2];
  char c;
  if (pipe(ends) != 0) exit(2);
  pthread_t t = start(writes_pipe, ends);
  if (read(ends[0], &c, 1) != 1 || shared != 1) exit(1);
  pthread_join(t, NULL);
}

static atomic_int handled;
static void handler(int number) { atomic_store_explicit(&handled, shared + number, memory_order_relaxed); }
static void *is_interrupted(void *argument) {
  while (!atomic_load_explicit(&handled, memory_order_relaxed)) usleep(1000);
  return argument;
}
static void *waits_for_signal(void *set) {
  int number;
  sigwait(set, &number);
  shared++;
  return set;
}
static void by_signal(void) {
  struct sigaction action = {.sa_handler = handler};
  sigset_t set;
  pthread_t t = start(is_interrupted, NULL);
  shared = 2;
  sigaction(SIGUSR1, &action, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  t = start(waits_for_signal, &set);
  shared = 3;
  pthread_kill(t, SIGUSR2);
  pthread_join(t, NULL);
}

/* The serial thread may give the barrier back while others leave it. */
static pthread_barrier_t *barriers[500];
static void *meets(void *argument) {
  for (int i = 0; i < 500; i++)
    if (pthread_barrier_wait(barriers[i]) == PTHREAD_BARRIER_SERIAL_THREAD) pthread_barrier_destroy(barriers[i]), free(barriers[i]);
  return argument;
}
static void barriers_that_go(void) {
  for (int i = 0; i < 500; i++) barriers[i] = malloc(sizeof *barriers[i]), pthread_barrier_init(barriers[i], NULL, 2);
  pthread_t t = start(meets, NULL);
  meets(NULL);
  pthread_join(t, NULL);
}

static pthread_mutex_t robust, checked;
static void *dies(void *argument) {
  pthread_mutex_lock(&robust);
  return argument;
}
static void *counts(void *argument) {
  for (int i = 0; i < 300; i++) {
    if (pthread_mutex_lock(&robust) == EOWNERDEAD) pthread_mutex_consistent(&robust);
    shared++;
    pthread_mutex_unlock(&robust);
    pthread_mutex_unlock(&checked); /* @A: not its own, mostly: that is told, and hands nothing on */
    pthread_mutex_lock(&checked);
    shared++;
    pthread_mutex_unlock(&checked);
  }
  return argument;
}
static void *counts_one(void *argument) {
  for (int i = 0; i < 300; i++) {
    pthread_mutex_unlock(&checked); /* @B */
    pthread_mutex_lock(&checked);
    *(int *)argument += 1;
    pthread_mutex_unlock(&checked);
  }
  return argument;
}
static void special_mutexes(void) {
  pthread_mutexattr_t a;
  int counter = 0;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &a);
  pthread_join(start(dies, NULL), NULL);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_STALLED);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &a);
  pthread_join(start(counts, NULL), NULL);
  pthread_t t = start(counts_one, &counter), u = start(counts_one, &counter);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  if (counter != 600) exit(1);
}

static atomic_int flag;
static void *stores_twice(void *argument) {
  shared = 5;
  atomic_store_explicit(&flag, 1, memory_order_release);
  atomic_store_explicit(&flag, 2, memory_order_relaxed); /* in the release sequence */
  return argument;
}
static void by_release_sequence(void) {
  pthread_t t = start(stores_twice, NULL);
  while (atomic_load_explicit(&flag, memory_order_acquire) != 2) usleep(100);
  if (shared != 5) exit(1);
  pthread_join(t, NULL);
}

static atomic_int rang;
static void rings(union sigval value) {
  shared = 6;
  atomic_store((atomic_int *)value.sival_ptr, 1);
}
static void by_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = rings, .sigev_value.sival_ptr = &rang};
  struct itimerspec soon = {.it_value.tv_nsec = 1000000};
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &soon, NULL);
  while (!atomic_load(&rang)) usleep(1000);
  shared = 7;
}

enum { MEGABYTE = 1 << 20 };
static void *maps(void *argument) {
  char *p = mmap(NULL, 2 * MEGABYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 2 * MEGABYTE; i += 64) p[i] = 1;
  munmap(p, 2 * MEGABYTE);
  atomic_store_explicit(&rang, 2, memory_order_relaxed);
  return argument;
}
static void mappings_that_move(void) {
  char *p = mmap(NULL, MEGABYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t t = start(maps, NULL);
  while (atomic_load_explicit(&rang, memory_order_relaxed) != 2) usleep(1000);
  p = mremap(p, MEGABYTE, 2 * MEGABYTE, MREMAP_MAYMOVE);
  for (int i = 0; i < 2 * MEGABYTE; i += 64) p[i] = 2;
  pthread_join(t, NULL);
}

static void *locks_stream(void *argument) {
  for (int i = 0; i < 300; i++) {
    flockfile(stdout);
    shared++;
    funlockfile(stdout);
  }
  return argument;
}
static void by_stream(void) {
  pthread_t t = start(locks_stream, NULL);
  locks_stream(NULL);
  pthread_join(t, NULL);
}

static pthread_t ids[200];
static void *knows_itself(void *id) { return pthread_equal(*(volatile pthread_t *)id, pthread_self()) ? id : NULL; }
static void identities(void) {
  for (int i = 0; i < 200; i++)
    if (pthread_create(&ids[i], NULL, knows_itself, &ids[i]) != 0) exit(2);
  for (int i = 0; i < 200; i++) {
    void *result;
    pthread_join(ids[i], &result);
    if (!result) exit(1);
  }
}

/* The child finds neither locks of threads that are not there, nor races with them. */
static char buffer[1 << 12];
static atomic_int stop, contended;
static pthread_mutex_t at_fork = PTHREAD_MUTEX_INITIALIZER;
static void before(void) { pthread_mutex_lock(&at_fork); }
static void after(void) { pthread_mutex_unlock(&at_fork); }
static void *busy(void *argument) {
  while (!atomic_load(&stop)) {
    pthread_mutex_lock(&at_fork);
    for (unsigned i = 0; i < sizeof buffer; i++) buffer[i]++;
    atomic_fetch_add(&contended, 1);
    free(malloc(100));
    pthread_mutex_unlock(&at_fork);
    for (int i = 0; i < 50; i++) atomic_fetch_add(&contended, 1);
  }
  return argument;
}
static void children(void) {
  pthread_atfork(before, after, after);
  pthread_t t = start(busy, NULL);
  for (int i = 0; i < 30; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      int sum = atomic_fetch_add(&contended, 1);
      for (unsigned k = 0; k < sizeof buffer; k++) sum += buffer[k];
      _exit(sum == -1);
    }
    if (waitpid(pid, NULL, 0) != pid) exit(1);
  }
  atomic_store(&stop, 1);
  pthread_join(t, NULL);
}

static int registered;
static void at_the_end(void) {
  if (registered != 1) abort();
}
static void *registers(void *argument) {
  registered = 1;
  atexit(at_the_end);
  atomic_store_explicit(&rang, 3, memory_order_relaxed);
  for (;;) pause();
  return argument;
}
static void by_exit(void) {
  pthread_detach(start(registers, NULL));
  while (atomic_load_explicit(&rang, memory_order_relaxed) != 3) usleep(1000);
}

int main(void) {
  by_pipe();
  by_signal();
  barriers_that_go();
  special_mutexes();
  by_release_sequence();
  by_timer();
  mappings_that_move();
  by_stream();
  identities();
  children();
  by_exit();
  return 0;
}

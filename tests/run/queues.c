/* finds: data race A B; fixed: nothing. What is handed over by queues and semaphores of System V and POSIX, by a timer's and a signal's
 * descriptor, and by pipes that are filled from other pipes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { QUEUE, MESSAGE, SEMAPHORE, TIMER, SIGNAL, PIPE, WAYS };
static int values[WAYS], late;
static mqd_t queue;
static int messages, semaphores, timer, signals, first[2], second[2];
struct message {
  long type;
  char text[4];
};

static void *give(void *argument) {
  struct message m = {1, "abc"};
  struct sembuf up = {0, 1, 0};
  struct itimerspec soon = {.it_value = {.tv_nsec = 1000}};
  values[QUEUE] = 1;
  if (queue != -1 && mq_send(queue, m.text, sizeof m.text, 0) != 0) abort();
  values[MESSAGE] = 1;
  if (msgsnd(messages, &m, sizeof m.text, 0) != 0) abort();
  values[SEMAPHORE] = 1;
  if (semop(semaphores, &up, 1) != 0) abort();
  values[TIMER] = 1;
  if (timerfd_settime(timer, 0, &soon, NULL) != 0) abort();
  values[SIGNAL] = 1;
  if (kill(getpid(), SIGUSR1) != 0) abort();
#ifdef FIXED
  late = 1;
#endif
  values[PIPE] = 1;
  if (write(first[1], m.text, 1) != 1 || splice(first[0], NULL, second[1], NULL, 1, 0) != 1) abort();
#ifndef FIXED
  late = 1; /* @A */
#endif
  return argument;
}

int main(void) {
  struct message m;
  struct sembuf down = {0, -1, 0};
  struct mq_attr about = {.mq_maxmsg = 2, .mq_msgsize = sizeof m.text};
  struct signalfd_siginfo info;
  uint64_t count;
  char name[40], byte;
  pthread_t t;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  snprintf(name, sizeof name, "/heddle-%d", getpid());
  queue = mq_open(name, O_RDWR | O_CREAT, 0600, &about); /* not every system has them */
  if (queue != -1) mq_unlink(name);
  messages = msgget(IPC_PRIVATE, 0600), semaphores = semget(IPC_PRIVATE, 1, 0600);
  timer = timerfd_create(CLOCK_MONOTONIC, 0), signals = signalfd(-1, &set, 0);
  if (messages < 0 || semaphores < 0 || timer < 0 || signals < 0 || pipe(first) != 0 || pipe(second) != 0) return 1;
  pthread_create(&t, NULL, give, NULL);
  int sum = 0;
  if (queue != -1 && mq_receive(queue, m.text, sizeof m.text, NULL) == sizeof m.text) sum += values[QUEUE];
  if (msgrcv(messages, &m, sizeof m.text, 1, 0) != sizeof m.text) return 1;
  sum += values[MESSAGE];
  if (semop(semaphores, &down, 1) != 0) return 1;
  sum += values[SEMAPHORE];
  if (read(timer, &count, sizeof count) != sizeof count) return 1;
  sum += values[TIMER];
  if (read(signals, &info, sizeof info) != sizeof info) return 1;
  sum += values[SIGNAL];
  if (read(second[0], &byte, 1) != 1) return 1;
  sum += values[PIPE];
  sum += late; /* @B */
  pthread_join(t, NULL);
  msgctl(messages, IPC_RMID, NULL), semctl(semaphores, 0, IPC_RMID);
  return sum < WAYS - 1;
}

/* predicts: data-race 0
 * strangers: the timer's
 * What comes behind a request: the cleanup of a thread that was cancelled, in two ways of compiling it and at its end; the function of a
 * timer; a section of flock(). */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
static int ours[3], seen[3], total;
static pthread_key_t key;
static sem_t ready, done;

static void cleanup(void *data) { seen[*(int *)data] = ours[*(int *)data]; }
static void *waits(void *data) {
  pthread_cleanup_push(cleanup, data);
  sem_post(&ready);
  for (;;) pause();
  pthread_cleanup_pop(0);
  return data;
}
/* Without a handler: the key's destructor is the first that knows. */
static void *waits_alone(void *data) {
  pthread_setspecific(key, data);
  sem_post(&ready);
  for (;;) pause();
  return data;
}
static void cancel(void *(*function)(void *), int *number) {
  pthread_t t;
  pthread_create(&t, 0, function, number);
  sem_wait(&ready);
  ours[*number] = 7;
  pthread_cancel(t);
  pthread_join(t, 0);
}

static void expired(union sigval value) {
  cleanup(value.sival_ptr);
  sem_post(&done);
}
static void expire(int *number) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired, .sigev_value.sival_ptr = number};
  struct itimerspec soon = {.it_value.tv_nsec = 1000000};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) _exit(2);
  ours[*number] = 7;
  timer_settime(timer, 0, &soon, 0);
  sem_wait(&done);
}

static void *adds(void *path) {
  int fd = open(path, O_CREAT | O_RDWR, 0600);
  flock(fd, LOCK_EX);
  total++;
  flock(fd, LOCK_UN);
  flock(fd, LOCK_EX);
  total++;
  close(fd);
  return path;
}

int main(void) {
  static int numbers[] = {0, 1, 2};
  static char path[] = "requests.lock";
  pthread_t a, b;
  sem_init(&ready, 0, 0), sem_init(&done, 0, 0);
  pthread_key_create(&key, cleanup);
  cancel(waits, &numbers[0]);
  cancel(waits_alone, &numbers[1]);
  expire(&numbers[2]);
  pthread_create(&a, 0, adds, path), pthread_create(&b, 0, adds, path);
  pthread_join(a, 0), pthread_join(b, 0);
  unlink(path);
  return seen[0] != 7 || seen[1] != 7 || seen[2] != 7 || total != 4;
}

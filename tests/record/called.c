/* predicts: data-race 0
 * strangers: the C library's
 * Functions that the C library calls in a thread of its own, when something is done or has come: behind what asked for it. */
#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int asked[3], seen[3];
static sem_t called;

static void calls(union sigval value) {
  seen[value.sival_int] = asked[value.sival_int];
  sem_post(&called);
}
static struct sigevent event(int i) {
  struct sigevent e;
  memset(&e, 0, sizeof e);
  e.sigev_notify = SIGEV_THREAD, e.sigev_notify_function = calls, e.sigev_value.sival_int = i;
  return e;
}

static void with_files(void) {
  static char text[] = "text";
  char name[] = "/tmp/heddle-XXXXXX";
  struct aiocb request;
  memset(&request, 0, sizeof request);
  request.aio_fildes = mkstemp(name), request.aio_buf = text, request.aio_nbytes = 4, request.aio_sigevent = event(0);
  asked[0] = 1;
  if (aio_write(&request) == 0) sem_wait(&called);
  close(request.aio_fildes);
  unlink(name);
}

static void with_queues(void) {
  char name[40];
  struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 8};
  struct sigevent e = event(1);
  snprintf(name, sizeof name, "/heddle-%d", (int)getpid());
  mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
  if (queue == (mqd_t)-1) return;
  asked[1] = 2;
  if (mq_notify(queue, &e) == 0 && mq_send(queue, "a", 1, 0) == 0) sem_wait(&called);
  mq_close(queue);
  mq_unlink(name);
}

static void with_names(void) {
  static struct gaicb request = {.ar_name = "127.0.0.1"};
  struct gaicb *all[] = {&request};
  struct sigevent e = event(2);
  asked[2] = 3;
  if (getaddrinfo_a(GAI_NOWAIT, all, 1, &e) == 0) sem_wait(&called);
}

int main(void) {
  sem_init(&called, 0, 0);
  with_files();
  with_queues();
  with_names();
  return seen[0] == 1 && seen[1] <= 2 && seen[2] == 3 ? 0 : 1;
}

/* A server in the shape of apache 2.2.9 with its bug 45605: listeners accept requests and put them into a queue, which has one place for
 * each worker; a listener waits for an idle worker first, so that there is always a place.
 *
 * The bug: a listener that is woken takes it for granted that a worker is idle, and counts one less after it has left the lock. Another
 * listener may have taken that worker: the number of idle workers and the queue do not fit each other any more, and the queue overflows.
 *
 * Natively: apache [REQUESTS [LISTENERS]], requests of each listener, fails in some of the runs; in others it hangs, since an idle worker
 * is forgotten. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { WORKERS = 2, MOST_LISTENERS = 8 };

static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER, queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle_waits = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static atomic_int idlers;
static int queue[WORKERS], count, closed, served;
static int requests = 3, listeners = 2;

static void wait_for_idler(void) {
  if (atomic_load(&idlers) == 0) {
    pthread_mutex_lock(&idle_lock);
    if (atomic_load(&idlers) == 0) pthread_cond_wait(&idle_waits, &idle_lock);
    pthread_mutex_unlock(&idle_lock);
  }
  atomic_fetch_sub(&idlers, 1);
}

static void set_idle(void) {
  if (atomic_fetch_add(&idlers, 1) > 0) return;
  pthread_mutex_lock(&idle_lock);
  pthread_cond_signal(&idle_waits);
  pthread_mutex_unlock(&idle_lock);
}

static void queue_push(int request) {
  pthread_mutex_lock(&queue_lock);
  assert(count < WORKERS);
  queue[count++] = request;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&queue_lock);
}

static int queue_pop(void) {
  int request = -1;
  pthread_mutex_lock(&queue_lock);
  while (count == 0 && !closed) pthread_cond_wait(&not_empty, &queue_lock);
  if (count > 0) request = queue[--count], served++;
  pthread_mutex_unlock(&queue_lock);
  return request;
}

static void *listen_for(void *unused) {
  for (int i = 0; i < requests; i++) {
    wait_for_idler();
    queue_push(i);
  }
  return unused;
}

static void *work(void *sum) {
  for (;;) {
    set_idle();
    int request = queue_pop();
    if (request < 0) return sum;
    *(int *)sum += request;
    sched_yield();
  }
}

int main(int argc, char **argv) {
  pthread_t listener[MOST_LISTENERS], worker[WORKERS];
  int sums[WORKERS] = {0};
  if (argc > 1) requests = atoi(argv[1]);
  if (argc > 2) listeners = atoi(argv[2]);
  if (listeners > MOST_LISTENERS) listeners = MOST_LISTENERS;
  for (int i = 0; i < listeners; i++) pthread_create(&listener[i], 0, listen_for, 0);
  for (int i = 0; i < WORKERS; i++) pthread_create(&worker[i], 0, work, &sums[i]);
  for (int i = 0; i < listeners; i++) pthread_join(listener[i], 0);
  pthread_mutex_lock(&queue_lock);
  closed = 1;
  pthread_cond_broadcast(&not_empty);
  pthread_mutex_unlock(&queue_lock);
  for (int i = 0; i < WORKERS; i++) pthread_join(worker[i], 0);
  assert(served == listeners * requests);
  return 0;
}

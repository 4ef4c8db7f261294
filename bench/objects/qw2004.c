/* qw2004_variant (Table 4.3), after the Bluetooth driver of Qadeer and Wu, "KISS: keep it simple and sequential": USERS threads use a device
 * that another one stops. Who comes in before it stops is counted; the last one out allows the stop, behind which nobody may be in. */
#include <heddle.h>
#include <pthread.h>

#ifndef USERS
#define USERS 10
#endif

struct device {
  pthread_mutex_t lock;
  int pending, stopping, free, stopped;
};

int device_enter(struct device *d) {
  pthread_mutex_lock(&d->lock);
  int in = !d->stopping;
  d->pending += in;
  pthread_mutex_unlock(&d->lock);
  return in;
}

static void leave(struct device *d) {
  if (--d->pending == 0) d->free = 1;
}

void device_leave(struct device *d) {
  pthread_mutex_lock(&d->lock);
  leave(d);
  pthread_mutex_unlock(&d->lock);
}

/* Is it free? Then it is stopped. */
int device_stop(struct device *d) {
  pthread_mutex_lock(&d->lock);
  d->stopping = 1;
  leave(d);
  int stops = d->free;
  if (stops) d->stopped = 1;
  pthread_mutex_unlock(&d->lock);
  return stops;
}

/* Of who is in. */
int device_is_stopped(struct device *d) {
  pthread_mutex_lock(&d->lock);
  int stopped = d->stopped;
  pthread_mutex_unlock(&d->lock);
  return stopped;
}

static struct device device = {.lock = PTHREAD_MUTEX_INITIALIZER, .pending = 1};

static void *use(void *argument) {
  if (!device_enter(&device)) return argument;
  hd_assert(!device_is_stopped(&device));
  device_leave(&device);
  return argument;
}

static void *stop(void *argument) {
  device_stop(&device);
  return argument;
}

int main(void) {
  pthread_t thread[USERS + 1];
  for (int i = 0; i <= USERS; i++) pthread_create(&thread[i], 0, i < USERS ? use : stop, 0);
  for (int i = 0; i <= USERS; i++) pthread_join(thread[i], 0);
  return 0;
}

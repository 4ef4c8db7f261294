/* A thread that calls functions at their times: it waits for a condition until the next is due; who adds an earlier one wakes it. */
#include <pthread.h>
#include <stdbool.h>
#include <time.h>
enum { TIMERS = 12 };
static struct {
  struct timespec due;
  int *counter;
} timers[TIMERS];
static int count, fired[TIMERS];
static bool over;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_before(struct timespec a, struct timespec b) { return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec); }
static int earliest(void) {
  int best = 0;
  for (int i = 1; i < count; i++)
    if (is_before(timers[i].due, timers[best].due)) best = i;
  return best;
}
static void *run(void *argument) {
  pthread_mutex_lock(&m);
  while (count > 0 || !over) {
    struct timespec now;
    int next = earliest();
    clock_gettime(CLOCK_REALTIME, &now);
    if (count == 0) {
      pthread_cond_wait(&changed, &m);
    } else if (is_before(now, timers[next].due)) {
      struct timespec until = timers[next].due;
      pthread_cond_timedwait(&changed, &m, &until);
    } else {
      int *counter = timers[next].counter;
      timers[next] = timers[--count];
      pthread_mutex_unlock(&m);
      ++*counter;
      pthread_mutex_lock(&m);
    }
  }
  pthread_mutex_unlock(&m);
  return argument;
}
static void add(int n) {
  struct timespec due;
  clock_gettime(CLOCK_REALTIME, &due);
  due.tv_nsec += (n * 7 % TIMERS) * 1000000L;
  if (due.tv_nsec >= 1000000000L) due.tv_sec++, due.tv_nsec -= 1000000000L;
#ifndef RACY
  pthread_mutex_lock(&m);
#endif
  timers[count].due = due, timers[count].counter = &fired[n], count++;
  pthread_cond_signal(&changed);
#ifndef RACY
  pthread_mutex_unlock(&m);
#endif
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, run, NULL);
  for (int i = 0; i < TIMERS; i++) add(i);
  pthread_mutex_lock(&m);
  over = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  for (int i = 0; i < TIMERS; i++)
    if (fired[i] != 1) return 1;
  return 0;
}

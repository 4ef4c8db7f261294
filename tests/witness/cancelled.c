/* confirms: data-race 2
 * A race of a thread before it is cancelled, and one of its cleanup. */
#include <pthread.h>
#include <unistd.h>
static int total, left;
static void cleanup(void *unused) { (void)unused, left = 1; }
static void *cancelled(void *unused) {
  pthread_cleanup_push(cleanup, 0);
  total++;
  for (;;) pause();
  pthread_cleanup_pop(0);
  return unused;
}
static void *other(void *unused) {
  total++;
  left = 2;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, cancelled, 0);
  pthread_create(&b, 0, other, 0);
  usleep(20000);
  pthread_cancel(a);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return left == 0;
}

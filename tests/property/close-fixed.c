/* property: use-after-close.property
 * found:
 * checked
 * One section. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int descriptor = -1;
static void *sender(void *argument) {
  pthread_mutex_lock(&lock);
  int to = descriptor;
  if (to >= 0) (void)!write(to, "x", 1);
  pthread_mutex_unlock(&lock);
  return argument;
}
static void *closer(void *argument) {
  usleep(300 * 1000);
  pthread_mutex_lock(&lock);
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
  pthread_mutex_unlock(&lock);
  return argument;
}
int main(void) {
  pthread_t t;
  descriptor = open("/dev/null", O_WRONLY);
  sender(0);
  pthread_create(&t, 0, sender, 0);
  closer(0);
  pthread_join(t, 0);
}

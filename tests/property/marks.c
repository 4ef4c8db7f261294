/* property: marks.property
 * found: used_late
 * checked
 * Places in the source: an entry is used when it may have been given back. */
#include <heddle.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int entries[2] = {1, 1};
static void *user(void *argument) {
  pthread_mutex_lock(&lock);
  int there = entries[1];
  pthread_mutex_unlock(&lock);
  if (there) HD_EVENT("use", &entries[1]);
  return argument;
}
static void *owner(void *argument) {
  usleep(300 * 1000);
  pthread_mutex_lock(&lock);
  HD_EVENT("give_back", &entries[1], 5);
  entries[1] = 0;
  pthread_mutex_unlock(&lock);
  HD_EVENT("end");
  return argument;
}
int main(void) {
  pthread_t a, b;
  HD_EVENT("give_back", &entries[0], 4);
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, owner, 0);
  pthread_join(a, 0), pthread_join(b, 0);
}

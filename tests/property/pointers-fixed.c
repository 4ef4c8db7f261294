/* property: use-before-initialise.property
 * found:
 * checked
 * It is initialised before the other thread begins. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
struct object {
  int state;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object object;
static void object_init(struct object *o, int state) {
  pthread_mutex_lock(&lock);
  o->state = state;
  pthread_mutex_unlock(&lock);
}
static void *object_use(void *argument) {
  struct object *o = argument;
  pthread_mutex_lock(&lock);
  o->state++;
  pthread_mutex_unlock(&lock);
  return argument;
}
static void (*volatile initialise)(struct object *, int) = object_init;
static void *first(void *argument) {
  initialise(&object, 1);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_join(a, 0);
  pthread_create(&b, 0, object_use, &object);
  pthread_join(b, 0);
}

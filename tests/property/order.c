/* property: order.property
 * found: backwards
 * checked
 * Both orders of the first two marks lead to the same state of the program: what has been seen is all that tells them apart. */
#include <heddle.h>
#include <pthread.h>
static void *first(void *argument) {
  HD_EVENT("first");
  return argument;
}
static void *second(void *argument) {
  HD_EVENT("second");
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  HD_EVENT("last");
}

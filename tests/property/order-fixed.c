/* property: order.property
 * found:
 * checked
 * One part ends before the other one begins. */
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
  pthread_join(a, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(b, 0);
  HD_EVENT("last");
}

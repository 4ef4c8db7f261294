/* predicts: data-race 0
 * keeps: data-race.property
 * Controls of pthread_once() beside each other, four bytes each, and what they make once: in whichever order the
 * threads come, what is made is ordered with who uses it. */
#include <pthread.h>
#include <threads.h>
static pthread_once_t once[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static pthread_key_t key;
static tss_t another;
static int x, y;
static void start(void) { x = 1; }
static void make(void) {
  pthread_key_create(&key, 0);
  tss_create(&another, 0);
  y = 1;
}
static void *one(void *argument) {
  pthread_once(&once[0], start);
  pthread_once(&once[1], make);
  pthread_setspecific(key, &y);
  tss_set(another, &y);
  return x + y == 2 ? argument : 0;
}
static void *two(void *argument) {
  pthread_once(&once[1], make);
  pthread_once(&once[0], start);
  return x + y == 2 ? argument : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

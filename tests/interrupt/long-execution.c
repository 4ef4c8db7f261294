/* One execution that takes for ever, all of its steps visible. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint turns;
static void *turn(void *a) {
  for (unsigned i = 0; i < 4000000000u; i++) atomic_fetch_add(&turns, 1);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, turn, 0);
  turn(0);
  pthread_join(t, 0);
  return 0;
}

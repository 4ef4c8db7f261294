/* property: fig10.property
 * found: UnsafeIterator:1,3,2
 * FIG. 16 (JFreeChart): listeners are told of a change while another thread adds one. The list's operations are synchronized: no race. */
#include "collection.h"
static struct collection listeners = {.lock = PTHREAD_MUTEX_INITIALIZER};
static int told;
static void series_changed(int listener) { told += listener; }
static void notify_listeners(void) {
  struct iterator *i = collection_iterator(&listeners); /* 1 */
  series_changed(iterator_next(i)); /* 2 */
  free(i);
}
static void add_change_listener(int listener) {
  collection_add(&listeners, listener); /* 3 */
}
static void *other(void *argument) {
  usleep(200 * 1000);
  add_change_listener(2);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  notify_listeners();
  pthread_join(t, 0);
  return told > 2;
}

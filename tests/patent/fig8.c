/* property: fig10.property
 * found: UnsafeIterator:3,5,4
 * FIG. 8: the order 1-2-3-5-4-6-7. Of the second iterator there is no such order: the thread that adds makes it afterwards. */
#include "collection.h"
static struct collection c = {.lock = PTHREAD_MUTEX_INITIALIZER};
static void *t2(void *argument) {
  usleep(200 * 1000);
  collection_add(&c, 2); /* 5 */
  struct iterator *i2 = collection_iterator(&c); /* 6 */
  iterator_next(i2); /* 7 */
  free(i2);
  return argument;
}
int main(void) {
  pthread_t t;
  collection_add(&c, 1); /* 1 */
  pthread_create(&t, 0, t2, 0); /* 2 */
  struct iterator *i1 = collection_iterator(&c); /* 3 */
  iterator_next(i1); /* 4 */
  pthread_join(t, 0);
  free(i1);
}

/* property: fig10.property
 * found:
 * FIG. 8, but the second thread begins when the first one has gone through the collection. */
#include "collection.h"
static struct collection c = {.lock = PTHREAD_MUTEX_INITIALIZER};
static void *t2(void *argument) {
  collection_add(&c, 2); /* 5 */
  struct iterator *i2 = collection_iterator(&c); /* 6 */
  iterator_next(i2); /* 7 */
  free(i2);
  return argument;
}
int main(void) {
  pthread_t t;
  collection_add(&c, 1); /* 1 */
  struct iterator *i1 = collection_iterator(&c); /* 3 */
  iterator_next(i1); /* 4 */
  pthread_create(&t, 0, t2, 0); /* 2 */
  pthread_join(t, 0);
  free(i1);
}

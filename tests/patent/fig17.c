/* property: fig17.property
 * found: NullPointerException:2,3
 * FIG. 17 (Derby, bug 2861): referencedColumnMap is tested and then used, and another thread sets it to null in between. */
#include <pthread.h>
#include <unistd.h>
struct table_descriptor {
  int *volatile referenced_column_map;
};
static int columns[4] = {1, 2, 3, 4};
static struct table_descriptor d = {columns};
static int get_object_names(struct table_descriptor *t) {
  if (t->referenced_column_map == NULL) return -1; /* 1 */
  return *t->referenced_column_map; /* 2 */
}
static void set_referenced_column_map(struct table_descriptor *t, int *map) {
  t->referenced_column_map = map; /* 3 */
}
static void *other(void *argument) {
  usleep(200 * 1000);
  set_referenced_column_map(&d, NULL);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  int names = get_object_names(&d);
  pthread_join(t, 0);
  return names == 0;
}

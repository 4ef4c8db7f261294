/* property: iterator-invalidation.property
 * found: iterator_invalidation
 * checked
 * One thread goes through a list while another one may add to it. All functions may be inlined. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
struct list {
  pthread_mutex_t lock;
  int n, items[8];
};
struct iterator {
  struct list *list;
  int at;
};
static struct iterator *iter_new(struct list *l) {
  struct iterator *i = malloc(sizeof *i);
  i->list = l, i->at = 0;
  return i;
}
static int iter_next(struct iterator *i) {
  pthread_mutex_lock(&i->list->lock);
  int item = i->at < i->list->n ? i->list->items[i->at++] : -1;
  pthread_mutex_unlock(&i->list->lock);
  return item;
}
static void list_add(struct list *l, int item) {
  pthread_mutex_lock(&l->lock);
  if (l->n < 8) l->items[l->n++] = item;
  pthread_mutex_unlock(&l->lock);
}
static void list_remove(struct list *l) {
  pthread_mutex_lock(&l->lock);
  if (l->n > 0) l->n--;
  pthread_mutex_unlock(&l->lock);
}
static struct list list = {PTHREAD_MUTEX_INITIALIZER, 0, {0}};
static void *reader(void *argument) {
  struct iterator *i = iter_new(&list);
  iter_next(i);
  iter_next(i);
  free(i);
  return argument;
}
static void *writer(void *argument) {
  usleep(300 * 1000);
  list_add(&list, 3);
  return argument;
}
int main(void) {
  pthread_t a, b;
  list_add(&list, 1);
  list_add(&list, 2);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  list_remove(&list);
}

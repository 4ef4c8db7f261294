/* property: iterator-invalidation.property
 * found:
 * checked
 * Going through the list, and adding to it, are sections of one lock. */
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
static int iter_next(struct iterator *i) { return i->at < i->list->n ? i->list->items[i->at++] : -1; }
static void list_add(struct list *l, int item) {
  if (l->n < 8) l->items[l->n++] = item;
}
static void list_remove(struct list *l) {
  if (l->n > 0) l->n--;
}
static struct list list = {PTHREAD_MUTEX_INITIALIZER, 0, {0}};
static void *reader(void *argument) {
  pthread_mutex_lock(&list.lock);
  struct iterator *i = iter_new(&list);
  iter_next(i);
  iter_next(i);
  free(i);
  pthread_mutex_unlock(&list.lock);
  return argument;
}
static void *writer(void *argument) {
  usleep(300 * 1000);
  pthread_mutex_lock(&list.lock);
  list_add(&list, 3);
  pthread_mutex_unlock(&list.lock);
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

/* property: fig20.property
 * found: CheckThenAct:1,2,2
 * FIG. 20 (Derby, bug 3786): the map is safe for several threads, what is done with it is not. */
#include <pthread.h>
#include <unistd.h>
struct map {
  pthread_mutex_t lock;
  int present[4];
};
static int map_get(struct map *m, long key) {
  pthread_mutex_lock(&m->lock);
  int present = m->present[key];
  pthread_mutex_unlock(&m->lock);
  return present;
}
static void map_put(struct map *m, long key) {
  pthread_mutex_lock(&m->lock);
  m->present[key] = 1;
  pthread_mutex_unlock(&m->lock);
}
static void map_remove(struct map *m, long key) {
  pthread_mutex_lock(&m->lock);
  m->present[key] = 0;
  pthread_mutex_unlock(&m->lock);
}
static struct map statement_cache = {PTHREAD_MUTEX_INITIALIZER, {0, 1, 1, 0}};
static void remove_statement(long statement) {
  int cached = map_get(&statement_cache, statement); /* 1 */
  if (cached) map_remove(&statement_cache, statement); /* 2 */
}
static void *other(void *argument) {
  usleep(200 * 1000);
  remove_statement(2);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  remove_statement(2);
  map_put(&statement_cache, 2);
  pthread_join(t, 0);
  return statement_cache.present[2];
}

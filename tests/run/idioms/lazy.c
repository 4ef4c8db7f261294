/* An object that is made when it is first asked for: looked at without the lock, and once more with it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct table {
  int at[16];
};
#ifdef RACY
static struct table *table;
#define GET(order) table
#define SET(t) (table = (t))
#else
static struct table *_Atomic table;
#define GET(order) atomic_load_explicit(&table, memory_order_##order)
#define SET(t) atomic_store_explicit(&table, t, memory_order_release)
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table *get(void) {
  struct table *t = GET(acquire);
  if (t) return t;
  pthread_mutex_lock(&lock);
  t = GET(relaxed);
  if (!t) {
    t = malloc(sizeof *t);
    for (int i = 0; i < 16; i++) t->at[i] = i * i;
    SET(t);
  }
  pthread_mutex_unlock(&lock);
  return t;
}
static void *use(void *argument) {
  long sum = 0;
  for (int i = 0; i < 16; i++) sum += get()->at[i];
  return sum == 1240 ? argument : NULL;
}
int main(void) {
  pthread_t t[4];
  void *result;
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, use, t);
  for (int i = 0; i < 4; i++)
    if (pthread_join(t[i], &result) || result != t) return 1;
  free(get());
  return 0;
}

/* hashtable (Tables 4.4 and 4.5): two buckets of chained entries, one lock. THREADS threads look up a key each; MIXED: they put a value
 * under one of three keys, two of them the same one; the first also looks one up. */
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 4
#endif

enum { BUCKETS = 2, NIL = 0 };
struct entry {
  int key, value;
  struct entry *next;
};
struct table {
  pthread_mutex_t lock;
  struct entry *buckets[BUCKETS];
};

static struct entry *find(struct table *t, int key) {
  struct entry *e = t->buckets[key % BUCKETS];
  while (e && e->key != key) e = e->next;
  return e;
}

/* The value before. */
int table_put(struct table *t, int key, int value) {
  pthread_mutex_lock(&t->lock);
  struct entry *e = find(t, key);
  int before = e ? e->value : NIL;
  if (!e) {
    e = malloc(sizeof *e);
    *e = (struct entry){key, NIL, t->buckets[key % BUCKETS]};
    t->buckets[key % BUCKETS] = e;
  }
  if (before != value) e->value = value;
  pthread_mutex_unlock(&t->lock);
  return before;
}

int table_get(struct table *t, int key) {
  pthread_mutex_lock(&t->lock);
  struct entry *e = find(t, key);
  int value = e ? e->value : NIL;
  pthread_mutex_unlock(&t->lock);
  return value;
}

static struct table table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *work(void *argument) {
  int me = (int)(long)argument;
#ifdef MIXED
  table_put(&table, me % 3, 1 + me / 6);
  if (me == 0) table_get(&table, 1);
#else
  table_get(&table, me);
#endif
  return 0;
}

int main(void) {
  pthread_t thread[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
  return 0;
}

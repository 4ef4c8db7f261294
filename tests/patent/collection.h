/* A collection with a lock of its own for each operation, and its iterators, as FIG. 8 and 16 have them. */
#pragma once
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct collection {
  pthread_mutex_t lock;
  int n, items[8];
};
struct iterator {
  struct collection *of;
  int at;
};

static void collection_add(struct collection *c, int item) {
  pthread_mutex_lock(&c->lock);
  c->items[c->n++ & 7] = item;
  pthread_mutex_unlock(&c->lock);
}

static struct iterator *collection_iterator(struct collection *c) {
  struct iterator *i = malloc(sizeof *i);
  i->of = c, i->at = 0;
  return i;
}

static int iterator_next(struct iterator *i) {
  pthread_mutex_lock(&i->of->lock);
  int item = i->of->items[i->at++ & 7];
  pthread_mutex_unlock(&i->of->lock);
  return item;
}

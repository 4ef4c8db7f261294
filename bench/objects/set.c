/* set (Tables 4.4 and 4.5): a set of numbers as a linked list, one lock. THREADS threads look for a number each; MIXED: they add a number
 * each, and one more asks how many there are. */
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 4
#endif

struct node {
  int number;
  struct node *next;
};
struct set {
  pthread_mutex_t lock;
  struct node *first;
};

int set_add(struct set *s, int number) {
  pthread_mutex_lock(&s->lock);
  struct node *n = s->first;
  while (n && n->number != number) n = n->next;
  int is_new = !n;
  if (is_new) {
    n = malloc(sizeof *n);
    n->number = number;
    n->next = s->first;
    s->first = n;
  }
  pthread_mutex_unlock(&s->lock);
  return is_new;
}

int set_contains(struct set *s, int number) {
  pthread_mutex_lock(&s->lock);
  struct node *n = s->first;
  while (n && n->number != number) n = n->next;
  pthread_mutex_unlock(&s->lock);
  return n != 0;
}

int set_size(struct set *s) {
  int size = 0;
  pthread_mutex_lock(&s->lock);
  for (struct node *n = s->first; n; n = n->next) size++;
  pthread_mutex_unlock(&s->lock);
  return size;
}

static struct set set = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *work(void *argument) {
  int me = (int)(long)argument;
#ifdef MIXED
  set_add(&set, me);
#else
  set_contains(&set, me);
#endif
  return 0;
}

#ifdef MIXED
static void *ask(void *argument) {
  return (void *)(long)(set_size(&set) * (argument == 0));
}
#endif

int main(void) {
  pthread_t thread[THREADS + 1];
  for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, work, (void *)i);
#ifdef MIXED
  pthread_create(&thread[THREADS], 0, ask, 0);
  pthread_join(thread[THREADS], 0);
#endif
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
  return 0;
}

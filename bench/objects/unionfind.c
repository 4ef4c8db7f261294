/* union-find (Tables 4.4 and 4.5): disjoint sets of THREADS numbers with path compression, one lock. THREADS threads ask for the
 * smallest number in one's set, where each begins in a chain; MIXED: some unite two sets. */
#include <pthread.h>

#ifndef THREADS
#define THREADS 4
#endif

struct sets {
  pthread_mutex_t lock;
  int above[THREADS]; /* a smaller number of the set, or the number itself */
};

static int root(struct sets *s, int x) {
  int top = x;
  while (s->above[top] != top) top = s->above[top];
  while (s->above[x] != top) {
    int next = s->above[x];
    s->above[x] = top;
    x = next;
  }
  return top;
}

/* The smallest number in the set of x. */
int sets_find(struct sets *s, int x) {
  pthread_mutex_lock(&s->lock);
  int top = root(s, x);
  pthread_mutex_unlock(&s->lock);
  return top;
}

/* 1: two sets became one. */
int sets_unite(struct sets *s, int x, int y) {
  pthread_mutex_lock(&s->lock);
  int a = root(s, x), b = root(s, y), differ = a != b;
  if (differ) s->above[a < b ? b : a] = a < b ? a : b;
  pthread_mutex_unlock(&s->lock);
  return differ;
}

/* For specifications: three bits for each number, the smallest one of its set. */
int sets_state(struct sets *s) {
  int state = 0;
  for (int i = THREADS; i-- > 0;) {
    int top = i;
    while (s->above[top] != top) top = s->above[top];
    state = state * 8 + top;
  }
  return state;
}
int sets_least(int state, int x) { return state >> (3 * x) & 7; }
/* Of the sets of x and y, that whose numbers get another smallest one if they are united. */
int sets_given_up(int state, int x, int y) {
  int a = sets_least(state, x), b = sets_least(state, y);
  return a < b ? b : a;
}

static struct sets sets = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *work(void *argument) {
  int me = (int)(long)argument;
#ifdef MIXED
  if (me % 2)
    sets_unite(&sets, me, (me + 1) % THREADS);
  else
    sets_find(&sets, me);
#else
  sets_find(&sets, me);
#endif
  return 0;
}

int main(void) {
  pthread_t thread[THREADS];
#ifdef MIXED
  for (int i = 0; i < THREADS; i++) sets.above[i] = i;
#else
  for (int i = 0; i < THREADS; i++) sets.above[i] = i ? i - 1 : 0;
#endif
  for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
  return 0;
}

/* sigma (Table 4.3): THREADS threads each mark a cell of an array, and the sum of all is asserted. Which cell is a variable of main's that
 * it moves on before it makes each thread, so a thread that comes late marks another one's: the assertion can fail. */
#include <heddle.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 16
#endif

struct cells {
  pthread_mutex_t lock;
  int next, marked[THREADS];
};

void cells_advance(struct cells *c) {
  pthread_mutex_lock(&c->lock);
  c->next++;
  pthread_mutex_unlock(&c->lock);
}

void cells_mark(struct cells *c) {
  pthread_mutex_lock(&c->lock);
  c->marked[c->next] = 1;
  pthread_mutex_unlock(&c->lock);
}

static struct cells cells = {.lock = PTHREAD_MUTEX_INITIALIZER, .next = -1};

static void *work(void *argument) {
  cells_mark(&cells);
  return argument;
}

int main(void) {
  pthread_t thread[THREADS];
  int sum = 0;
  for (int i = 0; i < THREADS; i++) {
    cells_advance(&cells);
    pthread_create(&thread[i], 0, work, 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
  for (int i = 0; i < THREADS; i++) sum += cells.marked[i];
  hd_assert(sum == THREADS);
  return 0;
}

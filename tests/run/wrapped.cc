// finds: use after free A B; fixed: nothing. analysis: ovp. wraps: box.spec wrapped-box.cc. What is called of a library is an action.
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "moment.h"

struct box {
  pthread_mutex_t lock;
  int keys[8], count;
};
struct tail {
  long words[6];
};
struct found {
  double value;
  long key;
};
extern "C" double box_put(double scale, struct box *b, int key, long c, long d, long e, long f, long g, struct tail tail, long last);
extern "C" struct found box_find(struct box *b, int key);
extern "C" struct tail box_sum(struct box *b, long base);
extern "C" void box_close(struct box *b);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static box b = {PTHREAD_MUTEX_INITIALIZER, {42}, 1};
static int *x, message;

static void put(int key) {
  tail t = {{6, 0, 0, 0, 0, 7}};
  if (box_put(2.0, &b, key, 1, 2, 3, 4, 5, t, 8) != 72) abort();
}

static void *uses(void *argument) {
  for (int i = 0; i < 100; i++) { // calls that are left by an exception are over
    try {
      box_put(2.0, &b, -1, 1, 2, 3, 4, 5, tail(), 8);
      abort();
    } catch (const std::runtime_error &) {
    }
  }
  *x = 1; // @A
  pthread_mutex_lock(&m);
#ifdef FIXED
  put(42);
#else
  put(1);
#endif
  pthread_mutex_unlock(&m);
  message = 1;
  put(7); // the box orders what it hands on, by its own lock
  moment_reach(1);
  return argument;
}

static void *ends(void *argument) {
  while (box_find(&b, 7).key < 0) usleep(1000);
  if (message != 1) abort();
  pthread_mutex_lock(&m);
  found f = box_find(&b, 42);
  if (f.value != 21 || f.key != 42) abort();
  pthread_mutex_unlock(&m);
  moment_reach(2);
  return argument;
}

static void *frees(void *argument) {
  moment_await(1);
  moment_await(2);
  pthread_mutex_lock(&m);
  if (box_find(&b, 42).key == 42) free(x); // @B
  pthread_mutex_unlock(&m);
  return argument;
}

int main() {
  pthread_t t[3];
  x = static_cast<int *>(malloc(sizeof *x));
  pthread_create(&t[0], NULL, uses, NULL);
  pthread_create(&t[1], NULL, ends, NULL);
  pthread_create(&t[2], NULL, frees, NULL);
  for (pthread_t i : t) pthread_join(i, NULL);
  tail sum = box_sum(&b, 5);
  if (sum.words[0] != 5 || sum.words[5] < 49) abort();
  box_close(&b);
  return 0;
}

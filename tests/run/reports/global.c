/* A structure and an array of the program: which member, and which element. */
#include "launch.h"
static struct point {
  int x, y;
} point;
int table[10];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *data) {
  pthread_mutex_lock(&lock);
  point.y++;
  table[3] = 5;
  pthread_mutex_unlock(&lock);
  moment_reach(0);
  return data;
}

int main(void) {
  pthread_t t;
  launch(0, &t, work, NULL);
  point.y++;
  table[3] = 6;
  pthread_join(t, NULL);
  return 0;
}

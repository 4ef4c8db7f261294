/* Locks in an array of structures. */
#include "launch.h"
static struct box {
  pthread_mutex_t lock, inner;
  int value;
} boxes[3];

static void *work(void *data) {
  pthread_mutex_lock(&boxes[1].lock);
  pthread_mutex_lock(&boxes[1].inner);
  boxes[1].value++;
  pthread_mutex_unlock(&boxes[1].inner);
  pthread_mutex_unlock(&boxes[1].lock);
  moment_reach(0);
  return data;
}

int main(void) {
  for (int i = 0; i < 3; i++) pthread_mutex_init(&boxes[i].lock, NULL), pthread_mutex_init(&boxes[i].inner, NULL);
  pthread_t t;
  launch(0, &t, work, NULL);
  pthread_mutex_lock(&boxes[2].lock);
  boxes[1].value = 2;
  pthread_mutex_unlock(&boxes[2].lock);
  pthread_join(t, NULL);
  return 0;
}

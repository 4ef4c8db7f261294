// The methods of a box, as a library has them: more arguments than registers, results of all kinds, exceptions.
#include <pthread.h>

#include <stdexcept>

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

double box_put(double scale, struct box *b, int key, long c, long d, long e, long f, long g, struct tail tail, long last) {
  if (key < 0) throw std::runtime_error("no key");
  pthread_mutex_lock(&b->lock);
  b->keys[b->count++ % 8] = key;
  pthread_mutex_unlock(&b->lock);
  return scale * (c + d + e + f + g + tail.words[0] + tail.words[5] + last);
}

found box_find(struct box *b, int key) {
  found result = {0.5, -1};
  pthread_mutex_lock(&b->lock);
  for (int i = 0; i < b->count && i < 8; i++)
    if (b->keys[i] == key) result = {key / 2.0, key};
  pthread_mutex_unlock(&b->lock);
  return result;
}

tail box_sum(struct box *b, long base) {
  tail t = {{base, 0, 0, 0, 0, 0}};
  pthread_mutex_lock(&b->lock);
  for (int i = 0; i < b->count && i < 8; i++) t.words[5] += b->keys[i];
  pthread_mutex_unlock(&b->lock);
  return t;
}

void box_close(struct box *b) { pthread_mutex_destroy(&b->lock); }

/* ring_2w1r-1 (Table 4.3): two threads put 1 to VALUES into a ring each, and a third one takes what it finds there, looking at both by turns.
 * What comes out of a ring comes in order. */
#include <heddle.h>
#include <pthread.h>

#ifndef VALUES
#define VALUES 4
#endif
#ifndef LOOKS
#define LOOKS 8
#endif

struct ring {
  pthread_mutex_t lock;
  int first, end, values[VALUES];
};

void ring_put(struct ring *r, int value) {
  pthread_mutex_lock(&r->lock);
  r->values[r->end++] = value;
  pthread_mutex_unlock(&r->lock);
}

/* The oldest value; 0: there is none. */
int ring_get(struct ring *r) {
  pthread_mutex_lock(&r->lock);
  int value = r->first < r->end ? r->values[r->first++] : 0;
  pthread_mutex_unlock(&r->lock);
  return value;
}

/* Its values, and in the last four bits their number. */
unsigned long ring_state(struct ring *r) {
  unsigned long state = 1;
  for (int i = r->first; i < r->end; i++) state = state * 31 + (unsigned)r->values[i];
  return state << 4 | (unsigned)(r->end - r->first);
}

static struct ring rings[2] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

static void *write_all(void *ring) {
  for (int value = 1; value <= VALUES; value++) ring_put(ring, value);
  return 0;
}

static void *read_some(void *argument) {
  int last[2] = {0};
  for (int i = 0; i < LOOKS; i++) {
    int value = ring_get(&rings[i % 2]);
    hd_assert(!value || value == last[i % 2] + 1);
    if (value) last[i % 2] = value;
  }
  return argument;
}

int main(void) {
  pthread_t thread[3];
  for (int i = 0; i < 3; i++) pthread_create(&thread[i], 0, i < 2 ? write_all : read_some, i < 2 ? &rings[i] : 0);
  for (int i = 0; i < 3; i++) pthread_join(thread[i], 0);
  return 0;
}

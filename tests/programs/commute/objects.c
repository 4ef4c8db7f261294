// Objects that specifications are tested with (--test-spec; tests/programs/commute/specifications).
// verdict: SAFE
#include <pthread.h>

#define METHOD(type, name, ...) type name(struct object *o __VA_OPT__(, ) __VA_ARGS__)

enum { NUMBERS = 3, ROOM = 2 };
struct object {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  int has[NUMBERS], n, values[ROOM + 1];
};
static void in(struct object *o) { pthread_mutex_lock(&o->lock); }
static int out(struct object *o, int result) {
  pthread_mutex_unlock(&o->lock);
  return result;
}

/* A set of numbers. */
METHOD(int, set_add, int x) {
  in(o);
  int is_new = !o->has[x];
  o->has[x] = 1;
  return out(o, is_new);
}
METHOD(int, set_remove, int x) {
  in(o);
  int was = o->has[x];
  o->has[x] = 0;
  return out(o, was);
}
METHOD(int, set_has, int x) {
  in(o);
  return out(o, o->has[x]);
}
METHOD(int, set_size) {
  in(o);
  return out(o, o->has[0] + o->has[1] + o->has[2]);
}
int set_state(struct object *o) { return o->has[0] + 2 * o->has[1] + 4 * o->has[2]; }
int set_bit(int state, int x) { return state >> x & 1; }

/* A number. */
METHOD(void, number_set, int x) {
  in(o);
  o->n = x;
  out(o, 0);
}
METHOD(void, number_add, int x) {
  in(o);
  o->n += x;
  out(o, 0);
}
METHOD(int, number_swap, int x) {
  in(o);
  int was = o->n;
  o->n = x;
  return out(o, was);
}
METHOD(void, number_raise, int x) { /* to x at least */
  in(o);
  if (o->n < x) o->n = x;
  out(o, 0);
}
METHOD(int, number_get) {
  in(o);
  return out(o, o->n);
}

/* A queue of ROOM numbers; -1: it is full, or empty. */
METHOD(int, queue_put, int x) {
  in(o);
  if (o->n == ROOM) return out(o, -1);
  o->values[o->n++] = x;
  return out(o, 0);
}
METHOD(int, queue_get) {
  in(o);
  if (o->n == 0) return out(o, -1);
  int first = o->values[0];
  for (int i = 1; i < o->n; i++) o->values[i - 1] = o->values[i];
  o->n--;
  return out(o, first);
}
int queue_state(struct object *o) {
  int state = o->n;
  for (int i = 0; i < o->n; i++) state = 10 * state + o->values[i];
  return state;
}
int queue_length(int state) { return state < 10 ? state : state < 100 ? 1 : 2; }

/* A gate that lets one pass each time that it was opened. */
METHOD(void, gate_open) {
  in(o);
  o->n++;
  pthread_cond_signal(&o->opened);
  out(o, 0);
}
METHOD(void, gate_pass) {
  in(o);
  while (o->n == 0) pthread_cond_wait(&o->opened, &o->lock);
  o->n--;
  out(o, 0);
}

static struct object gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};
static struct object set = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct object number = {.lock = PTHREAD_MUTEX_INITIALIZER}, queue = {.lock = PTHREAD_MUTEX_INITIALIZER};

int main(void) {
  set_has(&set, 0);
  number_get(&number);
  queue_get(&queue);
  gate_open(&gate);
  gate_pass(&gate);
  return 0;
}

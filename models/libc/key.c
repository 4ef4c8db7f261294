/* Thread-specific data: POSIX keys. Values are thread-local, so that getting and setting them is nobody else's business; which keys
 * exist is shared. The first keys' values are in the thread-local block, further ones in a table that is allocated when they are set. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "internal.h"

enum { KEYS = PTHREAD_KEYS_MAX, KEYS_INLINE = 8, ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS };

struct key {
  int generation; /* odd: the key exists. A use of a key happens after its creation, or the program is at fault */
  void (*destroy)(void *value);
};

struct value {
  void *value;
  int generation; /* of the key that it was set for */
};

static struct key keys[KEYS];
static pthread_mutex_t keys_lock = PTHREAD_MUTEX_INITIALIZER;

static __thread struct value values[KEYS_INLINE];
static __thread struct value *more_values; /* those from KEYS_INLINE on */
static __thread unsigned values_end;       /* above the highest key that this thread has set */

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *value)) {
  pthread_mutex_lock(&keys_lock);
  for (unsigned i = 0; i < KEYS; i++) {
    if (keys[i].generation & 1) continue;
    keys[i].destroy = destroy;
    keys[i].generation++;
    pthread_mutex_unlock(&keys_lock);
    *key = i;
    return 0;
  }
  pthread_mutex_unlock(&keys_lock);
  return EAGAIN;
}

int __pthread_key_create(pthread_key_t *key, void (*destroy)(void *value));
int __pthread_key_create(pthread_key_t *key, void (*destroy)(void *value)) { return pthread_key_create(key, destroy); }

int pthread_key_delete(pthread_key_t key) {
  pthread_mutex_lock(&keys_lock);
  bool exists = key < KEYS && keys[key].generation & 1;
  if (exists) keys[key].generation++;
  pthread_mutex_unlock(&keys_lock);
  return exists ? 0 : EINVAL;
}

static struct value *value_of(pthread_key_t key) {
  if (key < KEYS_INLINE) return &values[key];
  return more_values && key < KEYS ? &more_values[key - KEYS_INLINE] : NULL;
}

void *pthread_getspecific(pthread_key_t key) {
  struct value *v = value_of(key);
  if (!v || !v->value) return NULL;
  return v->generation == keys[key].generation ? v->value : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= KEYS || !(keys[key].generation & 1)) return EINVAL;
  struct value *v = value_of(key);
  if (!v) {
    if (!value) return 0;
    more_values = calloc(KEYS - KEYS_INLINE, sizeof *more_values);
    if (!more_values) return ENOMEM;
    v = value_of(key);
  }
  v->value = (void *)value;
  v->generation = keys[key].generation;
  if (key >= values_end) values_end = key + 1;
  return 0;
}

/* One round of destructors; whether any ran. */
static bool release_round(void) {
  bool any = false;
  for (unsigned i = 0; i < values_end; i++) {
    struct value *v = value_of(i);
    void *value = v ? v->value : NULL;
    if (!value) continue;
    v->value = NULL;
    if (v->generation != keys[i].generation || !keys[i].destroy) continue;
    keys[i].destroy(value);
    any = true;
  }
  return any;
}

/* When a thread ends: values that destructors set are destroyed in further rounds, as POSIX bounds them. */
void __hd_keys_release(void);
void __hd_keys_release(void) {
  if (!values_end) return;
  for (int round = 0; round < ROUNDS && release_round();) round++;
  free(more_values);
  more_values = NULL;
  values_end = 0;
}

#include <assert.h>
#include <stdlib.h>
#include "uv.h"
/* libuv's own locks, semaphore, barrier, once, keys. */
static uv_sem_t sem;
static uv_barrier_t bar;
static uv_rwlock_t rw;
static uv_once_t once = UV_ONCE_INIT;
static uv_key_t key;
static int a, n, fired;
static void init(void) {
  fired++;
  uv_key_create(&key);
}
static void work(void *x) {
  uv_once(&once, init);
  uv_key_set(&key, x);
  uv_rwlock_wrlock(&rw);
  a++;
  uv_rwlock_wrunlock(&rw);
  if (uv_barrier_wait(&bar) > 0)
    n++;
  uv_rwlock_rdlock(&rw);
  assert(a == 2 && fired == 1 && uv_key_get(&key) == x);
  uv_rwlock_rdunlock(&rw);
  uv_sem_post(&sem);
}
int main(void) {
  uv_thread_t t;
  uv_sem_init(&sem, 0);
  uv_barrier_init(&bar, 2);
  uv_rwlock_init(&rw);
  uv_thread_create(&t, work, &t);
  work(&a);
  uv_sem_wait(&sem);
  uv_sem_wait(&sem);
  uv_thread_join(&t);
  assert(n == 1);
  uv_sem_destroy(&sem);
  uv_barrier_destroy(&bar);
  uv_rwlock_destroy(&rw);
  uv_key_delete(&key);
}
void uv__free(void *p) { free(p); }
void *uv__malloc(size_t n) { return malloc(n); }

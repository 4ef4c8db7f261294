#include <assert.h>
#include <stdio.h>
#include "uv.h"
#include "unix/internal.h"
/* libuv's thread pool alone: the loop is what uv__work_done() is told of. */
static uv_mutex_t m;
static uv_cond_t c;
static int told, ran, after;
int uv_async_send(uv_async_t *a) {
  (void)a;
  uv_mutex_lock(&m);
  told++;
  uv_cond_signal(&c);
  uv_mutex_unlock(&m);
  return 0;
}
static void work(struct uv__work *w) {
  (void)w;
  __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
}
static void done(struct uv__work *w, int status) {
  (void)w;
  assert(status == 0 || status == UV_ECANCELED);
  after++;
}
static uv_loop_t loop;
int main(void) {
  struct uv__work w[2];
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  uv_mutex_init(&m);
  uv_cond_init(&c);
  uv_mutex_init(&loop.wq_mutex);
  QUEUE_INIT(&loop.wq);
  for (int i = 0; i < JOBS; i++)
    uv__work_submit(&loop, &w[i], UV__WORK_CPU, work, done);
  while (after < JOBS) {
    uv_mutex_lock(&m);
    while (!told)
      uv_cond_wait(&c, &m);
    told = 0;
    uv_mutex_unlock(&m);
    uv__work_done(&loop.wq_async);
  }
  assert(ran == JOBS);
#ifdef CLEAN
  uv__threadpool_cleanup();
#endif
}
void uv__free(void *p) { free(p); }
void *uv__malloc(size_t n) { return malloc(n); }
const char *uv_err_name(int e) {
  (void)e;
  return "";
}
int uv__has_active(void) { return 0; }

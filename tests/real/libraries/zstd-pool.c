/* zstd's pool of threads, with two workers and -DJOBS=N jobs. */
#include <assert.h>
#include <stddef.h>
#include "pool.h"
#include "threading.h"
static int done[4];
static void job(void *p) { *(int *)p += 1; }
int main(void) {
  POOL_ctx *pool = POOL_create(2, QUEUE);
  for (int i = 0; i < JOBS; i++)
    POOL_add(pool, job, &done[i]);
#ifdef TRY
  int added = POOL_tryAdd(pool, job, &done[JOBS]);
#endif
  POOL_joinJobs(pool);
  for (int i = 0; i < JOBS; i++)
    assert(done[i] == 1);
#ifdef RESIZE
  POOL_resize(pool, 1);
  POOL_add(pool, job, &done[0]);
#endif
  POOL_free(pool);
#ifdef TRY
  assert(done[JOBS] == added);
#endif
}

/* FFmpeg's slice threads, without the rest of libavutil. */
#include <assert.h>
#include <stdlib.h>
#include <stdint.h>
#include "libavutil/slicethread.h"
static int done[3], sum[3];
static void work(void *priv, int jobnr, int threadnr, int nb_jobs, int nb_threads) {
  done[jobnr]++;
  sum[threadnr]++;
}
int main(void) {
  AVSliceThread *c = 0;
  assert(avpriv_slicethread_create(&c, done, work, 0, THREADS) == THREADS);
  avpriv_slicethread_execute(c, JOBS, 0);
  for (int i = 0; i < JOBS; i++)
    assert(done[i] == 1);
#ifdef TWICE
  avpriv_slicethread_execute(c, JOBS, 0);
  for (int i = 0; i < JOBS; i++)
    assert(done[i] == 2);
#endif
  avpriv_slicethread_free(&c);
}
void *av_mallocz(size_t n) { return calloc(1, n); }
void *av_calloc(size_t n, size_t m) { return calloc(n, m); }
void av_freep(void *p) {
  free(*(void **)p);
  *(void **)p = 0;
}
int av_cpu_count(void) { return 2; }

/* What programs ask, and set. */
#include <omp.h>
#include <time.h>

#include "internal.h"

int omp_get_thread_num(void) { return (int)self.number; }
int omp_get_num_threads(void) { return (int)team_size(); }
int omp_in_parallel(void) { return self.active > 0; }
int omp_get_level(void) { return (int)self.level; }
int omp_get_active_level(void) { return (int)self.active; }

int omp_get_max_threads(void) { return (int)__hd_omp_threads_wanted(); }
void omp_set_num_threads(int threads) { self.settings.threads = threads > 0 ? (unsigned)threads : 1; }
int omp_get_num_procs(void) { return (int)__hd_omp_threads_wanted(); }
int omp_get_thread_limit(void) { return (int)__hd_omp_threads_most(); }

void omp_set_dynamic(int dynamic) { self.settings.dynamic = dynamic != 0; }
int omp_get_dynamic(void) { return self.settings.dynamic; }
void omp_set_max_active_levels(int levels) { self.settings.levels = levels < 0 ? self.settings.levels : (unsigned)levels + 1; }
int omp_get_max_active_levels(void) { return (int)__hd_omp_levels_most(); }
void omp_set_nested(int nested) { self.settings.levels = nested ? THREADS_MOST : 2; }
int omp_get_nested(void) { return __hd_omp_levels_most() > 1; }

/* What the thread is at a level that it is in; NULL: there is no such level. */
static const struct member *member_at(int level) {
  const struct member *at = &self;
  if (level < 0 || (unsigned)level > self.level) return NULL;
  while (at && at->level > (unsigned)level) at = at->outer ? at->outer : at->team->parent;
  return at;
}
int omp_get_ancestor_thread_num(int level) {
  const struct member *at = member_at(level);
  return at ? (int)at->number : -1;
}
int omp_get_team_size(int level) {
  const struct member *at = member_at(level);
  return !at ? -1 : at->size ? (int)at->size : 1;
}

static const clockid_t wall = CLOCK_MONOTONIC;
double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(wall, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
double omp_get_wtick(void) { return 1e-9; }

__attribute__((weak)) int omp_in_final(void) { return 0; }
int omp_get_supported_active_levels(void) { return THREADS_MOST; }
omp_proc_bind_t omp_get_proc_bind(void) { return omp_proc_bind_false; }
int omp_get_num_places(void) { return 0; }
int omp_get_place_num(void) { return -1; }
int omp_get_max_task_priority(void) { return 0; }

int omp_get_num_devices(void) { return 0; }
int omp_get_default_device(void) { return 0; }
void omp_set_default_device(int device) {}
int omp_get_initial_device(void) { return 0; }
int omp_get_device_num(void) { return 0; }
int omp_is_initial_device(void) { return 1; }
int omp_get_num_teams(void) { return 1; }
int omp_get_team_num(void) { return 0; }

/* What it shows is the implementation's business. */
void omp_display_env(int verbose) {
  static const char text[] = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201811'\nOPENMP DISPLAY ENVIRONMENT END\n";
  (void)verbose, __hd_output(2, text, sizeof text - 1);
}

/* What libomp does not tell its tools (tool.c) but the program asks it for: reductions, order between iterations, fences. */
#include "openmp/library.h"

/* Reductions are done in one of three ways: 1, under a lock; 2, by atomic operations; or by the library, which calls the program's function
 * for two threads' values in a barrier (tool.c), and one thread goes on with the result, as if it had the lock. */
enum { LOCKED = 1 };
typedef void reducer(void *to, void *from);
#define REDUCES(name)                                                                                            \
  PUBLIC int __kmpc_##name(void *place, int thread, int count, size_t size, void *data, reducer *f, void *lock); \
  PUBLIC void __kmpc_end_##name(void *place, int thread, void *lock);                                            \
  int __kmpc_##name(void *place, int thread, int count, size_t size, void *data, reducer *f, void *lock) {       \
    int way = NEXT_OPENMP(__kmpc_##name)(place, thread, count, size, data, f, lock);                             \
    if (way == LOCKED) mutex_taken(lock, true, CALLER);                                                          \
    if (task_now) task_now->reduces = way == LOCKED;                                                             \
    return way;                                                                                                  \
  }                                                                                                              \
  void __kmpc_end_##name(void *place, int thread, void *lock) {                                                  \
    if (task_now && task_now->reduces) mutex_given(lock, CALLER);                                                \
    if (task_now) task_now->reduces = false;                                                                     \
    NEXT_OPENMP(__kmpc_end_##name)(place, thread, lock);                                                         \
  }
REDUCES(reduce)
REDUCES(reduce_nowait)

PUBLIC void __kmpc_ordered(void *place, int thread);
PUBLIC void __kmpc_end_ordered(void *place, int thread);
PUBLIC void __kmpc_doacross_post(void *place, int thread, const int64_t *numbers);
PUBLIC void __kmpc_doacross_wait(void *place, int thread, const int64_t *numbers);
static struct team *team(void) { return task_now ? task_now->team : NULL; }
void __kmpc_ordered(void *place, int thread) {
  NEXT_OPENMP(__kmpc_ordered)(place, thread);
  if (team()) order_acquire(&team()->ordered);
}
void __kmpc_end_ordered(void *place, int thread) {
  if (team()) order_release(&team()->ordered);
  NEXT_OPENMP(__kmpc_end_ordered)(place, thread);
}
void __kmpc_doacross_post(void *place, int thread, const int64_t *numbers) {
  if (team()) order_release(team_step(team(), (uint64_t)numbers[0]));
  NEXT_OPENMP(__kmpc_doacross_post)(place, thread, numbers);
}
void __kmpc_doacross_wait(void *place, int thread, const int64_t *numbers) {
  NEXT_OPENMP(__kmpc_doacross_wait)(place, thread, numbers);
  if (team()) order_acquire(team_step(team(), (uint64_t)numbers[0]));
}

/* Parts of untied tasks. At a point where it may go on elsewhere such a task gives itself to the library again and returns. If the next
 * part is over before the library has seen that, it tells nobody: so each part is done by do_part(). The program's function is kept before
 * what the task shares, whose place the library knows when it makes copies of a task. */
struct kmp_task;
typedef int routine(int thread, struct kmp_task *task);
struct kmp_task {
  routine **shared;
  routine *function;
};

static int do_part(int thread, struct kmp_task *k) {
  struct task *task = task_now;
  uintptr_t base = task && task->actor ? (uintptr_t)__builtin_frame_address(0) : 0;
  if (base) frames_end(base);
  int result = k->shared[-1](thread, k);
  if (base) frames_end(base);
  task_returns(task);
  return result;
}

PUBLIC struct kmp_task *__kmpc_omp_task_alloc(void *place, int thread, int flags, size_t size, size_t shared, routine *f);
struct kmp_task *__kmpc_omp_task_alloc(void *place, int thread, int flags, size_t size, size_t shared, routine *f) {
  enum { TIED = 1 };
  bool parts = openmp_tells && !(flags & TIED);
  struct kmp_task *k = NEXT_OPENMP(__kmpc_omp_task_alloc)(place, thread, flags, size, shared + (parts ? sizeof f : 0), parts ? do_part : f);
  if (parts) *k->shared++ = f;
  return k;
}

/* `flush` */
PUBLIC void __kmpc_flush(void *place);
PUBLIC void __tsan_atomic_thread_fence(int order);
void __kmpc_flush(void *place) {
  __tsan_atomic_thread_fence(__ATOMIC_SEQ_CST);
  NEXT_OPENMP(__kmpc_flush)(place);
}

/* Copies of what tasks reduce are their thread's; and so is what a program finds by a thread's number, whatever the library. */
PUBLIC void *__kmpc_task_reduction_get_th_data(int thread, void *group, void *item);
PUBLIC int omp_get_thread_num(void);
void *__kmpc_task_reduction_get_th_data(int thread, void *group, void *item) {
  actor_asks();
  return NEXT_OPENMP(__kmpc_task_reduction_get_th_data)(thread, group, item);
}
int omp_get_thread_num(void) {
  actor_asks();
  return NEXT_OPENMP(omp_get_thread_num)();
}

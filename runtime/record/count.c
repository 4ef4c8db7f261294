#include "record/count.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "intercept/intercept.h"
#include "record/record.h"

void count_changes(struct thread *t, struct sync *s, bool down) {
  sync_lock(t, s);
  if (!down) s->depth++;
  if (down && s->depth > 0) s->depth--;
  record_sync(t, down ? TRACE_EVENT_SEM_WAIT : TRACE_EVENT_SEM_POST, s, 0, 0);
  sync_unlock(t, s);
}

static void pause_briefly(unsigned times) {
  enum { AT_ONCE = 64, NANOSECONDS = 100000 };
  if (times < AT_ONCE)
    syscall(SYS_sched_yield);
  else
    syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = NANOSECONDS}, NULL);
}

/* Others may have taken what is there by the events so far, or not have posted it yet, and are about to do the rest. So it is tried again,
 * and may succeed. After some time it is another process that takes, or code that nobody sees. */
bool count_refuses(struct thread *t, sem_t *object) {
  enum { MOST = 1000 };
  struct sync *s = sync_at((uintptr_t)object, SYNC_SEM);
  for (unsigned times = 0; s; times++) {
    sync_lock(t, s);
    bool got = NEXT(sem_trywait)(object) == 0, over = got || s->depth == 0 || times == MOST;
    if (got) {
      if (s->depth > 0) s->depth--;
      record_sync(t, TRACE_EVENT_SEM_WAIT, s, 0, 0);
    } else if (over) {
      s->depth = 0;
      record_vain(t, s);
    }
    sync_unlock(t, s);
    if (over) return !got;
    pause_briefly(times);
  }
  return true;
}

/* Where the events so far come to another count, or to a large one, a try in vain that cannot have been makes the semaphore keep its order.
 */
int count_asked(struct thread *t, sem_t *object) {
  enum { MOST = 1000, LARGE = 64 };
  struct sync *s = sync_at((uintptr_t)object, SYNC_SEM);
  int value = 0;
  for (unsigned times = 0; s; times++) {
    sync_lock(t, s);
    NEXT(sem_getvalue)(object, &value);
    uint32_t n = value > 0 ? (uint32_t)value : 0;
    bool same = n == s->depth, over = same || times == MOST;
    for (uint32_t i = 0; same && i < n && n <= LARGE; i++) record_sync(t, TRACE_EVENT_SEM_WAIT, s, 0, 0);
    if (over) record_vain(t, s);
    for (uint32_t i = 0; same && i < n && n <= LARGE; i++) record_sync(t, TRACE_EVENT_SEM_POST, s, 0, 0);
    if (over) s->depth = n;
    sync_unlock(t, s);
    if (over) return value;
    pause_briefly(times);
  }
  return value;
}

void count_ends(struct thread *t, sem_t *object) {
  struct sync *s = sync_find((uintptr_t)object);
  while (s && s->kind == SYNC_SEM && s->depth > 0) count_changes(t, s, true);
}

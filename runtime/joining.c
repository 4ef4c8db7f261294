#include "joining.h"

#include "thread.h"

enum { BUCKETS = 1024 };

static struct {
  struct rt_lock lock; /* for all there is here */
  struct ending *buckets[BUCKETS];
} table;

static struct ending **bucket_of(pthread_t id) { return &table.buckets[(uint64_t)id * 0x9e3779b97f4a7c15ull >> 54]; }

struct ending *ending_new(const struct thread_info *thread, bool detached) {
  struct ending *e = rt_alloc(sizeof *e);
  if (e) *e = (struct ending){.thread = thread, .owners = 2, .unmapped = detached};
  return e;
}

static void drop(struct ending *e) {
  if (--e->owners > 0) return;
  vclock_free(e->last);
  rt_free(e, sizeof *e);
}

void ending_drop(struct ending *e) {
  if (!e) return;
  struct thread *t = thread_lock_self(&table.lock);
  drop(e);
  thread_unlock_self(t, &table.lock);
}

void ending_map(struct ending *e, pthread_t id) {
  if (!e) return;
  struct thread *t = thread_lock_self(&table.lock);
  if (!e->mapped && !e->unmapped) {
    struct ending **bucket = bucket_of(id);
    e->id = id, e->mapped = true, e->next = *bucket, e->owners++;
    *bucket = e;
  }
  thread_unlock_self(t, &table.lock);
}

void ending_unmap(struct ending *e) {
  struct thread *t = thread_lock_self(&table.lock);
  if (e->mapped && !e->unmapped) {
    struct ending **link = bucket_of(e->id);
    while (*link != e) link = &(*link)->next;
    *link = e->next;
    drop(e);
  }
  e->unmapped = true;
  thread_unlock_self(t, &table.lock);
}

struct ending *ending_of(pthread_t id) {
  struct thread *t = thread_lock_self(&table.lock);
  struct ending *e = *bucket_of(id);
  while (e && !pthread_equal(e->id, id)) e = e->next;
  if (e) e->owners++;
  thread_unlock_self(t, &table.lock);
  return e;
}

void endings_before_fork(void) { rt_lock(&table.lock); }
void endings_after_fork(bool child) {
  for (unsigned i = 0; child && i < BUCKETS; i++)
    for (struct ending *e = table.buckets[i]; e; e = e->next) e->parents = true;
  rt_unlock(&table.lock);
}

const struct thread_info *ending_without_join(uint32_t last) {
  const struct thread_info *first = NULL;
  struct thread *t = thread_lock_self(&table.lock);
  for (unsigned i = 0; i < BUCKETS; i++)
    for (const struct ending *e = table.buckets[i]; e; e = e->next)
      if (e->thread && !e->parents && e->thread->number > last && (!first || e->thread->number < first->number)) first = e->thread;
  thread_unlock_self(t, &table.lock);
  return first;
}

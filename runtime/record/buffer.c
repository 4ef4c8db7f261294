#include "record/buffer.h"

#include "record/file.h"
#include "record/name.h"

/* The counter is not read before what came earlier is done: a lock that was waited for is there. */
void buffer_time(struct recorder *r) {
  __builtin_ia32_lfence();
  r->until_time = TRACE_TIME_EVERY;
  buffer_add(r, trace_put_time(r->coder, r->at, __builtin_ia32_rdtsc()));
}

/* Each block can be read without those before it. */
static void begin(struct recorder *r) {
  struct trace_slot *s = r->slot;
  const char *name = name_of(r->thread->info->number);
  size_t n = rt_length(name) + 1;
  unsigned char *payload = (unsigned char *)(s + 1);
  __atomic_store_n(&s->used, 0, __ATOMIC_RELEASE);
  *s = (struct trace_slot){.magic = TRACE_SLOT_MAGIC,
                           .thread = r->thread->info->number,
                           .sequence = r->sequence,
                           .first = r->count,
                           .time = __builtin_ia32_rdtsc()};
  rt_copy(payload, name, n);
  rt_zero(r->coder, sizeof *r->coder);
  r->coder->time = s->time;
  r->limit = (unsigned char *)s + FILE_SLOT - TRACE_EVENT_MOST;
  buffer_add(r, payload + n);
  r->until_time = TRACE_TIME_EVERY;
}

void buffer_flush(struct recorder *r) {
  file_lock_slot(r->index);
  file_write_events(r->slot, r->count);
  r->sequence++;
  begin(r);
  file_unlock_slot(r->index);
}

bool buffer_open(struct thread *t) {
  struct recorder *r = &hd_recorder;
  thread_enter(t);
  struct trace_coder *coder = rt_alloc(sizeof *coder);
  uint32_t index = 0;
  struct trace_slot *slot = coder ? file_take_slot(&index) : NULL;
  if (slot) {
    *r = (struct recorder){.slot = slot, .coder = coder, .thread = t, .index = index};
    begin(r);
    buffer_leave(r);
  } else {
    rt_free(coder, sizeof *coder);
    *r = (struct recorder){.ended = true};
  }
  thread_leave(t);
  return slot;
}

void buffer_close(struct recorder *r) {
  if (!r->slot) return;
  r->ready = false;
  file_lock_slot(r->index);
  file_write_events(r->slot, r->count);
  __atomic_store_n(&r->slot->used, 0, __ATOMIC_RELEASE);
  file_unlock_slot(r->index);
  file_give_slot(r->index);
  rt_free(r->coder, sizeof *r->coder);
  if (r->under_way) rt_free(r->under_way, RECORD_UNDER_WAY);
  *r = (struct recorder){.ended = true};
}

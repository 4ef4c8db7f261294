/* What a call of the C library reads up to an end that it finds there. */
#pragma once
#include "intercept/intercept.h"
#include "record/record.h"

/* As touches(). In a record, whether the next part is read depends on those before it. */
HOT void touches_text(struct thread *t, const void *p, size_t size, uintptr_t pc) {
  if (UNLIKELY(recording)) hd_recorder.text = true;
  touches(t, p, size, SITE_READ, pc);
  if (UNLIKELY(recording)) hd_recorder.text = false;
}

/* And so does what the call writes from now on: how much, or where, or whether at all. */
HOT void text_decides(struct thread *t) {
  if (UNLIKELY(recording) && t) record_decides(t);
}

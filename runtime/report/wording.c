#include "report/wording.h"

#include "report/symbol.h"

void thread_words(struct rt_text *out, const struct thread_info *i) {
  if (!i)
    rt_printf(out, "a thread that is not known");
  else if (i->number == 0)
    rt_printf(out, "main thread");
  else if (i->name[0])
    rt_printf(out, "thread T%u '%s'", i->number, i->name);
  else
    rt_printf(out, "thread T%u", i->number);
}

void lock_number(struct rt_text *out, struct lock_numbers *numbers, const struct finding_lock *l) {
  unsigned i = 0;
  while (i < numbers->count && numbers->address[i] != l->address) i++;
  if (i == numbers->count && i < LOCKS_NUMBERED) numbers->address[numbers->count++] = l->address;
  rt_printf(out, l->address ? "M%u" : "a lock that is gone", i + 1);
}

bool lock_variable(struct rt_text *out, const struct finding_lock *l) {
  const char *name, *module;
  uintptr_t start;
  size_t size;
  if (!l->address || !symbol_of_data(l->address, &name, &start, &size, &module)) return false;
  rt_printf(out, "%s", name);
  if (l->address != start) rt_printf(out, "+%lu", (unsigned long)(l->address - start));
  return true;
}

void lock_words(struct rt_text *out, struct lock_numbers *numbers, const struct finding_lock *l) {
  lock_number(out, numbers, l);
  size_t before = out->count;
  rt_printf(out, " '");
  if (lock_variable(out, l))
    rt_printf(out, "'");
  else
    out->count = before;
}

bool note_words(struct rt_text *out, struct lock_numbers *numbers, const struct finding_piece **piece) {
  const struct finding_piece *p = *piece;
  if (!p || !p->text) return false;
  for (bool ends = false; !ends && p->text; p++) {
    rt_printf(out, "%s", p->text);
    if (p->thread) thread_words(out, p->thread);
    if (p->lock) lock_words(out, numbers, p->lock);
    ends = p->ends;
  }
  *piece = p;
  return true;
}

#include "report/location.h"

#include "report/module.h"
#include "report/symbol.h"

static const struct thread_info *maker_of(const struct origin *o) { return o->maker ? thread_by_number(o->maker - 1) : NULL; }

/* The C library has a thread's own variables below what it keeps of the thread itself, for all but the main one at the top of the stack. */
static void of_thread(struct location *l, uintptr_t address) {
  size_t below = modules_thread_local();
  l->thread = thread_with_memory(address, below);
  if (!l->thread) return;
  uintptr_t self = l->thread->memory.self;
  bool main = l->thread->number == 0,
       own = main ? address < l->thread->memory.from || address >= l->thread->memory.to : address >= self - below;
  l->kind = own ? LOCATION_THREAD_LOCAL : LOCATION_STACK;
}

/* A block that begins far before the address is looked for word by word, so not where there can be none. */
static struct origin origin_now(uintptr_t address) {
  return module_at(address) && descriptor_of(address) < 0 ? (struct origin){0} : origin_of(address, ORIGIN_FAR);
}

struct location location_of(uintptr_t address, const struct origin *then) {
  struct location l = {0};
  if (!address) return l;
  struct origin o = then && (then->site || then->start) ? *then : origin_now(address);
  l.descriptor = descriptor_of(address);
  if (l.descriptor >= 0) {
    l.kind = LOCATION_DESCRIPTOR;
    l.site = o.site, l.thread = maker_of(&o);
  } else if (o.start) {
    l.kind = LOCATION_HEAP;
    l.start = o.start, l.site = o.site, l.size = o.size, l.thread = maker_of(&o);
  } else if (symbol_of_data(address, &l.name, &l.start, &l.size, &l.module)) {
    l.kind = LOCATION_GLOBAL;
    l.offset = address - module_at(address)->start;
  } else if (!module_at(address)) {
    of_thread(&l, address);
  }
  return l;
}

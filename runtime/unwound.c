#include "unwound.h"

#include <unwind.h>

enum { CALLS = 32, OWN = 8 /* of the runtime, in front of that call */ };

struct unwinding {
  uintptr_t pc;  /* where the search begins, */
  uintptr_t end; /* and ends: the innermost watched function returns there; 0: there is none */
  uintptr_t calls[CALLS];
  unsigned count, own;
  bool begun, ended;
};

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *data) {
  struct unwinding *u = data;
  uintptr_t back = _Unwind_GetIP(context);
  if (!u->begun) {
    u->begun = back == u->pc;
    return ++u->own < OWN ? _URC_NO_REASON : _URC_END_OF_STACK;
  }
  u->ended = back == u->end;
  if (u->ended || u->count == CALLS || back == 0) return _URC_END_OF_STACK;
  u->calls[u->count++] = back;
  return _URC_NO_REASON;
}

/* Calls that stand in watched code: nothing can be between. To unwind costs more than all else that is done for a new thread. */
enum { DIRECT = 256 };
static uintptr_t direct[DIRECT];
static uintptr_t *direct_at(uintptr_t pc) { return &direct[pc * 0x9e3779b97f4a7c15ull >> 56]; }

uint32_t unwound_site(struct thread *t, uintptr_t pc, enum site_kind kind) {
  struct unwinding u = {.pc = pc, .end = hd_fast.top > t->frames ? hd_fast.top->pc : 0};
  if (__atomic_load_n(direct_at(pc), __ATOMIC_RELAXED) == pc) return thread_site(t, pc, kind, 0);
  uint32_t context = thread_context(t);
  _Unwind_Backtrace(look, &u);
  if (!u.ended && u.end) u.count = 0; /* the two do not fit each other */
  if (u.ended && u.count == 0) __atomic_store_n(direct_at(pc), pc, __ATOMIC_RELAXED);
  for (unsigned i = u.count; i > 0 && context; i--) context = context_found(context, call_what(u.calls[i - 1]));
  return context ? context_found(context, site_what(pc, kind, 0, 0)) : SITE_UNKNOWN;
}

/* Unwinding: C++ exceptions in two phases, and pthread_exit's one (Itanium C++ ABI; landing pads as LLVM describes them).
 *
 * An exception is the address of its _Unwind_Exception; while it is in flight private_1 (offset 16) holds the thrown type_info and
 * private_2 (offset 24) the address where the object's address is kept, which is adjusted when a handler is entered. */
#include <string.h>

#include "machine/internal.h"
#include "machine/library/system.h"

#define PRIVATE_1 16
#define PRIVATE_2 24

static bool peek(uint64_t address, uint64_t *value) {
  *value = 0;
  if (!in_arena(address, 8)) return false;
  *value = memory_get(address);
  return true;
}

static uint64_t word(uint64_t address) {
  uint64_t value;
  peek(address, &value);
  return value;
}

/* --- type_info objects --- */

enum type_class { CLASS_OTHER, CLASS_PLAIN, CLASS_SINGLE, CLASS_MULTIPLE, CLASS_POINTER };

static enum type_class class_of(const struct machine *m, uint64_t type) {
  static const struct {
    const char *name;
    enum type_class class_;
  } vtables[] = {{"_ZTVN10__cxxabiv117__class_type_infoE", CLASS_PLAIN},
                 {"_ZTVN10__cxxabiv120__si_class_type_infoE", CLASS_SINGLE},
                 {"_ZTVN10__cxxabiv121__vmi_class_type_infoE", CLASS_MULTIPLE},
                 {"_ZTVN10__cxxabiv119__pointer_type_infoE", CLASS_POINTER}};
  uint64_t vtable = word(type) - 16;
  for (uint32_t i = 0; i < m->image->nglobals; i++) {
    if (m->image->globals[i].address != vtable) continue;
    const char *name = image_string(m->image, m->image->globals[i].name);
    for (size_t k = 0; k < sizeof vtables / sizeof *vtables; k++)
      if (strcmp(name, vtables[k].name) == 0) return vtables[k].class_;
  }
  return CLASS_OTHER;
}

static bool same_type(uint64_t a, uint64_t b) {
  if (a == b) return true;
  uint64_t x = word(a + 8), y = word(b + 8);
  if (!in_arena(x, 1) || !in_arena(y, 1)) return false;
  return x == y || (*(const char *)host_at(x) != '*' && strcmp(host_at(x), host_at(y)) == 0);
}

/* Address of the public base `wanted` of the object at `object` (0: unknown, of a null pointer) of class `type`; counts distinct ones. */
static void find_base(const struct machine *m, uint64_t type, uint64_t object, uint64_t wanted, unsigned *count, uint64_t *found) {
  if (same_type(type, wanted)) {
    if (*count == 0 || *found != object) (*count)++;
    *found = object;
    return;
  }
  enum type_class class_ = class_of(m, type);
  if (class_ == CLASS_SINGLE) find_base(m, word(type + 16), object, wanted, count, found);
  if (class_ != CLASS_MULTIPLE) return;
  uint32_t n = (uint32_t)(word(type + 16) >> 32);
  for (uint32_t i = 0; i < n && i < 4096; i++) {
    uint64_t base = word(type + 24 + 16 * i);
    int64_t offset = (int64_t)word(type + 32 + 16 * i);
    if (!(offset & 2)) continue; /* not public */
    bool is_virtual = offset & 1;
    offset >>= 8;
    if (is_virtual && object) offset = (int64_t)word(word(object) + (uint64_t)offset);
    find_base(m, base, object ? object + (uint64_t)offset : 0, wanted, count, found);
  }
}

static bool is_void(uint64_t type) {
  uint64_t name = word(type + 8);
  return in_arena(name, 2) && strcmp(host_at(name), "v") == 0;
}

static bool catch_pointer(const struct machine *m, uint64_t thrown, uint64_t wanted, uint64_t *object) {
  uint64_t value = word(*object), name = word(thrown + 8);
  if (in_arena(name, 3) && strcmp(host_at(name), "Dn") == 0) { /* nullptr_t */
    *object = 0;
    return true;
  }
  if (class_of(m, thrown) != CLASS_POINTER) return false;
  uint32_t have = (uint32_t)word(thrown + 16), want = (uint32_t)word(wanted + 16);
  if ((have & 7) & ~(want & 7)) return false; /* would drop const, volatile or restrict */
  uint64_t from = word(thrown + 24), to = word(wanted + 24);
  if (!same_type(from, to) && !is_void(to)) {
    unsigned count = 0;
    uint64_t base = 0;
    find_base(m, from, value, to, &count, &base);
    if (count != 1) return false;
    value = base;
  }
  *object = value;
  return true;
}

/* Does a handler for `wanted` (0: any) take an exception of type `thrown`? Then *object becomes what the handler sees. */
static bool catches(const struct machine *m, uint64_t wanted, uint64_t thrown, uint64_t *object) {
  if (wanted == 0) return true;
  if (class_of(m, wanted) == CLASS_POINTER) return catch_pointer(m, thrown, wanted, object);
  if (same_type(wanted, thrown)) return true;
  unsigned count = 0;
  uint64_t base = 0;
  find_base(m, thrown, *object, wanted, &count, &base);
  if (count != 1) return false;
  *object = base;
  return true;
}

/* --- frames --- */

/* The pad of the call that frame `i` stands at, or NULL. */
static const struct image_pad *pad_of(const struct machine *m, const struct thread *t, size_t i) {
  const union insn *p = m->image->code + t->frames.data[i].pc;
  if (p->op < OP_CALL || p->op > OP_CALLIV || p[1].hi == 0) return NULL;
  return &m->image->pads[p[1].hi - 1];
}

/* Is the exception outside of all types of the filter that begins at clause *i? Moves *i to its last entry. */
static bool filter_stops(const struct machine *m, const struct image_pad *pad, uint32_t *i, uint64_t thrown, uint64_t object) {
  const struct image_clause *c = m->image->clauses + pad->first;
  int32_t selector = c[*i].selector;
  bool allowed = false;
  for (;; (*i)++) {
    uint64_t adjusted = object;
    if (c[*i].type != UINT64_MAX && catches(m, c[*i].type, thrown, &adjusted)) allowed = true;
    if (*i + 1 >= pad->count || c[*i + 1].kind != CLAUSE_FILTER || c[*i + 1].selector != selector) break;
  }
  return !allowed;
}

/* The selector of the first clause of `pad` that takes the exception, 0 if none does. */
static int32_t select_clause(const struct machine *m, const struct image_pad *pad, uint64_t thrown, uint64_t *object) {
  const struct image_clause *c = m->image->clauses + pad->first;
  for (uint32_t i = 0; i < pad->count; i++) {
    int32_t selector = c[i].selector;
    if (c[i].kind == CLAUSE_FILTER ? filter_stops(m, pad, &i, thrown, *object) : catches(m, c[i].type, thrown, object)) return selector;
  }
  return 0;
}

static bool has_handler(const struct machine *m, const struct thread *t, uint64_t thrown, uint64_t object) {
  for (size_t i = t->frames.count; i-- > 0;) {
    const struct image_pad *pad = pad_of(m, t, i);
    uint64_t adjusted = object;
    if (pad && select_clause(m, pad, thrown, &adjusted) != 0) return true;
  }
  return false;
}

static enum run enter_pad(struct machine *m, struct thread *t, size_t i, const struct image_pad *pad, int32_t selector) {
  while (t->frames.count > i + 1) stack_restore(&m->memory, t->tid, vec_pop(&t->frames).sp);
  interrupts_leave(m, t);
  t->frames.data[i].pc = pad->target;
  t->selector = (uint32_t)selector;
  return RUN_FRAME;
}

/* pthread_exit has run all clean-ups. */
static enum run finish_forced(struct machine *m, struct thread *t) {
  enum run run = t->frames.count ? unwind_ends(m, t, t->frames.data[0].sp) : RUN_GO;
  if (run != RUN_GO) return run;
  while (t->frames.count) stack_restore(&m->memory, t->tid, vec_pop(&t->frames).sp);
  interrupts_leave(m, t);
  t->forced = false;
  if (t->stage == STAGE_CTORS || t->stage == STAGE_MAIN) t->stage = STAGE_START; /* main ends like any other thread */
  return thread_bottom(m, t, t->result);
}

/* A handler for whatever comes: it would have to pass the end of the thread on. */
static bool catches_all(const struct machine *m, const struct image_pad *pad) {
  const struct image_clause *c = m->image->clauses + pad->first;
  for (uint32_t i = 0; i < pad->count; i++)
    if (c[i].kind == CLAUSE_CATCH && c[i].type == 0) return true;
  return false;
}

/* Does the innermost handler of pthread_cleanup_push() belong to frame `i`, or to one further in that has none for exceptions? */
static bool cleanup_is_next(const struct thread *t, size_t i) { return t->cleanup && jump_depth(t->cleanup) > i; }

/* The locals of the frames behind frame `i` end. */
static enum run frames_end(struct machine *m, struct thread *t, size_t i) {
  return unwind_ends(m, t, i + 1 < t->frames.count ? t->frames.data[i + 1].sp : m->memory.regions[t->tid].sp);
}

enum run unwind(struct machine *m, struct thread *t, bool search) {
  enum run run;
  uint64_t thrown = 0, object = 0, slot = 0;
  bool forced = t->forced && t->exception == 0;
  if (!forced) {
    thrown = word(t->exception + PRIVATE_1), slot = word(t->exception + PRIVATE_2);
    peek(slot, &object);
    if (search && !has_handler(m, t, thrown, object)) return RUN_GO;
  }
  for (size_t i = t->frames.count; i-- > 0;) {
    if (forced && cleanup_is_next(t, i)) {
      run = unwind_ends(m, t, jump_stack(t, t->cleanup));
      return run == RUN_GO ? thread_cleanup(m, t) : run;
    }
    const struct image_pad *pad = pad_of(m, t, i);
    if (!pad) continue;
    if (forced) {
      if (catches_all(m, pad))
        return machine_unsupported(m, t,
                                   "the end of a thread by pthread_exit or cancellation inside a catch (...) or noexcept is not supported");
      if (!pad->cleanup) continue;
      run = frames_end(m, t, i);
      return run == RUN_GO ? enter_pad(m, t, i, pad, 0) : run;
    }
    uint64_t adjusted = object;
    int32_t selector = select_clause(m, pad, thrown, &adjusted);
    if (selector == 0 && !pad->cleanup) continue;
    if ((run = frames_end(m, t, i)) != RUN_GO) return run;
    if (selector > 0 && in_arena(slot, 8)) memory_put(&m->memory, slot, adjusted);
    return enter_pad(m, t, i, pad, selector);
  }
  return forced ? finish_forced(m, t) : RUN_GO;
}

enum run thread_exit(struct machine *m, struct thread *t, uint64_t result) {
  if (interrupts_may_leave(m, t) != RUN_GO) return RUN_STOP;
  t->forced = true;
  t->cancel_disabled = true; /* handlers are not cancelled */
  t->span = thread_span(m, t);
  t->exception = 0;
  t->result = result;
  t->ends_at = m->site;
  return unwind(m, t, false);
}

/* void __hd_unwind_raise(void *exception, const void *type_info, void *object, void **adjusted_slot) */
static enum run run_raise(struct machine *m, struct thread *t, const uint64_t *args, uint32_t nargs, uint64_t *result) {
  (void)nargs, (void)result;
  enum run run = access_check(m, t, args[0], 32, true);
  if (run == RUN_GO) run = access_check(m, t, args[3], 8, true);
  if (run != RUN_GO) return run;
  memory_put(&m->memory, args[0] + PRIVATE_1, args[1]);
  memory_put(&m->memory, args[0] + PRIVATE_2, args[3]);
  memory_put(&m->memory, args[3], args[2]);
  for (uint64_t i = 0; i < 8; i++) {
    *shadow_at(args[3] + i) &= (uint8_t)~SHADOW_UNINIT;
    *shadow_at(args[0] + PRIVATE_1 + i) &= (uint8_t)~SHADOW_UNINIT;
    *shadow_at(args[0] + PRIVATE_2 + i) &= (uint8_t)~SHADOW_UNINIT;
  }
  t->exception = args[0];
  return unwind(m, t, true);
}

const struct builtin unwind_builtins[] = {{"__hd_unwind_raise", run_raise, 4}, {0}};

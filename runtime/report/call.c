#include "report/call.h"

#include "report/module.h"

static bool starts_with(const char *s, const char *prefix) {
  while (*prefix)
    if (*s++ != *prefix++) return false;
  return true;
}

static uintptr_t relative(const unsigned char *end) {
  int32_t offset;
  rt_copy(&offset, end - sizeof offset, sizeof offset);
  return (uintptr_t)end + (uintptr_t)(intptr_t)offset;
}

static uintptr_t slot_at(uintptr_t address) {
  uintptr_t value;
  if (!module_at(address)) return 0;
  rt_copy(&value, (const void *)address, sizeof value);
  return value;
}

/* A stub of the linker jumps to what its slot says: [endbr64] [bnd] jmp *slot(%rip). Its function has been called, so the slot is filled.
 */
static uintptr_t behind_stub(uintptr_t target) {
  const unsigned char *p = (const unsigned char *)target;
  if (!module_at(target) || !module_at(target + 16)) return target;
  if (p[0] == 0xf3 && p[1] == 0x0f && p[2] == 0x1e && p[3] == 0xfa) p += 4;
  if (p[0] == 0xf2) p++;
  return p[0] == 0xff && p[1] == 0x25 ? slot_at(relative(p + 6)) : target;
}

/* What the call in front of that address calls; 0 if it is told by a register. */
static uintptr_t target_of(uintptr_t back) {
  const unsigned char *p = (const unsigned char *)back;
  const struct module *m = module_at(back);
  if (!m || back - m->start < 6) return 0;
  if (p[-6] == 0xff && p[-5] == 0x15) return slot_at(relative(p));
  return p[-5] == 0xe8 ? behind_stub(relative(p)) : 0;
}

/* Where the runtime is a part of the program, what belongs to it is not told apart, but all that these kinds of places are made by does. */
static bool is_runtime(uintptr_t target, enum site_kind kind) {
  const struct module *own = module_at((uintptr_t)call_of), *of = module_at(target);
  bool shared = own && starts_with(base_name(own->path), "lib");
  return own && of == own && (shared || !kind_accesses(kind) || kind > SITE_ATOMIC_WRITE);
}

bool call_of(uint32_t site, struct frame_name *name) {
  const struct site *s = context_at(site);
  enum site_kind kind = (enum site_kind)s->kind;
  uintptr_t target = kind == SITE_CALL || kind >= SITE_MERGED || kind == SITE_ACTION ? 0 : target_of(s->pc);
  if (!target || !is_runtime(target, kind) || !symbol_of_function(target, name)) return false;
  if (starts_with(name->function, "__tsan_mem")) name->function += sizeof "__tsan_" - 1;
  return !starts_with(name->function, "__tsan_") && !starts_with(name->function, "heddle_");
}

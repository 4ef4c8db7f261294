#include "report/call.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "report/file.h"
#include "report/module.h"

static bool starts_with(const char *s, const char *prefix) {
  while (*prefix)
    if (*s++ != *prefix++) return false;
  return true;
}

static int memory = -1; /* open from its first use to calls_done() */

void calls_done(void) {
  if (memory >= 0) syscall(SYS_close, memory);
  memory = -1;
}

/* What is in memory there. The module may be unloaded meanwhile, its pages may not be for reading: the kernel looks instead. False if it
 * cannot, as in a process that may not look into itself. */
static bool look(uintptr_t at, void *to, size_t n) {
  if (memory < 0) memory = file_open("/proc/thread-self/mem");
  return memory >= 0 && module_at(at) && module_read(memory, to, n, at);
}

/* The address that is told as the distance from where these four bytes end. */
static uintptr_t relative(const unsigned char *bytes, uintptr_t end) {
  int32_t offset;
  rt_copy(&offset, bytes, sizeof offset);
  return end + (uintptr_t)(intptr_t)offset;
}

static uintptr_t slot_at(uintptr_t address) {
  uintptr_t value;
  return look(address, &value, sizeof value) ? value : 0;
}

/* A stub of the linker jumps to what its slot says: [endbr64] [bnd] jmp *slot(%rip). Its function has been called, so the slot is filled.
 */
static uintptr_t behind_stub(uintptr_t target) {
  unsigned char code[4 + 1 + 6];
  size_t n = 0;
  if (!look(target, code, sizeof code)) return target;
  if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa) n = 4;
  if (code[n] == 0xf2) n++;
  return code[n] == 0xff && code[n + 1] == 0x25 ? slot_at(relative(code + n + 2, target + n + 6)) : target;
}

/* What the call in front of that address calls; 0 if it is told by a register. */
static uintptr_t target_of(uintptr_t back) {
  enum { CALL = 6 };
  unsigned char code[CALL];
  if (!look(back - CALL, code, CALL)) return 0;
  if (code[0] == 0xff && code[1] == 0x15) return slot_at(relative(code + 2, back));
  return code[1] == 0xe8 ? behind_stub(relative(code + 2, back)) : 0;
}

/* Where the runtime is a part of the program, what belongs to it is not told apart, but all that these kinds of places are made by does. */
static bool is_runtime(uintptr_t target, enum site_kind kind) {
  const struct module *own = module_at((uintptr_t)call_of), *of = module_at(target);
  bool shared = own && starts_with(base_name(own->path), "lib");
  return own && of == own && (shared || !kind_accesses(kind) || kind > SITE_ATOMIC_WRITE);
}

uintptr_t call_target(uint32_t site) {
  const struct site *s = context_at(site);
  enum site_kind kind = (enum site_kind)s->kind;
  uintptr_t target = kind == SITE_CALL || kind >= SITE_MERGED || kind == SITE_ACTION ? 0 : target_of(s->pc);
  return target && is_runtime(target, kind) ? target : 0;
}

bool call_of(uint32_t site, struct frame_name *name) {
  uintptr_t target = call_target(site);
  if (!target || !symbol_of_function(target, name)) return false;
  if (starts_with(name->function, "__tsan_mem")) name->function += sizeof "__tsan_" - 1;
  if (starts_with(name->function, "own_")) name->function += sizeof "own_" - 1; /* the runtime's second name of it (alloc.c) */
  static const char *const own[] = {"__tsan_", "__heddle_", "heddle_"};         /* called by what was compiled to be watched */
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (starts_with(name->function, own[i])) return false;
  return true;
}

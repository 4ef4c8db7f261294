#include "symbol.h"

#include <backtrace.h>
#include <dlfcn.h>

static struct backtrace_state *state;

static void no_error(void *data, const char *message, int number) { (void)data, (void)message, (void)number; }

static struct backtrace_state *opened(void) {
  if (!state) state = backtrace_create_state(NULL, 1, no_error, NULL);
  return state;
}

struct code {
  void (*f)(const struct frame_name *, void *);
  void *data;
  struct frame_name name;
  unsigned found;
};

static int line_found(void *data, uintptr_t pc, const char *file, int line, const char *function) {
  struct code *c = data;
  (void)pc;
  if (!file && !function) return 0;
  c->name.file = file, c->name.line = line, c->name.function = function;
  c->found++;
  c->f(&c->name, c->data);
  return 0;
}

static void symbol_found(void *data, uintptr_t pc, const char *name, uintptr_t value, uintptr_t size) {
  (void)pc, (void)value, (void)size;
  if (name) ((struct code *)data)->name.function = name;
}

void symbol_of_code(uintptr_t pc, void (*f)(const struct frame_name *, void *), void *data) {
  struct code c = {.f = f, .data = data};
  Dl_info info;
  if (dladdr((void *)pc, &info) && info.dli_fname) {
    c.name.module = info.dli_fname, c.name.offset = pc - (uintptr_t)info.dli_fbase;
  }
  if (opened()) backtrace_pcinfo(state, pc, line_found, no_error, &c);
  if (c.found) return;
  c.name.file = NULL, c.name.line = 0, c.name.function = NULL;
  if (info.dli_sname && c.name.module) c.name.function = info.dli_sname;
  if (state) backtrace_syminfo(state, pc, symbol_found, no_error, &c);
  f(&c.name, data);
}

struct datum {
  const char *name;
  uintptr_t start, size;
};

static void datum_found(void *data, uintptr_t address, const char *name, uintptr_t value, uintptr_t size) {
  struct datum *d = data;
  (void)address;
  *d = (struct datum){name, value, size};
}

bool symbol_of_data(uintptr_t address, const char **name, uintptr_t *start, size_t *size, const char **module) {
  struct datum d = {0};
  Dl_info info = {0};
  if (!dladdr((void *)address, &info)) return false;
  *module = info.dli_fname;
  if (opened()) backtrace_syminfo(state, address, datum_found, no_error, &d);
  if (d.name && address - d.start < d.size) return *name = d.name, *start = d.start, *size = d.size, true;
  if (!info.dli_sname) return false;
  return *name = info.dli_sname, *start = (uintptr_t)info.dli_saddr, *size = 0, true;
}

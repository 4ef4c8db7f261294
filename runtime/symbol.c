#include "symbol.h"

#include <backtrace.h>

#include "module.h"

static struct backtrace_state *state; /* of the modules that there are */

static void no_error(void *data, const char *message, int number) { (void)data, (void)message, (void)number; }

void symbols_renew(void) {
  if (modules_renew() || !state) state = backtrace_create_state(NULL, 1, no_error, NULL);
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
  const struct module *m = module_at(pc);
  if (m) c.name.module = m->path, c.name.offset = pc - m->start;
  if (state && m) backtrace_pcinfo(state, pc, line_found, no_error, &c);
  if (c.found) return;
  c.name.file = NULL, c.name.line = 0, c.name.function = NULL;
  if (state && m) backtrace_syminfo(state, pc, symbol_found, no_error, &c);
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
  const struct module *m = module_at(address);
  if (!m || !state) return false;
  backtrace_syminfo(state, address, datum_found, no_error, &d);
  if (!d.name || address - d.start >= d.size) return false;
  *module = m->path, *name = d.name, *start = d.start, *size = d.size;
  return true;
}

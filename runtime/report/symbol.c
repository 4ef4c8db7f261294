#include "report/symbol.h"

#include <backtrace.h>

#include "report/column.h"
#include "report/module.h"
#include "runtime.h"

static struct backtrace_state *state; /* of the modules that there are */

static void no_error(void *data, const char *message, int number) { (void)data, (void)message, (void)number; }

/* The process's own links in /proc lead nowhere once its first thread has ended; each thread has some of its own. */
void symbols_renew(void) {
  if (modules_renew() || !state) state = backtrace_create_state("/proc/thread-self/exe", 1, no_error, NULL);
}

/* C++ names as they were written, if the program has what reads them. That allocates: see report_memory(). With
 * a malloc() that is not the runtime's they stay as the linker knows them. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status) __attribute__((weak, visibility("default")));

static const char *written(const char *name) {
  enum { LONGEST = 4096 }; /* it needs a stack that is many times as long */
  int status;
  if (!__cxa_demangle || malloc_is_foreign() || !name || name[0] != '_' || name[1] != 'Z' || rt_length(name) > LONGEST) return name;
  report_memory(true);
  char *readable = __cxa_demangle(name, NULL, NULL, &status);
  report_memory(false);
  return readable ? readable : name;
}

/* Readers of debug information put the folder of the compilation before names that are absolute already. */
static const char *absolute(const char *file) {
  const char *start = file;
  for (const char *p = file; *p; p++)
    if (p[0] == '/' && p[1] == '/') start = p + 1;
  return start;
}

struct code {
  void (*f)(const struct frame_name *, void *);
  void *data;
  const struct module *module;
  struct frame_name name;
  unsigned found;
};

static int line_found(void *data, uintptr_t pc, const char *file, int line, const char *function) {
  struct code *c = data;
  if (!file && !function) return 0;
  c->name.column = file && c->found == 0 ? column_of(c->module, pc, line) : 0;
  c->name.file = file ? absolute(file) : NULL, c->name.line = line, c->name.function = written(function);
  c->found++;
  c->f(&c->name, c->data);
  return 0;
}

static void symbol_found(void *data, uintptr_t pc, const char *name, uintptr_t value, uintptr_t size) {
  (void)pc, (void)value, (void)size;
  if (name) ((struct code *)data)->name.function = written(name);
}

void symbol_of_code(uintptr_t pc, void (*f)(const struct frame_name *, void *), void *data) {
  struct code c = {.f = f, .data = data};
  const struct module *m = c.module = module_at(pc);
  if (m) c.name.module = m->path, c.name.offset = pc - m->start, c.name.build_id = m->build_id;
  if (state && m) backtrace_pcinfo(state, pc, line_found, no_error, &c);
  if (c.found) return;
  c.name.file = NULL, c.name.line = c.name.column = 0, c.name.function = NULL;
  if (state && m) backtrace_syminfo(state, pc, symbol_found, no_error, &c);
  f(&c.name, data);
}

bool symbol_of_function(uintptr_t address, struct frame_name *name) {
  struct code c = {.name = {.runtime = true}};
  const struct module *m = module_at(address);
  if (m) c.name.module = m->path, c.name.offset = address - m->start, c.name.build_id = m->build_id;
  if (state && m) backtrace_syminfo(state, address, symbol_found, no_error, &c);
  return *name = c.name, name->function != NULL;
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
  *module = m->path, *name = written(d.name), *start = d.start, *size = d.size;
  return true;
}

#include "stack.h"

#include "context.h"
#include "module.h"
#include "runtime.h"

const char *base_name(const char *path) {
  const char *base = path;
  for (const char *p = path; *p; p++)
    if (*p == '/') base = p + 1;
  return base;
}

/* What starts threads and programs: everybody's stacks end there. */
static bool is_start(const char *function) {
  static const char *const names[] = {"start_thread", "__libc_start_call_main", "__libc_start_main", "__libc_start_main_impl", "_start",
                                      "clone3"};
  for (size_t i = 0; function && i < sizeof names / sizeof names[0]; i++)
    if (rt_equal(function, names[i])) return true;
  return false;
}

/* C++ names as they were written, if the program has what reads them. That allocates: see report_memory(). */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status) __attribute__((weak, visibility("default")));

static char *demangled(const char *name) {
  enum { LONGEST = 4096 }; /* it needs a stack that is many times as long */
  int status;
  if (!__cxa_demangle || !name || name[0] != '_' || name[1] != 'Z' || rt_length(name) > LONGEST) return NULL;
  report_memory(true);
  char *written = __cxa_demangle(name, NULL, NULL, &status);
  report_memory(false);
  return written;
}

/* Readers of debug information put the folder of the compilation before names that are absolute already. */
static const char *absolute(const char *file) {
  const char *start = file;
  for (const char *p = file; *p; p++)
    if (p[0] == '/' && p[1] == '/') start = p + 1;
  return start;
}

/* What stands between the program and its threads' functions. */
static bool is_own(const struct frame_name *n) {
  const struct module *m = module_at((uintptr_t)is_own);
  return m && m->path == n->module;
}

struct walk {
  bool (*f)(const struct frame_name *, void *);
  void *data;
  unsigned number;
  bool over;
};

static void frame(const struct frame_name *n, void *data) {
  struct walk *w = data;
  if (w->over || (w->number > 0 && (is_start(n->function) || is_own(n)))) return;
  struct frame_name named = *n;
  char *written = demangled(n->function);
  if (written) named.function = written;
  if (named.file) named.file = absolute(named.file);
  w->number++;
  w->over = !w->f(&named, w->data);
}

/* Return addresses point behind their calls. */
void stack_each(uint32_t site, bool (*f)(const struct frame_name *, void *), void *data) {
  struct walk w = {.f = f, .data = data};
  for (; site != SITE_UNKNOWN && !w.over; site = context_at(site)->parent)
    if (context_at(site)->kind != SITE_HELD) symbol_of_code(context_at(site)->pc - 1, frame, &w);
}

#include "report/stack.h"

#include "context.h"
#include "report/call.h"
#include "report/module.h"
#include "understood.h"

/* What starts threads and programs: everybody's stacks end there. */
static bool is_start(const char *function) {
  static const char *const names[] = {"start_thread",
                                      "__libc_start_call_main",
                                      "__libc_start_main",
                                      "__libc_start_main_impl",
                                      "_start",
                                      "clone3",
                                      "heddle_thread",
                                      "heddle_member",
                                      "heddle_task",
                                      "heddle_part"};
  for (size_t i = 0; function && i < sizeof names / sizeof names[0]; i++)
    if (rt_equal(function, names[i])) return true;
  return false;
}

/* What stands between the program and its threads' functions. */
static bool is_own(const struct frame_name *n) {
  const struct module *m = module_at((uintptr_t)is_own);
  if (m && m->path == n->module) return true;
  m = understood.size ? module_at(understood.from) : NULL;
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
  w->number++;
  w->over = !w->f(n, w->data);
}

/* Return addresses point behind their calls. */
void stack_each(uint32_t site, bool (*f)(const struct frame_name *, void *), void *data) {
  struct walk w = {.f = f, .data = data};
  struct frame_name called;
  if (site != SITE_UNKNOWN && call_of(site, &called)) w.over = !f(&called, data);
  for (; site != SITE_UNKNOWN && !w.over; site = context_at(site)->parent)
    if (context_at(site)->kind < SITE_HELD) symbol_of_code(context_at(site)->pc - 1, frame, &w);
}

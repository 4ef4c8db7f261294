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

/* Of a place that is anywhere in a function: that function alone, without those that became a part of it. */
struct somewhere {
  unsigned count, number;
  struct walk *walk;
};
static void outermost(const struct frame_name *n, void *data) {
  struct somewhere *s = data;
  if (!s->walk) s->count++;
  if (!s->walk || ++s->number < s->count) return;
  struct frame_name name = *n;
  name.line = name.column = 0, name.somewhere = true;
  frame(&name, s->walk);
}
static void somewhere(uint32_t site, struct walk *w) {
  struct somewhere s = {0};
  symbol_of_code(context_pc(site) - 1, outermost, &s);
  s.walk = w;
  symbol_of_code(context_pc(site) - 1, outermost, &s);
}

/* Return addresses point behind their calls. */
void stack_each(uint32_t site, bool (*f)(const struct frame_name *, void *), void *data) {
  struct walk w = {.f = f, .data = data};
  struct frame_name called;
  if (site != SITE_UNKNOWN && call_of(site, &called)) w.over = !f(&called, data);
  if (context_at(site)->kind == SITE_AMONG) return;
  if (context_at(site)->kind == SITE_NEAR) somewhere(site, &w);
  for (; site != SITE_UNKNOWN && !w.over; site = context_at(site)->parent)
    if (context_at(site)->kind < SITE_HELD) symbol_of_code(context_at(site)->pc - 1, frame, &w);
}

void stack_among(uint32_t site, void (*f)(uint32_t, void *), void *data) {
  for (; context_at(site)->kind == SITE_AMONG; site = context_at(site)->parent) f((uint32_t)context_at(site)->pc, data);
  f(site, data);
}

static void look(const struct frame_name *n, void *data) { *(bool *)data |= is_start(n->function) || is_own(n); }

bool stack_ends(uintptr_t pc) {
  bool ends = false;
  symbol_of_code(pc - 1, look, &ends);
  return ends;
}

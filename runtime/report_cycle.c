/* Reports of cycles of threads that wait for each other. */
#include <unistd.h>

#include "cycle.h"
#include "report.h"
#include "runtime.h"
#include "sync.h"

static const char *kind_name(uint8_t kind) {
  switch ((enum sync_kind)kind) {
    case SYNC_RWLOCK:
      return "read-write lock";
    case SYNC_SPIN:
      return "spin lock";
    case SYNC_MUTEX:
    case SYNC_OTHER:
    case SYNC_COND:
    case SYNC_SEM:
    case SYNC_BARRIER:
    case SYNC_ONCE:
    case SYNC_ATOMIC:
      break;
  }
  return "mutex";
}

static struct place print_hold(struct rt_text *out, const char *what, const struct hold *h) {
  rt_printf(out, "%s %s 0x%012lx%s:\n", what, kind_name(h->kind), (unsigned long)h->address, h->shared ? ", shared" : "");
  struct place p = report_stack(out, h->site);
  rt_printf(out, "\n");
  return p;
}

static struct place print_waiter(struct rt_text *out, const struct waiter *w, bool happened) {
  rt_printf(out, "  ");
  report_thread_name(out, thread_by_number(w->thread));
  print_hold(out, " holds", &w->has);
  return print_hold(out, happened ? "  and waits for" : "  and wants", &w->wants);
}

static void print_order(struct rt_text *out, const struct cycle *c) {
  rt_printf(out, "  Cycle: ");
  for (unsigned i = 0; i < c->n; i++) rt_printf(out, "0x%012lx -> ", (unsigned long)c->waiters[i].has.address);
  rt_printf(out, "0x%012lx\n\n", (unsigned long)c->waiters[0].has.address);
}

static void print(struct thread *t, const struct cycle *c, const char *title, bool happened) {
  struct rt_text *out = report_begin(t);
  if (!out) return;
  struct place first = {0};
  rt_printf(out, "==================\nWARNING: Heddle: %s (pid=%d)\n", title, (int)getpid());
  print_order(out, c);
  for (unsigned i = 0; i < c->n; i++) {
    struct place p = print_waiter(out, &c->waiters[i], happened);
    if (i == 0) first = p;
  }
  for (unsigned i = 0; i < c->n; i++) report_location(out, c->waiters[i].has.address);
  for (unsigned i = 0; i < c->n; i++) report_thread(out, thread_by_number(c->waiters[i].thread));
  rt_printf(out, "SUMMARY: Heddle: %s %s:%d in %s\n==================\n", title, first.file ? first.file : "<unknown>", first.line,
            first.function ? first.function : "<unknown>");
  report_end(t);
}

void cycle_possible(struct thread *t, const struct cycle *c) { print(t, c, "potential deadlock (lock-order cycle)", false); }
void cycle_happened(struct thread *t, const struct cycle *c) { print(t, c, "deadlock", true); }

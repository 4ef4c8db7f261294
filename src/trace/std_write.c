#include <inttypes.h>
#include <string.h>

#include "trace/recorded.h"
#include "trace/std.h"

static void put_location(struct text *out, const struct recorded_names *names, uint32_t site) {
  const struct recorded_site *s = site < names->sites.count ? &names->sites.data[site] : &names->sites.data[0];
  if (site == 0)
    text_puts(out, "|-1");
  else if (s->line && !s->file)
    text_printf(out, "|%u", s->line);
  else
    text_printf(out, "|%u", site);
}

static void put_line(struct text *out, const struct recorded_names *names, const struct event *e, const char *op, char kind,
                     uint64_t object) {
  text_printf(out, "T%u|%s(%c%" PRIx64 ")", e->thread, op, kind, object);
  put_location(out, names, e->site);
  text_putc(out, '\n');
}

static void put_access(struct text *out, const struct recorded_names *names, const struct event *e, const char *op, uint64_t value) {
  text_printf(out, "T%u|%s(V%" PRIx64 ")", e->thread, op, e->object);
  put_location(out, names, e->site);
  text_printf(out, "|%" PRIu64 "\n", value);
}

static bool put_thread(struct text *out, const struct recorded_names *names, const struct event *e) {
  text_printf(out, "T%u|%s(T%" PRIu64 ")", e->thread, e->op == EVENT_FORK ? "fork" : "join", e->object);
  put_location(out, names, e->site);
  text_putc(out, '\n');
  return true;
}

static bool put_region(struct text *out, const struct recorded_names *names, const struct event *e) {
  bool atomic = e->object < names->methods.count && strcmp(recorded_text(names, names->methods.data[e->object]), "atomic") == 0;
  if (atomic) put_line(out, names, e, e->op == RECORDED_CALL ? "begin" : "end", 'R', 0);
  return atomic;
}

bool std_append(struct text *out, const struct recorded_names *names, const struct event *e) {
  if (event_outside(e)) return true; /* no access of the program's: others would take it for one */
  switch (e->op) {
    case EVENT_READ:
      return put_access(out, names, e, "r", e->value), true;
    case EVENT_WRITE:
      return put_access(out, names, e, "w", e->value), true;
    case EVENT_RMW:
      return put_access(out, names, e, "r", e->value), put_access(out, names, e, "w", e->value2), true;
    case EVENT_WAIT_ENTER:
      return put_line(out, names, e, "rel", 'L', e->value2), true;
    case EVENT_WAIT_LEAVE:
      return put_line(out, names, e, "acq", 'L', e->value2), true;
    case EVENT_ACQUIRE:
    case EVENT_RELEASE:
      if (e->flags & EVENT_SHARED_LOCK) return false;
      return put_line(out, names, e, e->op == EVENT_ACQUIRE ? "acq" : "rel", 'L', e->object), true;
    case EVENT_FORK:
      return put_thread(out, names, e);
    case EVENT_JOIN:
      return !(e->flags & EVENT_TIMED_OUT) && put_thread(out, names, e);
    case RECORDED_BRANCH:
      text_printf(out, "T%u|branch(%" PRIu64 ")", e->thread, e->value);
      return put_location(out, names, e->site), text_putc(out, '\n'), true;
    case RECORDED_CALL:
    case RECORDED_RETURN:
      return put_region(out, names, e);
    case EVENT_BEGIN:
    case EVENT_END:
      return true; /* the first and last line of the thread say so */
    default:
      return false;
  }
}

void std_begin(struct text *out) { text_puts(out, "T0|branch(0)|-1\n"); }

void std_append_counted(struct text *out, const struct recorded_names *names, const struct event *e, struct std_losses *lost) {
  bool access = e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW;
  if (!std_append(out, names, e))
    lost->events++;
  else if (access && e->order != ORDER_PLAIN)
    lost->atomics++;
  else if (access && (e->flags & RECORDED_NO_VALUE))
    lost->values++;
}

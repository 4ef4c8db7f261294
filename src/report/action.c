#include "report/action.h"

#include <inttypes.h>

#include "machine/machine.h"
#include "objects/history.h"
#include "report/names.h"
#include "report/value.h"
#include "trace/event.h"

static const char *order_text(uint8_t order) {
  static const char *const texts[] = {
      [ORDER_PLAIN] = "",          [ORDER_RELAXED] = "relaxed", [ORDER_ACQUIRE] = "acquire",
      [ORDER_RELEASE] = "release", [ORDER_ACQ_REL] = "acq_rel", [ORDER_SEQ_CST] = "atomic",
  };
  return order <= ORDER_SEQ_CST ? texts[order] : "";
}

static void object_text(struct names *names, const struct machine *m, const struct event *e, struct text *out) {
  names_object_text(names, m, e->object, e->size, out);
}

/* "VERB OBJECT" */
static void verb_text(struct names *names, const struct machine *m, const char *verb, const struct event *e, struct text *out) {
  text_printf(out, "%s ", verb);
  object_text(names, m, e, out);
}

/* The same for a wait in a loop; if that reads several locations the event names none. */
static void change_text(struct names *names, const struct machine *m, const char *verb, const struct event *e, struct text *out) {
  if (e->object) {
    verb_text(names, m, verb, e, out);
    return;
  }
  text_printf(out, "%s what it reads in a loop", verb);
}

/* The beginning or end of an operation; which one it is, is known once the step was taken. */
static void operation_text(const struct image *image, const struct machine *m, const struct event *e, struct text *out) {
  uint8_t what = e->op == EVENT_RMW ? HISTORY_ENDS : HISTORY_BEGINS;
  size_t n;
  const struct history_event *events = machine_operations(m, &n);
  if (n == 0 || events[n - 1].what != what || events[n - 1].tid != e->thread) {
    text_puts(out, what == HISTORY_ENDS ? "ends its operation" : "begins an operation");
    return;
  }
  struct object object = {0};
  image_object(image, &object);
  history_event_text(&object, machine_options(m)->scenario, events, n, out);
  vec_release(&object.operations);
}

static void access_text(struct names *names, const struct image *image, const struct machine *m, const struct event *e, const uint64_t *was,
                        struct text *out) {
  if (e->op == EVENT_RMW && (e->flags & EVENT_CLOCK) && !(e->flags & EVENT_WAITS)) {
    if (machine_is_operation(e))
      operation_text(image, m, e, out);
    else if (machine_is_told(e))
      text_puts(out, "comes to an event of a property");
    else
      text_printf(out, "looks at the clock: %" PRIu64 " ns", e->value2);
    return;
  }
  if (e->op == EVENT_RMW && (e->flags & EVENT_WAITS) && e->size == 8) { /* interrupt.c: no other waits like that */
    text_printf(out, "is interrupted by signal %d", __builtin_ctzll(e->value & ~e->value2) + 1);
    return;
  }
  if (machine_is_operation(e)) {
    operation_text(image, m, e, out);
    return;
  }
  uint32_t type = value_type_at(image, e->object, e->size);
  if (e->op == EVENT_READ || e->op == EVENT_AWAIT) text_puts(out, "reads ");
  object_text(names, m, e, out);
  text_puts(out, " = ");
  bool buffered = e->op == EVENT_WRITE && (e->flags & EVENT_BUFFERED); /* what it overwrites is not known yet */
  if (buffered || e->op == EVENT_FLUSH) was = NULL;
  if (e->op == EVENT_RMW) was = &e->value;
  value_text(names, image, m, type, e->size, e->op == EVENT_RMW ? e->value2 : e->value, out);
  if (was && e->op != EVENT_READ && e->op != EVENT_AWAIT && e->size <= 8) {
    text_puts(out, " (was ");
    value_text(names, image, m, type, e->size, *was, out);
    text_puts(out, ")");
  }
  if (e->op == EVENT_FLUSH) {
    text_puts(out, " becomes visible");
    return;
  }
  const char *order = order_text(e->order);
  if (*order) text_printf(out, " [%s]", order);
  if (buffered) text_puts(out, ", which nobody else sees yet");
}

static void woken_text(const struct machine *m, const struct event *e, struct text *out) {
  if (e->value == 0) {
    text_puts(out, ": nobody waits");
    return;
  }
  const char *separator = ": wakes ";
  for (uint32_t t = 0; t < 64; t++) {
    if (!(e->value >> t & 1)) continue;
    text_printf(out, "%s%s", separator, machine_thread_name(m, t));
    separator = ", ";
  }
}

static void thread_text(const struct machine *m, const char *verb, uint64_t thread, struct text *out) {
  text_printf(out, "%s thread %s", verb, thread < THREADS_MAX ? machine_thread_name(m, (uint32_t)thread) : "?");
}

/* long: one short case an operation */
void action_text(struct names *names, const struct image *image, const struct machine *m, const struct event *e, const uint64_t *was,
                 struct text *out) {
  bool shared = e->flags & EVENT_SHARED_LOCK;
  switch ((enum event_op)e->op) {
    case EVENT_READ:
    case EVENT_WRITE:
    case EVENT_RMW:
    case EVENT_FLUSH:
      access_text(names, image, m, e, was, out);
      return;
    case EVENT_AWAIT:
      change_text(names, m, "spins until there is a change of", e, out);
      return;
    case EVENT_FENCE:
      text_printf(out, "fence [%s]", order_text(e->order));
      return;
    case EVENT_FORK:
      thread_text(m, "starts", e->object, out);
      return;
    case EVENT_JOIN:
      thread_text(m, e->flags & EVENT_TIMED_OUT ? "does not wait for the end of" : "joins", e->object, out);
      return;
    case EVENT_ACQUIRE:
      verb_text(names, m, "locks", e, out);
      if (shared) text_puts(out, " for reading");
      return;
    case EVENT_RELEASE:
      verb_text(names, m, "unlocks", e, out);
      return;
    case EVENT_TRYFAIL:
      verb_text(names, m, e->flags & EVENT_TIMED_OUT ? "gives up waiting for" : "finds locked:", e, out);
      return;
    case EVENT_WAIT_ENTER:
      verb_text(names, m, "waits on", e, out);
      if (e->value2) {
        text_puts(out, ", unlocks ");
        names_object_text(names, m, e->value2, 1, out);
      }
      return;
    case EVENT_WAIT_LEAVE:
      verb_text(names, m, e->flags & EVENT_TIMED_OUT ? "times out on" : "wakes from", e, out);
      if (e->value2) {
        text_puts(out, ", locks ");
        names_object_text(names, m, e->value2, 1, out);
      }
      return;
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
      verb_text(names, m, e->op == EVENT_SIGNAL ? "signals" : "broadcasts", e, out);
      woken_text(m, e, out);
      return;
    case EVENT_BARRIER_ENTER:
      verb_text(names, m, "arrives at", e, out);
      return;
    case EVENT_BARRIER_LEAVE:
      verb_text(names, m, "passes", e, out);
      return;
    case EVENT_SEM_POST:
      verb_text(names, m, "posts", e, out);
      return;
    case EVENT_SEM_WAIT:
      verb_text(names, m, e->flags & EVENT_TIMED_OUT ? "gives up waiting for" : "takes", e, out);
      return;
    case EVENT_ALLOC:
      text_printf(out, "allocates %" PRIu64 " bytes", e->size);
      return;
    case EVENT_FREE:
      verb_text(names, m, "frees", e, out);
      return;
    case EVENT_CHOICE:
      text_printf(out, e->size == 1 ? "gets the input %#" PRIx64 : "chooses %" PRIu64, e->value);
      return;
    case EVENT_BEGIN:
      text_puts(out, "begins");
      return;
    case EVENT_END:
      text_puts(out, "ends");
      return;
    case EVENT_ATOMIC:
      text_puts(out, "runs an atomic section");
      return;
    case EVENT_YIELD:
      text_puts(out, e->flags & EVENT_EXIT ? "ends the process" : event_fails(e) ? "fails" : "yields");
      return;
    case EVENT_OUTPUT:
      if (event_is_invocation(e)) {
        text_puts(out, "calls a method of ");
        names_object_text(names, m, e->object, 1, out);
        return;
      }
      text_puts(out, e->object == output_object(1) ? "writes to standard output" : "writes to standard error");
      return;
    case EVENT_NONE:
    case EVENT_COUNT:
      return;
  }
}

static void wait_text(struct names *names, const struct machine *m, const struct event *e, struct text *out) {
  struct text library = {0};
  if (image_library_condition(machine_image(m), e->object, &library))
    text_printf(out, "waits for %s", text_str(&library));
  else
    verb_text(names, m, "waits for a signal on", e, out);
  text_release(&library);
}

void action_wait_text(struct names *names, const struct machine *m, const struct event *e, struct text *out) {
  switch ((enum event_op)e->op) {
    case EVENT_JOIN:
      thread_text(m, "waits for the end of", e->object, out);
      return;
    case EVENT_WAIT_LEAVE:
      wait_text(names, m, e, out);
      return;
    case EVENT_BARRIER_LEAVE:
    case EVENT_BARRIER_ENTER:
      verb_text(names, m, "waits for the others at", e, out);
      return;
    case EVENT_SEM_WAIT:
      verb_text(names, m, "waits for a post of", e, out);
      return;
    case EVENT_AWAIT:
    case EVENT_READ:
      change_text(names, m, "waits for a change of", e, out);
      return;
    case EVENT_NONE:
      text_puts(out, machine_crashed(m, e->thread) ? "has crashed" : "goes round in a circle");
      return;
    case EVENT_ACQUIRE:
    case EVENT_OUTPUT:
    case EVENT_BEGIN:
    case EVENT_END:
    case EVENT_FORK:
    case EVENT_WRITE:
    case EVENT_RMW:
    case EVENT_FENCE:
    case EVENT_RELEASE:
    case EVENT_TRYFAIL:
    case EVENT_WAIT_ENTER:
    case EVENT_SIGNAL:
    case EVENT_BROADCAST:
    case EVENT_SEM_POST:
    case EVENT_ALLOC:
    case EVENT_FREE:
    case EVENT_CHOICE:
    case EVENT_ATOMIC:
    case EVENT_YIELD:
    case EVENT_FLUSH:
    case EVENT_COUNT:
      verb_text(names, m, "waits for", e, out);
      return;
  }
}

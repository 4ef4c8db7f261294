/* heddle exec: one execution, as if the program ran natively. */
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/exec.h"
#include "cli/session.h"
#include "machine/machine.h"
#include "report/place.h"
#include "trace/finding.h"

/* Steps after which another thread gets its turn, so that no thread starves. */
#define QUANTUM 1000
/* What a shell reports for a process that abort() ended. */
#define EXIT_ABORTED 134
#define STACK_MAX    64

struct turn {
  uint32_t thread, steps;
};

static void next_turn(const struct machine *m, struct turn *turn) {
  const struct tset *enabled = machine_enabled(m);
  bool stays = tset_has(enabled, turn->thread) && turn->steps < QUANTUM;
  const struct event *e = stays ? machine_pending(m, turn->thread) : NULL;
  bool gives_way = e && turn->steps > 0 && !event_fails(e) && (e->op == EVENT_YIELD || e->op == EVENT_AWAIT);
  if (stays && !gives_way) return;
  uint32_t next = tset_next(enabled, turn->thread + 1);
  if (next >= THREADS_MAX) next = tset_next(enabled, 0);
  *turn = (struct turn){.thread = next};
}

static enum machine_status run(struct machine *m) {
  struct turn turn = {0};
  while (machine_status(m) == MACHINE_RUNNING && !deadline_passed) {
    next_turn(m, &turn);
    turn.steps++;
    machine_step(m, turn.thread, 0);
  }
  return machine_status(m);
}

static int failed(const struct session *s) {
  const struct finding *f = machine_finding(s->m);
  struct diag d = {0};
  struct text where = {0};
  if (f->sites.count) {
    uint32_t sites[STACK_MAX], n = machine_stack(s->m, f->sites.data[0].thread, sites, STACK_MAX);
    struct place place = n ? place_of_stack(&s->image, sites, n) : place_of_site(&s->image, f->sites.data[0].site);
    text_puts(&where, " at ");
    place_text(&place, &where);
  }
  diag_set(&d, ERR_NONE, "%s%s: %s", finding_kind_text(f->kind), text_str(&where), text_str(&f->message));
  diag_hint(&d, "heddle check shows the execution and looks for others");
  console_complain(&d);
  text_release(&where);
  diag_release(&d);
  bool aborted = f->kind == FINDING_ABORT || f->kind == FINDING_ASSERTION || f->kind == FINDING_UNCAUGHT_EXCEPTION;
  return aborted ? EXIT_ABORTED : EXIT_BUG;
}

static int cannot(const char *message) {
  struct diag d = {0};
  diag_set(&d, ERR_UNSUPPORTED, "%s", message);
  int code = console_complain(&d);
  diag_release(&d);
  return code;
}

static int finish(const struct session *s, enum machine_status status) {
  bool ended = status != MACHINE_RUNNING && status != MACHINE_LIMIT; /* else there was more to do */
  if (deadline_passed && !ended) return cannot(SESSION_OUT_OF_TIME);
  switch (status) {
    case MACHINE_DONE:
      return machine_exit_code(s->m) & 0xff;
    case MACHINE_FAILED:
      return failed(s);
    case MACHINE_ASSUMED:
      return cannot("an assumption of the program does not hold in this execution");
    case MACHINE_BLOCKED:
      return cannot("the program waits for a signal from outside, and none is sent");
    case MACHINE_LIMIT:
      return cannot("the execution does not end: every thread that is left spins");
    case MACHINE_UNSUPPORTED:
      return console_complain(machine_diag(s->m));
    case MACHINE_RUNNING:
      break;
  }
  return EXIT_WRONG;
}

int exec_session(const struct session *s) { return finish(s, run(s->m)); }

int command_exec(int argc, char **argv) {
  struct options o;
  int code;
  if (!command_options("exec", argc, argv, &o, &code)) return code;
  struct session_inputs inputs = session_inputs_of(&o);
  inputs.echo = true;
  if (!inputs.input && !isatty(STDIN_FILENO)) inputs.input = "/dev/stdin";
  struct session s;
  struct diag d = {0};
  deadline_set(o.time > 0 ? deadline_now() + o.time : 0);
  if (session_open(&s, &inputs, &d)) {
    code = console_complain(&d);
  } else {
    code = exec_session(&s);
    session_close(&s);
  }
  diag_release(&d);
  options_release(&o);
  return code;
}

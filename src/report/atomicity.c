#include "report/atomicity.h"

#include <stdio.h>

#include "machine/machine.h"
#include "trace/finding.h"

static void add_site(struct finding *f, const struct event *trace, uint32_t event) {
  const struct event *e = &trace[event];
  struct finding_site *site = vec_push(&f->sites);
  *site = (struct finding_site){.thread = e->thread, .site = e->site, .event = event};
  snprintf(site->role, sizeof site->role, "%s", e->op == EVENT_READ ? "read" : e->op == EVENT_WRITE ? "write" : "atomic update");
}

void atomicity_finding(const struct machine *m, const struct event *trace, const struct atomicity_triple *t, struct finding *f) {
  *f = (struct finding){.kind = FINDING_ATOMICITY_VIOLATION, .confirmed = true};
  machine_object_text(m, trace[t->last].object, trace[t->last].size, &f->message);
  text_puts(&f->message, " is accessed twice in one section of a lock, and by another thread in between");
  add_site(f, trace, t->first);
  add_site(f, trace, t->last);
  add_site(f, trace, t->between);
}

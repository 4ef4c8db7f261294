#include "search/search.h"

#include "explore/session.h"
#include "search/inputs.h"
#include "search/prefixes.h"
#include "search/team.h"
#include "search/workers.h"

static enum err explore_once(struct session *s, struct diag *d) {
  const struct explore_options *o = s->options;
  bool alone = machine_is_symbolic(s->machine); /* others may have other inputs */
  enum err e = ERR_NONE;
  if (!alone && o->jobs > 1 && o->strategy->in_common) return explore_together(s, d);
  if (!alone && o->jobs > 1 && o->strategy->prefixes) return explore_prefixes(s, d);
  if (!alone && (o->jobs > 1 || o->campaign)) return explore_in_parts(s, d);
  while (session_one(s, &e, d)) continue;
  return e;
}

static bool next(struct session *s, struct inputs *inputs, enum err *e) {
  if ((!inputs || inputs_explores(inputs)) && (session_sweeps(s) || session_waits_longer(s))) return true;
  return inputs ? inputs_next(inputs, e) : session_next_input(s);
}

enum err explore(struct machine *m, const struct explore_options *options, struct explore_result *r, struct diag *d) {
  struct session s;
  struct explore_options o = *options;
  struct inputs *inputs = NULL;
  enum err e = ERR_NONE;
  bool shares = machine_is_symbolic(m) && (o.jobs > 1 || o.campaign);
  if (shares) o.campaign = NULL;
  session_begin(&s, m, &o, r);
  if (shares) e = inputs_new(&s, options->campaign, options->campaign_of, &inputs, d);
  if (!e && (!inputs || inputs_begin(inputs))) e = explore_once(&s, d);
  while (!e && next(&s, inputs, &e)) e = explore_once(&s, d);
  if (!e && inputs) e = inputs_save(inputs);
  session_conclude(&s, !e);
  if (!e) e = session_refusal(&s, d);
  inputs_free(inputs);
  session_release(&s);
  return e;
}

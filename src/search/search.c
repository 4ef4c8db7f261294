#include "search/search.h"

#include "explore/session.h"
#include "search/prefixes.h"
#include "search/team.h"
#include "search/workers.h"

static enum err explore_once(struct session *s, struct diag *d) {
  const struct explore_options *o = s->options;
  enum err e = ERR_NONE;
  if (o->jobs > 1 && o->strategy->in_common) return explore_together(s, d);
  if (o->jobs > 1 && o->strategy->prefixes) return explore_prefixes(s, d);
  if (o->jobs > 1 || o->campaign) return explore_in_parts(s, d);
  while (session_one(s, &e, d)) continue;
  return e;
}

enum err explore(struct machine *m, const struct explore_options *options, struct explore_result *r, struct diag *d) {
  struct session s;
  session_begin(&s, m, options, r);
  enum err e = explore_once(&s, d);
  while (!e && (session_sweeps(&s) || session_waits_longer(&s) || session_next_input(&s))) e = explore_once(&s, d);
  session_conclude(&s, !e);
  if (!e) e = session_refusal(&s, d);
  session_release(&s);
  return e;
}

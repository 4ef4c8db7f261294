#include "search/search.h"

#include "explore/session.h"
#include "search/prefixes.h"
#include "search/team.h"
#include "search/workers.h"

enum err explore(struct machine *m, const struct explore_options *options, struct explore_result *r, struct diag *d) {
  struct session s;
  enum err e = ERR_NONE;
  session_begin(&s, m, options, r);
  if (options->jobs > 1 && options->strategy->in_common)
    e = explore_together(&s, d);
  else if (options->jobs > 1 && options->strategy->prefixes)
    e = explore_prefixes(&s, d);
  else if (options->jobs > 1 || options->campaign)
    e = explore_in_parts(&s, d);
  else
    while (session_one(&s, &e, d)) continue;
  session_conclude(&s, !e);
  if (!e) e = session_refusal(&s, d);
  session_release(&s);
  return e;
}

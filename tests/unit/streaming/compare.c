#include "compare.h"

#include <stdio.h>

#include "define.h"
#include "trace/recorded.h"

/* A plain read, and what changes memory by an atomic operation that may have found another value, and written nothing, beside it: an
 * earlier one is not told from an atomic store. */
static bool may_only_read(const struct event *atomic, const struct event *read) {
  bool earlier = atomic < read;
  if (read->op != EVENT_READ || read->order != ORDER_PLAIN) return false;
  if (earlier) return atomic->op != EVENT_READ && atomic->op != EVENT_FREE && atomic->order != ORDER_PLAIN;
  return atomic->op == EVENT_RMW && !(atomic->flags & RECORDED_ALWAYS_WRITES);
}

bool compare_defined(const struct streaming *s, const struct event *trace, uint32_t n, bool less, char *why, size_t size) {
  struct defined d;
  uint64_t found[2] = {0};
  define(s->type->name, trace, n, &d);
  for (size_t i = 0; i < s->findings.count; i++) {
    const struct streaming_finding *f = &s->findings.data[i];
    uint32_t a = f->first.site - 1, b = f->second.site - 1;
    if (f->kind == FINDING_LOST_WAKEUP) continue;
    bool race = d.race[b] >> a & 1, swap = d.swap[b] >> a & 1, ends = trace[a].op == EVENT_FREE;
    bool proven = ends || (d.proven[b] >> a & 1), kept = ends || (d.kept[b] >> a & 1);
    found[swap && !race] |= 1ull << b;
    if (!race && !swap) snprintf(why, size, "events %u and %u are a finding, which the definition has not", a, b);
    if (!race && !swap) return false;
    if (may_only_read(&trace[a], &trace[b]) || may_only_read(&trace[b], &trace[a])) proven = false;
    if (s->type->new != streaming_type("hb")->new || f->proof == (!proven ? PROOF_NONE : kept ? PROOF_WHOLE : PROOF_CONDITIONAL)) continue;
    snprintf(why, size, "events %u and %u: proven is %d", a, b, f->proof);
    return false;
  }
  for (uint32_t b = 0; b < n && !less; b++) {
    if (!d.race[b] == !(found[0] >> b & 1) && (!d.swap[b] || (found[1] >> b & 1) || (found[0] >> b & 1))) continue;
    snprintf(why, size, "event %u: finding with %llx by definition, %s", b, (unsigned long long)(d.race[b] | d.swap[b]),
             found[0] >> b & 1 ? "another one" : "nothing found");
    return false;
  }
  return true;
}

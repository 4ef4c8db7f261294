/* Campaigns: the outcomes and the frontier of the state that is kept. The checksum above them is not what is tested, and the schedules before
 * them are run by the machine, which refuses what it cannot do. */
#include <string.h>

#include "search/answer.h"
#include "search/frontier.h"
#include "strategy/dpor.h"
#include "target.h"

static void release_outcomes(struct session *s) {
  session_clear_outcomes(s);
  vec_release(&s->result->outcomes);
  text_release(&s->result->refused);
  hashmap_release(&s->outcomes);
}

/* Each job is loaded as a worker loads it, and saved again. */
static void use(struct frontier *f) {
  const struct strategy_options options = {0};
  struct strategy *s = strategy_dpor.create(&options);
  struct text saved = {0};
  for (uint32_t job; (job = frontier_take(f)) != NO_JOB;) {
    MUST(job < f->jobs.count);
    strategy_dpor.restart(s);
    frontier_load(f, job, s);
    MUST(s->nodes.count == s->path.steps.count);
    for (size_t i = 0; i < s->path.steps.count; i++) MUST(s->path.steps.data[i].thread < THREADS_MAX);
    text_clear(&saved);
    frontier_save(s, true, &saved);
  }
  text_release(&saved);
  strategy_dpor.destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  struct wire w = {(const char *)data, (const char *)data + n, false};
  struct explore_result result = {0};
  struct session s = {.result = &result};
  struct frontier f = {0};
  struct text written = {0};
  answer_get_outcomes(&s, &w);
  if (!w.bad && frontier_read(&f, &w)) {
    frontier_write(&f, &written);
    use(&f);
  }
  frontier_release(&f);
  release_outcomes(&s);
  text_release(&written);
  return 0;
}

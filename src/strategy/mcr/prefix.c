/* mcr and its variants by several processes (prefixes.h): a job is an execution to be made, with all that it depends on: the prefix of the
 * one above, the steps behind that, what their last read is to return, and what is to be left out below (se-mcr). */
#include "strategy/mcr/mcr.h"
#include "strategy/prefix_type.h"

#define COUNTERS 11

static void counters(struct strategy *s, uint64_t *of[COUNTERS]) {
  uint64_t *const all[COUNTERS] = {&s->reads,     &s->questions, &s->answered, &s->switched,        &s->kept, &s->pairs, &s->nanoseconds,
                                   &s->elsewhere, &s->scoped,    &s->pruned,   &s->semantic.ordered};
  memcpy(of, all, sizeof all);
}

static void get_job(struct strategy *s, struct wire *job) {
  struct mcr_child child;
  WIRE_GET_VEC(job, &s->path.steps);
  WIRE_GET_VEC(job, &s->path_sites.sites);
  WIRE_GET(job, child);
  WIRE_GET_VEC(job, &s->steps.steps);
  WIRE_GET_VEC(job, &s->step_sites.sites);
  WIRE_GET_VEC(job, &s->equivalent.later);
  child.steps = child.later = 0;
  *vec_push(&s->nodes) = (struct mcr_node){.prefix = (uint32_t)s->path.steps.count};
  *vec_push(&s->todo) = child;
}

static void put_slice(struct text *out, const void *from, uint64_t n, size_t size) {
  WIRE_PUT(out, n);
  if (n) text_append(out, from, n * size);
}

/* The execution to be made that is number i in `todo`. */
static void put_job(const struct strategy *s, size_t i, struct text *out) {
  struct mcr_child from = s->todo.data[i];
  bool last = i + 1 == s->todo.count;
  size_t steps = last ? s->steps.steps.count : s->todo.data[i + 1].steps,
         later = last ? s->equivalent.later.count : s->todo.data[i + 1].later;
  uint32_t prefix = vec_last(&s->nodes).prefix;
  put_slice(out, s->path.steps.data, prefix, sizeof *s->path.steps.data);
  put_slice(out, s->path_sites.sites.data, prefix, sizeof *s->path_sites.sites.data);
  WIRE_PUT(out, from);
  put_slice(out, s->steps.steps.data + from.steps, steps - from.steps, sizeof *s->steps.steps.data);
  put_slice(out, s->step_sites.sites.data + from.steps, steps - from.steps, sizeof *s->step_sites.sites.data);
  put_slice(out, s->equivalent.later.data + from.later, later - from.later, sizeof *s->equivalent.later.data);
}

static void mcr_take(struct strategy *s, uint64_t number, struct wire *job, struct claims *claims) {
  uint64_t *of[COUNTERS];
  mcr_leave_path(s);
  s->started = number > 0;
  s->job = (struct mcr_job){.given_up = true, .is_here = !claims};
  s->known_prefixes.number = number + 1;
  s->known_prefixes.claims = claims;
  if (claims) {
    counters(s, of);
    for (unsigned i = 0; i < COUNTERS; i++) *of[i] = 0;
    mcr_count_from_here(s);
    s->limits = 0;
    vec_clear(&s->unmodelled);
  }
  if (number) get_job(s, job);
}

static bool mcr_more(const struct strategy *s) { return s->again; }

static void mcr_give(struct strategy *s, struct text *out) {
  struct mcr_job job = s->job;
  uint64_t *of[COUNTERS], jobs = 0;
  job.keys[0] = s->known_prefixes.present[0], job.keys[1] = s->known_prefixes.present[1];
  WIRE_PUT(out, job);
  counters(s, of);
  if (!job.is_here) s->elsewhere = mcr_deciding(s);
  for (unsigned i = 0; i < COUNTERS; i++) {
    uint64_t count = job.is_here ? 0 : *of[i];
    WIRE_PUT(out, count);
  }
  WIRE_PUT(out, s->limits);
  WIRE_PUT_VEC(out, &s->unmodelled); /* texts of this program: they are at the same place in all processes */
  size_t from = job.given_up ? s->todo.count : vec_last(&s->nodes).below;
  jobs = s->todo.count - from;
  WIRE_PUT(out, jobs);
  for (size_t i = from; i < s->todo.count; i++) {
    struct text one = {0};
    put_job(s, i, &one);
    WIRE_PUT_VEC(out, &one);
    text_release(&one);
  }
}

static void get_limits(struct strategy *s, struct wire *w, bool asked) {
  VEC(const char *) unmodelled = {0};
  uint32_t limits;
  WIRE_GET(w, limits);
  WIRE_GET_VEC(w, &unmodelled);
  s->limits |= asked ? limits : limits & (1u << MCR_STRAYED | 1u << MCR_ENDED | 1u << MCR_CIRCLE); /* what it did, not what it asked */
  for (size_t i = 0; asked && i < unmodelled.count; i++) mcr_add_unmodelled(s, unmodelled.data[i]);
  vec_release(&unmodelled);
}

static enum prefix_fate mcr_settle(struct strategy *s, uint64_t number, struct wire *w, struct prefix_list *out) {
  struct mcr_known *k = &s->known_prefixes;
  struct mcr_job job;
  uint64_t counts[COUNTERS], *of[COUNTERS], jobs;
  WIRE_GET(w, job);
  for (unsigned i = 0; i < COUNTERS; i++) WIRE_GET(w, counts[i]);
  if (w->bad) return PREFIX_BAD;
  if (job.given_up) return PREFIX_DONE;
  if (!job.is_here) {
    for (unsigned i = 0; i < 2; i++)
      if (job.keys[i] && mcr_known_has(k, job.keys[i], number + 1)) return PREFIX_LOST;
    bool is_new = !hashmap_find(&s->states, job.state);
    if (job.strayed && is_new && !job.is_new) return PREFIX_LOST; /* nothing was asked about it */
    hashmap_at(&s->states, job.state, 0, NULL);
    job.is_new = is_new;
    k->number = number + 1, k->present[0] = job.keys[0], k->present[1] = job.keys[1];
    if (is_new || !job.strayed) mcr_known_add(k);
  }
  s->redundant += !job.is_new;
  bool asked = job.is_new || !job.strayed;
  counters(s, of);
  for (unsigned i = 0; asked && i < COUNTERS; i++) *of[i] += counts[i];
  get_limits(s, w, asked);
  WIRE_GET(w, jobs);
  for (uint64_t i = 0; asked && i < jobs && !w->bad; i++) {
    struct text one = {0};
    WIRE_GET_VEC(w, &one);
    *vec_push(&out->jobs) = one;
  }
  return w->bad ? PREFIX_BAD : PREFIX_DONE;
}

const struct prefix_type mcr_prefixes = {.take = mcr_take, .more = mcr_more, .give = mcr_give, .settle = mcr_settle};

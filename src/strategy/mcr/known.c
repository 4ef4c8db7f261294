#include "strategy/mcr/known.h"

#include "causal/causal.h"
#include "states/claims.h"

void mcr_known_release(struct mcr_known *k) { hashmap_release(&k->prefixes); }

void mcr_known_clear(struct mcr_known *k) {
  hashmap_clear(&k->prefixes);
  mcr_known_begin(k);
}

void mcr_known_begin(struct mcr_known *k) { k->present[0] = k->present[1] = 0; }

/* Of what each thread's reads returned, whatever the order between threads. */
static uint64_t hash_reads(const struct execution *x) {
  uint64_t of_thread[THREADS_MAX], all = 0;
  struct tset seen = {0};
  uint32_t events = x->depth ? x->ends[x->depth - 1] : 0;
  for (uint32_t i = 0; i < events; i++) {
    const struct event *e = &x->trace[i];
    uint64_t result;
    if (!causal_is_read(e, &result)) continue;
    if (!tset_has(&seen, e->thread)) of_thread[e->thread] = hash_mix(e->thread + 1);
    tset_add(&seen, e->thread);
    of_thread[e->thread] = hash_pair(of_thread[e->thread], result);
  }
  for (uint32_t t = tset_next(&seen, 0); t < THREADS_MAX; t = tset_next(&seen, t + 1)) all += hash_mix(of_thread[t]);
  return all;
}

bool mcr_known_find(struct mcr_known *k, const struct execution *x, const struct step *last, bool reads) {
  struct fingerprint state = execution_fingerprint(x);
  uint64_t key = hash_pair(hash_pair(state.lo, state.hi), hash_pair(execution_output(x), x->loops));
  if (last) key = hash_pair(key, ((uint64_t)last->thread << 32 | last->choice) + 1);
  if (reads) key = hash_pair(key, hash_reads(x));
  k->present[!last] = key ? key : 1;
  return mcr_known_has(k, k->present[!last], k->number) || (k->claims && claims_has(k->claims, k->present[!last], k->number));
}

bool mcr_known_has(const struct mcr_known *k, uint64_t key, uint64_t number) {
  const uint64_t *other = hashmap_find(&k->prefixes, key);
  return other && (number == 0 || *other < number);
}

void mcr_known_add(struct mcr_known *k) {
  for (unsigned i = 0; i < 2; i++)
    if (k->present[i]) hashmap_at(&k->prefixes, k->present[i], k->number, NULL);
}

void mcr_known_claim(struct mcr_known *k) {
  for (unsigned i = 0; k->claims && i < 2; i++)
    if (k->present[i]) claims_add(k->claims, k->present[i], k->number);
}

#include "analysis/lockorder.h"
#include "analysis/held.h"

#include "analysis/cycle.h"
#include "analysis/seen.h"

enum { LOCKS = 1 << 20, PAIRS = 1 << 21, TAKINGS = 1 << 20, LOCK_BUCKETS = 1 << 17, PAIR_BUCKETS = 1 << 18, REPORTED = 1 << 14 };
enum { SWEEP = 1 << 12 /* pairs, at first */, VISITS = 1 << 18, STEPS = 1 << 16, CLOCKS = 1 << 24, EVERY = 1 << 12 };

/* A thread took a lock while it held others. */
struct taking {
  uint32_t thread, segment;
  uint32_t users;       /* edges */
  uint32_t node;        /* of the lock */
  epoch got;            /* what knows of that knows that it got the lock */
  struct vclock *known; /* what it knew of others when it asked, in the weak order; NULL: it is not looked at */
  struct hold want;
  uint32_t nheld;
  struct hold held[]; /* each lock once */
};

/* It was one of a pair's. */
struct edge {
  struct edge *next;
  struct taking *taking;
  uint32_t at; /* held[at] is the pair's first lock */
};

/* Lists of pairs are linked by index, 0 at the end. */
struct node {
  uint64_t lock;
  uint32_t index;    /* sync.h */
  uint32_t next;     /* in its bucket, or free */
  uint32_t first[2]; /* OUT: its pairs as the held lock; IN: as the wanted one */
  uint32_t seen, distance;
};
enum direction { OUT, IN };
struct pair_of_locks {
  uint32_t end[2]; /* nodes: the wanted lock, and the held one: where it leads OUT, and IN */
  uint32_t next[2];
  uint32_t bucket_next; /* or free */
  struct edge *edges;   /* the newest first */
};

static struct {
  struct rt_lock lock; /* for all there is here */
  struct node *nodes;
  struct pair_of_locks *pairs;
  uint32_t *lock_buckets, *pair_buckets, *queue; /* queue: [LOCKS], for searches */
  uint32_t nodes_used, nodes_free, pairs_used, pairs_free, npairs, ntakings, sweep_at, refused;
  uint32_t nclocks; /* of what takings knew */
  uint32_t search;  /* number of the last exploration: node.seen */
  uint64_t reported[REPORTED];
  uint32_t nreported;
} g;

static bool start(void) {
  if (LIKELY(g.queue != NULL)) return true;
  g.nodes = rt_pages(LOCKS * sizeof g.nodes[0]);
  g.pairs = rt_pages(PAIRS * sizeof g.pairs[0]);
  g.lock_buckets = rt_pages(LOCK_BUCKETS * sizeof g.lock_buckets[0]);
  g.pair_buckets = rt_pages(PAIR_BUCKETS * sizeof g.pair_buckets[0]);
  g.nodes_used = g.pairs_used = 1, g.sweep_at = SWEEP;
  if (g.nodes && g.pairs && g.lock_buckets && g.pair_buckets) g.queue = rt_pages(LOCKS * sizeof g.queue[0]);
  return g.queue != NULL;
}

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

static uint32_t *lock_bucket(uint64_t lock) { return &g.lock_buckets[mix(lock) & (LOCK_BUCKETS - 1)]; }
static uint32_t *pair_bucket(uint32_t held, uint32_t wanted) {
  return &g.pair_buckets[mix((uint64_t)held << 32 | wanted) & (PAIR_BUCKETS - 1)];
}

static bool conflict(const struct hold *a, const struct hold *b) { return a->lock == b->lock && !(a->shared && b->shared); }

static void drop_taking(struct taking *k) {
  if (--k->users > 0) return;
  if (k->known) g.nclocks -= k->known->n;
  vclock_free(k->known);
  rt_free(k, sizeof *k + k->nheld * sizeof k->held[0]);
  g.ntakings--;
}

static void drop_edge(struct edge *e) {
  drop_taking(e->taking);
  rt_free(e, sizeof *e);
}

static void link_pair(uint32_t i) {
  struct pair_of_locks *p = &g.pairs[i];
  uint32_t *bucket = pair_bucket(p->end[IN], p->end[OUT]);
  p->bucket_next = *bucket, *bucket = i;
  for (enum direction d = OUT; d <= IN; d++) {
    uint32_t *first = &g.nodes[p->end[!d]].first[d];
    p->next[d] = *first, *first = i;
  }
}

/* Gives up the pairs whose locks are gone, and the locks. */
static void sweep(void) {
  rt_zero(g.pair_buckets, PAIR_BUCKETS * sizeof g.pair_buckets[0]);
  rt_zero(g.lock_buckets, LOCK_BUCKETS * sizeof g.lock_buckets[0]);
  g.pairs_free = g.nodes_free = 0;
  for (uint32_t i = 1; i < g.nodes_used; i++) {
    struct node *n = &g.nodes[i];
    if (n->lock && !sync_lives(n->index, n->lock)) n->lock = 0;
    uint32_t *list = n->lock ? lock_bucket(n->lock) : &g.nodes_free;
    n->first[OUT] = n->first[IN] = 0;
    n->next = *list, *list = i;
  }
  for (uint32_t i = 1; i < g.pairs_used; i++) {
    struct pair_of_locks *p = &g.pairs[i];
    if (p->edges && g.nodes[p->end[OUT]].lock && g.nodes[p->end[IN]].lock) {
      link_pair(i);
      continue;
    }
    g.npairs -= p->edges != NULL;
    for (struct edge *e = p->edges, *next; e; e = next) next = e->next, drop_edge(e);
    p->edges = NULL;
    p->bucket_next = g.pairs_free, g.pairs_free = i;
  }
  g.sweep_at = g.npairs * 2 > SWEEP ? g.npairs * 2 : SWEEP;
}

/* 0 if there is no room. */
static uint32_t node_of(uint64_t lock, uint32_t index) {
  uint32_t *bucket = lock_bucket(lock), i = *bucket;
  while (i && g.nodes[i].lock != lock) i = g.nodes[i].next;
  if (i) return i;
  if ((i = g.nodes_free))
    g.nodes_free = g.nodes[i].next;
  else if (g.nodes_used < LOCKS)
    i = g.nodes_used++;
  if (!i) return 0;
  g.nodes[i] = (struct node){.lock = lock, .index = index, .next = *bucket};
  return *bucket = i;
}

/* NULL if there is no room. */
static struct pair_of_locks *pair_of(uint32_t held, uint32_t wanted) {
  uint32_t i = *pair_bucket(held, wanted);
  while (i && !(g.pairs[i].end[IN] == held && g.pairs[i].end[OUT] == wanted)) i = g.pairs[i].bucket_next;
  if (i) return &g.pairs[i];
  if ((i = g.pairs_free))
    g.pairs_free = g.pairs[i].bucket_next;
  else if (g.pairs_used < PAIRS)
    i = g.pairs_used++;
  if (!i) return NULL;
  g.pairs[i] = (struct pair_of_locks){.end = {[OUT] = wanted, [IN] = held}};
  g.npairs++;
  link_pair(i);
  return &g.pairs[i];
}

/* Every cycle that the edge `k` of held[at] is in has one with `e` in its stead, but for what others know of the two. */
static bool replaces(const struct edge *e, const struct taking *k, uint32_t at) {
  const struct taking *o = e->taking;
  if (o->thread != k->thread || o->segment != k->segment || o->nheld > k->nheld) return false;
  if ((o->want.shared && !k->want.shared) || o->held[e->at].shared != k->held[at].shared) return false;
  for (uint32_t i = 0, j; i < o->nheld; i++) {
    for (j = 0; j < k->nheld && k->held[j].lock != o->held[i].lock; j++) {
    }
    if (j == k->nheld || (k->held[j].shared && !o->held[i].shared)) return false;
  }
  return true;
}

/* The oldest of a list that it has to give way to a new edge, if it is full, and room for that one. */
static void make_room(struct pair_of_locks *p, const struct taking *k, uint32_t at) {
  unsigned n = 0, again = 0;
  struct edge **oldest = NULL, **own = NULL, **first = NULL, **second = NULL;
  for (struct edge **e = &p->edges; *e; e = &(*e)->next, n++) {
    oldest = e;
    if ((*e)->taking->thread == k->thread) own = e;
    if (replaces(*e, k, at)) again++, second = first, first = e;
  }
  struct edge **link = again >= AGAIN ? second : n < EDGES ? NULL : own ? own : oldest, *old = link ? *link : NULL;
  if (!old) return;
  *link = old->next;
  drop_edge(old);
}

/* False if it is known, or there is no room. */
static bool add_edge(struct taking *k, uint32_t at, uint32_t held) {
  struct pair_of_locks *p = pair_of(held, k->node);
  if (!p) return false;
  for (const struct edge *e = p->edges; e; e = e->next)
    if (!k->known && replaces(e, k, at)) return false;
  struct edge *new = rt_alloc(sizeof *new);
  if (!new) return false;
  make_room(p, k, at);
  *new = (struct edge){.next = p->edges, .taking = k, .at = at};
  p->edges = new;
  k->users++;
  return true;
}

/* The search for cycles through a new taking. */
struct search {
  const struct taking *path[CYCLE];
  uint32_t via[CYCLE]; /* path[i].held[via[i]] is what path[i - 1] wants */
  unsigned steps;
  struct found *found;
};
struct found {
  struct found *next;
  struct cycle cycle;
};

static bool is_reported(uint64_t key) {
  key |= 1;
  for (uint32_t i = (uint32_t)(key >> 20) & (REPORTED - 1); g.reported[i]; i = (i + 1) & (REPORTED - 1))
    if (g.reported[i] == key) return true;
  return g.nreported > REPORTED / 2;
}
static void set_reported(uint64_t key) {
  key |= 1;
  uint32_t i = (uint32_t)(key >> 20) & (REPORTED - 1);
  while (g.reported[i]) i = (i + 1) & (REPORTED - 1);
  g.reported[i] = key, g.nreported++;
}

static void found(struct search *s, unsigned n) {
  uint64_t key = 0;
  for (unsigned i = 0; i < n; i++) key += mix(s->path[i]->want.lock);
  if (is_reported(key)) return;
  struct found *f = rt_alloc(sizeof *f);
  if (!f) return;
  set_reported(key);
  f->cycle.n = n;
  for (unsigned i = 0; i < n; i++)
    f->cycle.waiters[i] = (struct waiter){.thread = s->path[i]->thread, .has = s->path[i]->held[s->via[i]], .wants = s->path[i]->want};
  f->next = s->found, s->found = f;
}

static bool waits_for(const struct taking *k, const struct taking *other) {
  for (uint32_t i = 0; i < other->nheld; i++)
    if (conflict(&k->want, &other->held[i])) return true;
  return false;
}

static bool knows(const struct vclock *c, epoch e) { return epoch_slot(e) < c->n && c->at[epoch_slot(e)] >= epoch_clock(e); }

/* One of them can be waiting for its lock only when the other has got its own. */
static bool one_knows(const struct taking *a, const struct taking *b) {
  return a->known && b->known && (knows(a->known, b->got) || knows(b->known, a->got));
}

/* Can happen at the same time as all on the path, and no cycle is shorter. */
static bool fits(const struct search *s, unsigned n, const struct taking *k) {
  for (unsigned i = 0; i < n; i++) {
    const struct taking *o = s->path[i];
    if (o->thread == k->thread || (i + 1 < n && waits_for(o, k)) || (i > 0 && waits_for(k, o))) return false;
    for (uint32_t a = 0; a < o->nheld; a++)
      for (uint32_t b = 0; b < k->nheld; b++)
        if (conflict(&o->held[a], &k->held[b])) return false;
  }
  for (unsigned i = 0; i < n; i++)
    if (one_knows(s->path[i], k) || hard_ordered(s->path[i]->segment, k->segment)) return false;
  return true;
}

/* Goes on from the n takings on the path, along nodes from which the first one's held locks are near enough. */
static void extend(struct search *s, unsigned n) {
  const struct taking *first = s->path[0], *last = s->path[n - 1];
  for (s->via[0] = 0; s->via[0] < first->nheld; s->via[0]++)
    if (n > 1 && conflict(&first->held[s->via[0]], &last->want)) return found(s, n);
  if (n == CYCLE) return;
  for (uint32_t i = g.nodes[last->node].first[OUT]; i; i = g.pairs[i].next[OUT]) {
    const struct node *to = &g.nodes[g.pairs[i].end[OUT]];
    if (to->seen != g.search || n + 1 + to->distance > CYCLE) continue;
    for (const struct edge *e = g.pairs[i].edges; e; e = e->next) {
      const struct taking *k = e->taking;
      if (s->steps++ == STEPS) return;
      if (!conflict(&last->want, &k->held[e->at]) || !fits(s, n, k)) continue;
      s->path[n] = k, s->via[n] = e->at;
      extend(s, n + 1);
    }
  }
}

enum answer { NO, YES, TOO_FAR };

/* Goes from some nodes in that direction, and tells whether any of the others is reached; all nodes on the way have their distance. */
static enum answer explore(const uint32_t *from, unsigned n, enum direction d, const uint32_t *to, unsigned nto, unsigned most) {
  uint32_t head = 0, tail = 0;
  g.search++;
  for (unsigned i = 0; i < n; i++) g.nodes[from[i]].seen = g.search, g.nodes[from[i]].distance = 0, g.queue[tail++] = from[i];
  for (unsigned visits = 0; head < tail; head++) {
    const struct node *at = &g.nodes[g.queue[head]];
    for (unsigned i = 0; i < nto; i++)
      if (g.queue[head] == to[i]) return YES;
    for (uint32_t p = at->first[d]; p && at->distance < CYCLE; p = g.pairs[p].next[d]) {
      struct node *next = &g.nodes[g.pairs[p].end[d]];
      if (visits++ == most) return TOO_FAR;
      if (next->seen == g.search) continue;
      next->seen = g.search, next->distance = at->distance + 1;
      g.queue[tail++] = g.pairs[p].end[d];
    }
  }
  return NO;
}

/* Mostly one of the two sides is small: the last locks of a hierarchy lead nowhere, and nothing leads to the first ones. */
static bool may_cycle(const uint32_t *held, unsigned n, uint32_t wanted) {
  for (unsigned most = 64; most < VISITS; most *= 8) {
    enum answer a = explore(&wanted, 1, OUT, held, n, most);
    if (a == TOO_FAR) a = explore(held, n, IN, &wanted, 1, most);
    if (a != TOO_FAR) return a == YES;
  }
  return true;
}

static struct found *search(const struct taking *k, const uint32_t *held) {
  struct search s = {.path = {k}};
  if (!may_cycle(held, k->nheld, k->node)) return NULL;
  explore(held, k->nheld, IN, NULL, 0, VISITS);
  extend(&s, 1);
  return s.found;
}

static struct hold hold_of(const struct sync *s, uint32_t site, bool shared) {
  return (struct hold){.lock = s->id, .address = s->address, .site = site, .kind = s->kind, .shared = shared};
}

/* With what it holds now; nothing is held if it holds the lock already. NULL if no memory is left. */
static struct taking *new_taking(struct thread *t, const struct sync *s, bool shared, uint32_t site, uint32_t *indices) {
  struct taking *k = rt_alloc(sizeof *k + HELD * sizeof k->held[0]);
  bool own = s->own & OWN_MADE;
  if (!k) return NULL;
  *k = (struct taking){.thread = t->info->number, .segment = hard_segment(&t->hard), .want = hold_of(s, site, shared)};
  for (const struct held *h = t->held; h < t->held + t->nheld; h++) {
    uint32_t i = 0;
    if (h->lock == s->id) return k->nheld = 0, k;
    const struct sync *of = held_sync(t, h);
    while (i < k->nheld && k->held[i].lock != h->lock) i++;
    if (of && i == k->nheld) indices[i] = h->index, k->held[k->nheld++] = hold_of(of, h->site, h->shared);
    if (of) k->held[i].shared &= h->shared, own |= of->own & OWN_MADE;
  }
  k->got = epoch_make(t->slot, t->clock[t->slot] + 1); /* section_begin() begins it */
  if (t->weak && !own && !vclock_set(&k->known, t->weak, t->n, 0)) k->nheld = 0;
  return k;
}

static void free_taking(struct taking *k) {
  vclock_free(k->known);
  rt_free(k, sizeof *k + HELD * sizeof k->held[0]);
}

static struct taking *shrink(struct taking *k) {
  size_t size = sizeof *k + k->nheld * sizeof k->held[0];
  struct taking *kept = rt_alloc(size);
  if (!kept) return NULL;
  rt_copy(kept, k, size);
  k->known = NULL;
  if (kept->known) g.nclocks += kept->known->n;
  return kept;
}

/* Under the lock. */
static struct found *record(struct taking *k, const uint32_t *indices, uint32_t index) {
  uint32_t held[HELD], n = 0;
  bool new = false;
  if (!start()) return NULL;
  bool full = g.ntakings >= TAKINGS || g.nclocks >= CLOCKS;
  if (g.npairs >= g.sweep_at || (full && g.refused++ % SWEEP == 0)) sweep();
  if (g.ntakings >= TAKINGS || g.nclocks >= CLOCKS) return NULL;
  struct taking *kept = shrink(k);
  if (!kept) return NULL;
  g.ntakings++, kept->users = 1;
  kept->node = node_of(k->want.lock, index);
  while (kept->node && n < k->nheld && (held[n] = node_of(k->held[n].lock, indices[n]))) n++;
  for (uint32_t i = 0; n == k->nheld && i < n; i++) new |= add_edge(kept, i, held[i]);
  struct found *f = new ? search(kept, held) : NULL;
  drop_taking(kept);
  return f;
}

/* What the conditions look at. */
static uint64_t key_of(const struct thread *t, const struct sync *s, bool shared) {
  uint64_t key = mix(mix(t->hard.segment + 1) ^ mix(s->id << 1 | shared));
  for (uint32_t i = 0; i < t->nheld; i++) key = mix(key ^ mix(t->held[i].lock << 1 | t->held[i].shared));
  return key;
}

/* Others may know of the last one that was told, and not of this one. */
static bool is_told(struct thread *t, uint64_t key) {
  struct known_taking *known = &t->takings[key & (TAKINGS_KNOWN - 1)];
  if (known->key != key) {
    *known = (struct known_taking){.key = key, .every = 1};
    return false;
  }
  if (!t->weak || known->left > 0) {
    known->left--;
    return true;
  }
  known->left = known->every, known->every *= known->every < EVERY ? 2 : 1;
  return false;
}

void lockorder_takes_slow(struct thread *t, const struct sync *s, bool shared, uint32_t site) {
  uint32_t indices[HELD];
  if (t->nheld == HELD) return; /* there will be more than are kept */
  thread_enter(t);
  if (t->weak) seen_hear(t);
  hard_segment(&t->hard);
  struct taking *k = is_told(t, key_of(t, s, shared)) ? NULL : new_taking(t, s, shared, site, indices);
  if (k) {
    rt_lock(&g.lock);
    struct found *f = k->nheld ? record(k, indices, s->index) : NULL;
    rt_unlock(&g.lock);
    free_taking(k);
    for (struct found *next; f; f = next) {
      cycle_possible(t, &f->cycle);
      next = f->next;
      rt_free(f, sizeof *f);
    }
  }
  thread_leave(t);
}

void lockorder_before_fork(void) { rt_lock(&g.lock); }

void lockorder_after_fork(bool child) {
  for (uint32_t i = 1; child && i < g.nodes_used; i++) g.nodes[i].lock = 0;
  if (child && g.queue) sweep();
  if (child) rt_zero(g.reported, sizeof g.reported), g.nreported = 0;
  for (unsigned i = 0; child && i < TAKINGS_KNOWN && hd_fast.self; i++) hd_fast.self->takings[i].key = 0;
  rt_unlock(&g.lock);
}

#include "machine/interpret/depend.h"

#include <string.h>

#include "machine/interpret/follow.h"
#include "machine/memory/buffer.h"
#include "program/insn.h"

/* --- slots --- */

/* An instruction of a thread, while it is looked at. */
struct look {
  struct follow *f;
  struct follow_thread *t;
  const union insn *ip;
  uint32_t base; /* of its frame's slots */
  uint32_t all;  /* union of what it reads */
};

static uint32_t *slot_at(const struct look *l, uint32_t slot) { return &l->t->slots.data[l->base + slot]; }

static uint32_t slots_union(const struct look *l, uint32_t slot, uint32_t n) {
  uint32_t set = READS_NONE;
  for (uint32_t i = 0; i < n; i++) set = reads_union(l->f, set, *slot_at(l, slot + i));
  return set;
}

static void read_slots(void *context, unsigned word, unsigned field, uint32_t n, bool write) {
  struct look *l = context;
  if (!write) l->all = reads_union(l->f, l->all, slots_union(l, l->ip[word].slots[field], n));
}

static void write_slots(void *context, unsigned word, unsigned field, uint32_t n, bool write) {
  struct look *l = context;
  for (uint32_t i = 0; write && i < n; i++) *slot_at(l, l->ip[word].slots[field] + i) = l->all;
}

static struct insn_layouts layouts_of(const struct machine *m) {
  return (struct insn_layouts){m->image->layouts, m->image->leaves, m->image->nlayouts};
}

static uint32_t all_reads(struct machine *m, struct look *l) {
  struct insn_layouts layouts = layouts_of(m);
  l->all = READS_NONE;
  insn_each_slot(l->ip, &layouts, read_slots, l);
  return l->all;
}

/* The rule for what only computes. */
static void compute(struct machine *m, struct look *l) {
  struct insn_layouts layouts = layouts_of(m);
  all_reads(m, l);
  insn_each_slot(l->ip, &layouts, write_slots, l);
}

static void decides(struct look *l, uint32_t set) { follow_control(l->f, l->t, set); }

/* --- frames --- */

static uint32_t frame_slots(const struct machine *m, uint32_t function) {
  const struct image_function *f = &m->image->functions[function];
  return f->slots + f->nconstants;
}

/* Nothing is known of the slots [from, from + n). */
static void clear_slots(struct follow_thread *t, uint32_t from, uint32_t n) {
  if (t->slots.count < from + n) {
    size_t more = from + n - t->slots.count;
    memset(vec_push_n(&t->slots, more), 0, more * sizeof *t->slots.data);
  }
  memset(t->slots.data + from, 0, n * sizeof *t->slots.data);
}

/* Frames that the machine pushed by itself, and those from before the initial state, begin with nothing that is known to depend. */
static void know_frames(struct machine *m, struct follow_thread *t, const struct thread *of) {
  uint32_t depth = (uint32_t)of->frames.count;
  if (t->tags.count >= depth && t->tags.data[depth - 1] == of->frames.data[depth - 1].tag) {
    t->tags.count = depth;
    return;
  }
  size_t known = 0;
  while (known < t->tags.count && known < depth && t->tags.data[known] == of->frames.data[known].tag) known++;
  t->tags.count = known;
  for (; known < depth; known++) {
    const struct frame *frame = &of->frames.data[known];
    clear_slots(t, frame->base, frame_slots(m, frame->function) + SLOTS_MARGIN);
    *vec_push(&t->tags) = frame->tag;
  }
}

static void enter(struct machine *m, struct look *l, const struct thread *t, const struct frame *frame, uint32_t callee) {
  const struct image_function *f = &m->image->functions[callee];
  uint32_t base = frame->base + frame_slots(m, frame->function), n = l->ip->b < f->params ? l->ip->b : f->params;
  clear_slots(l->t, base, frame_slots(m, callee) + SLOTS_MARGIN);
  for (uint32_t i = 0; i < n; i++) l->t->slots.data[base + i] = *slot_at(l, l->ip[2].slots[i]);
  *vec_push(&l->t->tags) = t->serial << 1 | (f->flags & FUNCTION_MODEL ? FRAME_MODEL : 0);
}

/* What is not interpreted sees its arguments, and perhaps what the thread has stored. */
static void call_extern(struct machine *m, struct look *l) {
  decides(l, reads_union(l->f, all_reads(m, l), l->t->stored));
  l->t->now.external = true;
  l->t->now.slot = l->base + l->ip->a, l->t->now.loads = l->ip->c;
}

static void call(struct machine *m, struct look *l, const struct thread *t, const struct frame *frame, const uint64_t *r) {
  uint32_t callee = l->ip[1].lo;
  if (l->ip->op == OP_CALLI || l->ip->op == OP_CALLIV) {
    uint64_t target = (r[callee] - TEXT_BASE) / 16;
    decides(l, *slot_at(l, callee));
    callee = target < m->image->nfunctions ? (uint32_t)target : UINT32_MAX;
  }
  if (l->ip->op == OP_CALLX || callee >= m->image->nfunctions) {
    call_extern(m, l);
    return;
  }
  /* Variadic arguments go through memory, in a form that is not looked into. */
  if (insn_is_variadic_call(l->ip->op)) decides(l, reads_union(l->f, all_reads(m, l), l->t->stored));
  enter(m, l, t, frame, callee);
}

static void return_to_caller(struct machine *m, struct look *l, const struct thread *t) {
  uint32_t depth = (uint32_t)t->frames.count;
  if (depth == t->floor + 1) { /* others may see it by joining the thread */
    decides(l, slots_union(l, l->ip->a, l->ip->b));
    return;
  }
  const struct frame *caller = &t->frames.data[depth - 2];
  const union insn *at = m->image->code + caller->pc;
  uint32_t n = l->ip->b < at->c ? l->ip->b : at->c, *to = &l->t->slots.data[caller->base + at->a];
  memmove(to, slot_at(l, l->ip->a), n * sizeof *to);
}

/* --- memory --- */

static void load(struct look *l, uint64_t address, uint64_t size, uint32_t slots) {
  l->t->now.slot = l->base + l->ip->a, l->t->now.loads = slots;
  l->t->now.data = memory_reads(l->f, address, size);
}

static void store(struct look *l, uint64_t address, uint64_t size, uint32_t value) {
  l->t->now.value = value;
  memory_reads_set(l->f, l->t, address, size, value);
}

static void copy(struct look *l, const uint64_t *r, uint64_t size) {
  decides(l, reads_union(l->f, *slot_at(l, l->ip->a), *slot_at(l, l->ip->b)));
  l->t->now.data = memory_reads(l->f, r[l->ip->b], size);
  l->t->now.to = r[l->ip->a], l->t->now.size = size;
}

static uint64_t displaced(const union insn *ip, const uint64_t *r) { return r[ip->b] + (uint64_t)(int64_t)(int16_t)ip->c; }

static void plain_access(struct machine *m, struct look *l, const uint64_t *r) {
  const union insn *ip = l->ip;
  decides(l, *slot_at(l, ip->b));
  switch (ip->op) {
    case OP_LD8:
    case OP_LD16:
    case OP_LD32:
    case OP_LD64:
      load(l, displaced(ip, r), 1ull << (ip->op - OP_LD8), 1);
      return;
    case OP_ST8:
    case OP_ST16:
    case OP_ST32:
    case OP_ST64:
      store(l, displaced(ip, r), 1ull << (ip->op - OP_ST8), *slot_at(l, ip->a));
      return;
    case OP_LDN:
    case OP_STN: {
      const struct image_layout *layout = &m->image->layouts[ip[1].lo];
      uint32_t n = layout_slots(layout, m->image->leaves);
      if (ip->op == OP_LDN)
        load(l, displaced(ip, r), layout->size, n);
      else
        store(l, displaced(ip, r), layout->size, slots_union(l, ip->a, n));
      return;
    }
    default: { /* indexed */
      bool loads = ip->op <= OP_LDX64;
      unsigned shift = ip->op - (unsigned)(loads ? OP_LDX8 : OP_STX8);
      uint64_t address = r[ip->b] + (r[ip->c] << shift);
      decides(l, *slot_at(l, ip->c));
      if (loads)
        load(l, address, 1ull << shift, 1);
      else
        store(l, address, 1ull << shift, *slot_at(l, ip->a));
    }
  }
}

static void atomic_access(struct look *l, const uint64_t *r) {
  const union insn *ip = l->ip;
  uint64_t address = r[ip->b], size = (ip->op == OP_ATOMIC_LD || ip->op == OP_ATOMIC_ST ? ip->c : ip[1].hi) & 255;
  decides(l, *slot_at(l, ip->b));
  if (ip->op == OP_ATOMIC_ST) {
    store(l, address, size, *slot_at(l, ip->a));
    return;
  }
  load(l, address, size, ip->op == OP_ATOMIC_CAS ? 2 : 1);
  if (ip->op == OP_ATOMIC_LD) return;
  uint32_t operand = *slot_at(l, ip->c), before = l->t->now.data;
  if (ip->op == OP_ATOMIC_CAS) {
    decides(l, operand); /* whether it exchanges */
    operand = *slot_at(l, ip[1].lo);
    l->t->now.compares = true;
  }
  store(l, address, size, operand);
  memory_reads_set(l->f, l->t, address, size, reads_union(l->f, before, operand));
}

/* --- instructions --- */

/* long: one short case for each kind of instruction that does more than to compute */
static void begin(struct machine *m, struct look *l, const struct thread *t, const struct frame *frame, const uint64_t *r) {
  const union insn *ip = l->ip;
  if ((ip->op >= OP_LD8 && ip->op <= OP_STX64) || ip->op == OP_LDN || ip->op == OP_STN) {
    plain_access(m, l, r);
    return;
  }
  if ((ip->op >= OP_JMP && ip->op <= OP_IBR) || ip->op == OP_RESUME || ip->op == OP_SPRESTORE || ip->op == OP_VASTART) {
    decides(l, all_reads(m, l));
    return;
  }
  if (insn_is_call(ip->op)) {
    call(m, l, t, frame, r);
    return;
  }
  switch (ip->op) {
    case OP_RET:
      return_to_caller(m, l, t);
      return;
    case OP_ATOMIC_LD:
    case OP_ATOMIC_ST:
    case OP_ATOMIC_RMW:
    case OP_ATOMIC_CAS:
      atomic_access(l, r);
      return;
    case OP_MEMCPY:
    case OP_MEMMOVE:
      decides(l, *slot_at(l, ip->c));
      copy(l, r, r[ip->c]);
      return;
    case OP_VACOPY:
      copy(l, r, 24);
      return;
    case OP_MEMSET:
      decides(l, reads_union(l->f, *slot_at(l, ip->a), *slot_at(l, ip->c)));
      store(l, r[ip->a], r[ip->c], *slot_at(l, ip->b));
      return;
    case OP_MOV2:
    case OP_MOVN:
      memmove(slot_at(l, ip->a), slot_at(l, ip->b), (ip->op == OP_MOVN ? ip->c : 2) * sizeof(uint32_t));
      return;
    case OP_ALLOCAX:
      decides(l, *slot_at(l, ip->b));
      *slot_at(l, ip->a) = READS_NONE;
      return;
    case OP_UDIV32: /* by zero, or of the smallest by -1, it ends the execution */
    case OP_SDIV32:
    case OP_UREM32:
    case OP_SREM32:
    case OP_UDIV64:
    case OP_SDIV64:
    case OP_UREM64:
    case OP_SREM64:
    case OP_WUDIV:
    case OP_WSDIV:
    case OP_WUREM:
    case OP_WSREM:
      decides(l, all_reads(m, l));
      compute(m, l);
      return;
    default:
      compute(m, l);
  }
}

/* The instruction has been executed. */
static void finish(struct follow *f, struct follow_thread *t) {
  struct follow_insn *now = &t->now;
  for (uint32_t i = 0; i < now->loads; i++) t->slots.data[now->slot + i] = now->data;
  if (now->size) memory_reads_set(f, t, now->to, now->size, now->data);
  *now = (struct follow_insn){0};
}

/* --- events --- */

static void note_read(struct follow *f, struct follow_thread *t, const struct event *e, uint32_t event) {
  uint32_t set = reads_one(f, event);
  *vec_push(&t->reads) = set;
  if (t->now.external || t->now.compares || (e->flags & EVENT_WAITS)) follow_control(f, t, set);
  t->now.data = set;
}

/* Memory that a thread wrote while it was alone, others may read unseen. They depend on its reads by their FORKs, which have all of them.
 */
static void note_lists(struct depend *d, struct follow_thread *t, const struct event *trace, const struct event *e) {
  struct follow *f = d->follow;
  for (size_t i = t->given; i < t->control.count; i++)
    if (trace[t->control.data[i]].thread == e->thread) *vec_push(&d->control) = t->control.data[i];
  if (!(e->op == EVENT_WRITE && (e->flags & EVENT_BUFFERED))) t->given = (uint32_t)t->control.count;
  if (e->op != EVENT_WRITE && e->op != EVENT_RMW) return;
  uint32_t count;
  const uint32_t *reads = reads_list(f, t->now.size ? t->now.data : t->now.value, &count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t read = f->nodes.data[reads[i]].right;
    if (trace[read].thread == e->thread) *vec_push(&d->values) = read;
  }
}

/* Gives the events that were made since the last time their lists. */
static void note_events(struct depend *d, const struct machine *m) {
  struct follow *f = d->follow;
  for (; f->noted < m->trace.count; f->noted++) {
    const struct event *e = &m->trace.data[f->noted];
    *vec_push(&d->control_starts) = (uint32_t)d->control.count;
    *vec_push(&d->value_starts) = (uint32_t)d->values.count;
    if (e->op == EVENT_FLUSH) continue;
    struct follow_thread *t = follow_thread(f, e->thread);
    if (e->op == EVENT_FORK || e->op == EVENT_AWAIT || (e->flags & EVENT_WAITS)) follow_control_all(f, t);
    if (e->op == EVENT_READ) note_read(f, t, e, f->noted);
    if (e->op == EVENT_RMW) t->now.data = READS_NONE; /* it is kept in any case */
    note_lists(d, t, m->trace.data, e);
  }
}

void follow_insn(struct machine *m, struct thread *t, const struct frame *frame, const union insn *ip, const uint64_t *r) {
  if (m->watch) {
    vec_last(&t->frames).pc = (uint32_t)(ip - m->image->code);
    m->watch->insn(m->watch->context, t->tid);
    return;
  }
  struct depend *d = m->depend;
  struct follow_thread *ft = follow_thread(d->follow, t->tid);
  uint32_t depth = (uint32_t)t->frames.count;
  if (d->follow->noted < m->trace.count) note_events(d, m);
  if (ft->now.ip == ip && ft->now.tag == frame->tag && ft->now.depth == depth) return; /* it had to wait for its step */
  finish(d->follow, ft);
  know_frames(m, ft, t);
  ft->now = (struct follow_insn){.ip = ip, .tag = frame->tag, .depth = depth};
  struct look l = {.f = d->follow, .t = ft, .ip = ip, .base = frame->base};
  begin(m, &l, t, frame, r);
}

void depend_release(struct depend *d) {
  follow_free(d->follow);
  vec_release(&d->control_starts);
  vec_release(&d->control);
  vec_release(&d->value_starts);
  vec_release(&d->values);
}

bool depend_follow(struct depend *d, struct machine *m, const struct step *steps, uint32_t n) {
  if (machine_sharing_changed(m)) return false;
  if (!d->follow) d->follow = follow_new();
  vec_clear(&d->control_starts);
  vec_clear(&d->control);
  vec_clear(&d->value_starts);
  vec_clear(&d->values);
  follow_begin(d->follow);
  m->depend = d;
  machine_reset(m);
  for (uint32_t i = 0; i < n; i++) {
    machine_step_followed(m, steps[i].thread, steps[i].choice);
    note_events(d, m);
  }
  m->depend = NULL;
  *vec_push(&d->control_starts) = (uint32_t)d->control.count;
  *vec_push(&d->value_starts) = (uint32_t)d->values.count;
  return true;
}

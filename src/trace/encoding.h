/* How an event becomes bytes of a block (format.h), and comes back. For the recorder, too: nothing is included, allocated or called.
 *
 * Both sides guess each field from the last event at the same place and of the same object in this thread, and a field is
 * written down only where the guess is wrong. They begin each block with a zeroed `struct trace_coder`, whose time is the block's. */
#pragma once
#include "trace/format.h"

/* Numbers: 7 bits a byte; the zeros at the low end of the first byte say how many bytes follow it; 9 bytes for more than 56 bits. Writes up
 * to 9 bytes at `p`, whatever the length, and returns the end. */
static inline unsigned char *trace_put_number(unsigned char *p, uint64_t v) {
  if (__builtin_expect(v >> 56 != 0, 0)) {
    *p = 0;
    __builtin_memcpy(p + 1, &v, 8);
    return p + 9;
  }
  unsigned n = (70 - (unsigned)__builtin_clzll(v | 1)) / 7;
  v = (v << 1 | 1) << (n - 1);
  __builtin_memcpy(p, &v, 8);
  return p + n;
}

/* The other way round. Reads up to 9 bytes from `p`. */
static inline const unsigned char *trace_get_number(const unsigned char *p, uint64_t *v) {
  if (__builtin_expect(*p == 0, 0)) {
    __builtin_memcpy(v, p + 1, 8);
    return p + 9;
  }
  unsigned n = (unsigned)__builtin_ctz(*p) + 1;
  uint64_t word;
  __builtin_memcpy(&word, p, 8);
  *v = word << (64 - 8 * n) >> (64 - 8 * n) >> n;
  return p + n;
}

/* Signed numbers, small ones of either sign first. */
static inline uint64_t trace_folded(uint64_t difference) { return difference << 1 ^ (uint64_t)((int64_t)difference >> 63); }
static inline uint64_t trace_unfolded(uint64_t v) { return v >> 1 ^ (0 - (v & 1)); }

/* An event as it is in the file. FORK and JOIN name the other thread by the recorder's number (struct trace_block). */
struct trace_event {
  uint8_t op;    /* enum trace_op */
  uint8_t order; /* enum event_order */
  uint8_t flags; /* enum event_flag, TRACE_NO_VALUE */
  uint32_t site;
  uint64_t object, size;
  uint64_t value, value2;       /* as in struct event */
  uint64_t sequence, sequence2; /* numbers in the orders of the objects `object` and (WAIT_*) `value2`; 0: none */
};

/* What both sides know of a thread at any record of a block: guesses. All zero at the beginning of a block. */
struct trace_guess_site {
  uint64_t object, step, value; /* of the place's last event: object, difference to the one before it, value */
};
struct trace_guess_object {
  uint64_t object, value; /* the object's last value in this thread, or sequence number */
};
struct trace_coder {
  uint32_t site;
  uint64_t time;
  struct trace_guess_site sites[128];
  struct trace_guess_object objects[256];
};

/* A record is a byte, code and bits; then what the bits do not leave out: place, object, value, each as a difference to the guess.
 *
 * Codes 1 to 8: plain reads, then writes, of 1, 2, 4, 8 bytes with values. BRANCH: no object. ACQUIRE, RELEASE: of a lock that is not
 * shared; its sequence number in place of the value. TIME: the difference to the last one and nothing else. ANY: two more bytes
 * before the place say the operation and which fields follow the object (enum trace_field). USE: a BRANCH whose value is its object, too:
 * a pointer; what is accessed next is there, or less than TRACE_NULL_MOST bytes behind. The place where it was read follows. A code 0 is
 * none, so zeros are no records. */
enum trace_code {
  TRACE_CODE_READ = 1,
  TRACE_CODE_WRITE = 5,
  TRACE_CODE_BRANCH = 9,
  TRACE_CODE_ACQUIRE,
  TRACE_CODE_RELEASE,
  TRACE_CODE_TIME,
  TRACE_CODE_ANY,
  TRACE_CODE_USE
};
enum trace_bit { TRACE_SITE_NEXT = 32 /* the last place + 1 */, TRACE_OBJECT_GUESSED = 64, TRACE_VALUE_GUESSED = 128 };
enum trace_field {
  TRACE_FLAGS = 1,
  TRACE_ORDER = 2,
  TRACE_SIZE = 4,
  TRACE_VALUE = 8,
  TRACE_VALUE2 = 16,
  TRACE_SEQUENCE = 32,
  TRACE_SEQUENCE2 = 64
};

static inline struct trace_guess_site *trace_guess_site(struct trace_coder *c, uint32_t site) { return &c->sites[site & 127]; }
static inline struct trace_guess_object *trace_guess_object(struct trace_coder *c, uint64_t object) {
  return &c->objects[(object >> 2 ^ object >> 11) & 255];
}

/* The value that is expected of this object at this place. */
static inline uint64_t trace_guess(const struct trace_guess_object *o, const struct trace_guess_site *s, uint64_t object) {
  return o->object == object ? o->value : s->value;
}

/* Differences of values of `size` bytes wrap around there: they are numbers with a sign. */
static inline uint64_t trace_narrow(uint64_t difference, unsigned size) {
  return size >= 8 || size == 0 ? difference : (uint64_t)((int64_t)(difference << (64 - 8 * size)) >> (64 - 8 * size));
}
static inline uint64_t trace_masked(uint64_t value, unsigned size) {
  return size >= 8 || size == 0 ? value : value & ((1ull << 8 * size) - 1);
}

static inline unsigned char *trace_put_site(struct trace_coder *c, unsigned char *head, unsigned char *p, uint32_t site) {
  uint32_t step = site - c->site;
  c->site = site;
  if (step == 1) {
    *head |= TRACE_SITE_NEXT;
    return p;
  }
  return trace_put_number(p, trace_folded((uint64_t)(int64_t)(int32_t)step));
}

static inline unsigned char *trace_put_object(struct trace_guess_site *s, unsigned char *head, unsigned char *p, uint64_t object) {
  uint64_t step = object - s->object;
  bool guessed = step == s->step;
  s->object = object, s->step = step;
  if (guessed) {
    *head |= TRACE_OBJECT_GUESSED;
    return p;
  }
  return trace_put_number(p, trace_folded(step));
}

/* `size` 0: a sequence number or the like, which is not cut to a size. */
static inline unsigned char *trace_put_value(struct trace_coder *c, struct trace_guess_site *s, unsigned char *head, unsigned char *p,
                                             uint64_t object, uint64_t value, unsigned size) {
  struct trace_guess_object *o = trace_guess_object(c, object);
  uint64_t difference = trace_narrow(value - trace_guess(o, s, object), size);
  s->value = value;
  *o = (struct trace_guess_object){object, value};
  if (difference == 0) {
    *head |= TRACE_VALUE_GUESSED;
    return p;
  }
  return trace_put_number(p, trace_folded(difference));
}

/* Encodes a record of place, object and value (for codes 1 to 8, ACQUIRE, RELEASE) at `p`, where TRACE_EVENT_MOST bytes must be free; its
 * end. `size`: 1, 2, 4, 8 for accesses, whose value has no other bits set; 0 for other codes. */
static inline unsigned char *trace_put_short(struct trace_coder *c, unsigned char *p, unsigned code, uint32_t site, uint64_t object,
                                             uint64_t value, unsigned size) {
  unsigned char head = (unsigned char)code, *start = p++;
  struct trace_guess_site *s = trace_guess_site(c, site);
  p = trace_put_site(c, &head, p, site);
  p = trace_put_object(s, &head, p, object);
  p = trace_put_value(c, s, &head, p, object, value, size);
  *start = head;
  return p;
}

/* A plain access of 1, 2, 4 or 8 bytes. */
static inline unsigned char *trace_put_access(struct trace_coder *c, unsigned char *p, bool write, uint32_t site, uint64_t address,
                                              uint64_t value, unsigned size) {
  unsigned code = (write ? TRACE_CODE_WRITE : TRACE_CODE_READ) + (unsigned)__builtin_ctz(size);
  return trace_put_short(c, p, code, site, address, value, size);
}

static inline unsigned char *trace_put_decision(struct trace_coder *c, unsigned char *p, enum trace_code code, uint32_t site,
                                                uint64_t value) {
  unsigned char head = (unsigned char)code, *start = p;
  struct trace_guess_site *s = trace_guess_site(c, site);
  p = trace_put_site(c, &head, p + 1, site);
  uint64_t difference = value - s->value;
  s->value = value;
  if (difference == 0)
    head |= TRACE_VALUE_GUESSED;
  else
    p = trace_put_number(p, trace_folded(difference));
  *start = head;
  return p;
}

static inline unsigned char *trace_put_branch(struct trace_coder *c, unsigned char *p, uint32_t site, uint64_t value) {
  return trace_put_decision(c, p, TRACE_CODE_BRANCH, site, value);
}

/* `read`: the place where the pointer was read; it follows as a difference to the place of the use. */
static inline unsigned char *trace_put_use(struct trace_coder *c, unsigned char *p, uint32_t site, uint64_t pointer, uint32_t read) {
  p = trace_put_decision(c, p, TRACE_CODE_USE, site, pointer);
  return trace_put_number(p, trace_folded((uint64_t)(int64_t)(int32_t)(site - read)));
}

static inline unsigned char *trace_put_time(struct trace_coder *c, unsigned char *p, uint64_t time) {
  *p = TRACE_CODE_TIME;
  uint64_t step = time > c->time ? time - c->time : 0;
  c->time += step;
  return trace_put_number(p + 1, step);
}

/* Any event. */
static inline unsigned char *trace_put_any(struct trace_coder *c, unsigned char *p, const struct trace_event *e) {
  unsigned char head = TRACE_CODE_ANY, *start = p;
  unsigned fields = (e->flags ? TRACE_FLAGS : 0u) | (e->order ? TRACE_ORDER : 0u) | (e->size ? TRACE_SIZE : 0u) |
                    (e->value ? TRACE_VALUE : 0u) | (e->value2 ? TRACE_VALUE2 : 0u) | (e->sequence ? TRACE_SEQUENCE : 0u) |
                    (e->sequence2 ? TRACE_SEQUENCE2 : 0u);
  struct trace_guess_site *s = trace_guess_site(c, e->site);
  p[1] = e->op;
  p[2] = (unsigned char)fields;
  p = trace_put_site(c, &head, p + 3, e->site);
  p = trace_put_object(s, &head, p, e->object);
  if (fields & TRACE_FLAGS) *p++ = e->flags;
  if (fields & TRACE_ORDER) *p++ = e->order;
  if (fields & TRACE_SIZE) p = trace_put_number(p, e->size);
  if (fields & TRACE_VALUE) p = trace_put_number(p, e->value);
  if (fields & TRACE_VALUE2) p = trace_put_number(p, e->value2);
  if (fields & TRACE_SEQUENCE) p = trace_put_value(c, s, &head, p, e->object, e->sequence, 0);
  if (fields & TRACE_SEQUENCE2) p = trace_put_number(p, e->sequence2);
  *start = head;
  return p;
}

/* A branch that has just what a use has. */
static inline bool trace_is_use(const struct trace_event *e) {
  bool more = e->order || e->flags || e->size || e->sequence || e->sequence2;
  return !more && e->object == e->value && e->value && e->value2 && e->value2 <= UINT32_MAX;
}

/* Any event, the short way if there is one. */
static inline unsigned char *trace_put_event(struct trace_coder *c, unsigned char *p, const struct trace_event *e) {
  bool plain = !e->order && !e->flags && !e->value2 && !e->sequence2;
  bool sized = e->size == 1 || e->size == 2 || e->size == 4 || e->size == 8;
  if (plain && sized && !e->sequence && (e->op == TRACE_EVENT_READ || e->op == TRACE_EVENT_WRITE)) {
    return trace_put_access(c, p, e->op == TRACE_EVENT_WRITE, e->site, e->object, trace_masked(e->value, (unsigned)e->size),
                            (unsigned)e->size);
  }
  if (plain && !e->size && !e->sequence && e->op == TRACE_RECORDED_BRANCH && !e->object) return trace_put_branch(c, p, e->site, e->value);
  if (e->op == TRACE_RECORDED_BRANCH && trace_is_use(e)) return trace_put_use(c, p, e->site, e->value, (uint32_t)e->value2);
  if (plain && !e->size && e->sequence && !e->value && (e->op == TRACE_EVENT_ACQUIRE || e->op == TRACE_EVENT_RELEASE)) {
    return trace_put_short(c, p, e->op == TRACE_EVENT_ACQUIRE ? TRACE_CODE_ACQUIRE : TRACE_CODE_RELEASE, e->site, e->object, e->sequence,
                           0);
  }
  return trace_put_any(c, p, e);
}

enum trace_record { TRACE_RECORD_BAD, TRACE_RECORD_EVENT, TRACE_RECORD_TIME };

static inline const unsigned char *trace_get_site(struct trace_coder *c, unsigned head, const unsigned char *p) {
  uint64_t step = 2;
  if (!(head & TRACE_SITE_NEXT)) p = trace_get_number(p, &step);
  c->site += (uint32_t)trace_unfolded(step);
  return p;
}

static inline const unsigned char *trace_get_object(struct trace_guess_site *s, unsigned head, const unsigned char *p) {
  if (!(head & TRACE_OBJECT_GUESSED)) {
    p = trace_get_number(p, &s->step);
    s->step = trace_unfolded(s->step);
  }
  s->object += s->step;
  return p;
}

static inline const unsigned char *trace_get_value(struct trace_coder *c, struct trace_guess_site *s, unsigned head, const unsigned char *p,
                                                   uint64_t *value, unsigned size) {
  struct trace_guess_object *o = trace_guess_object(c, s->object);
  uint64_t difference = 0;
  if (!(head & TRACE_VALUE_GUESSED)) p = trace_get_number(p, &difference);
  *value = trace_masked(trace_guess(o, s, s->object) + trace_unfolded(difference), size);
  s->value = *value;
  *o = (struct trace_guess_object){s->object, *value};
  return p;
}

static inline const unsigned char *trace_get_any(struct trace_coder *c, unsigned head, const unsigned char *p, struct trace_event *e) {
  unsigned fields = p[2];
  uint64_t number;
  e->op = p[1];
  p = trace_get_site(c, head, p + 3);
  struct trace_guess_site *s = trace_guess_site(c, c->site);
  p = trace_get_object(s, head, p);
  if (fields & TRACE_FLAGS) e->flags = *p++;
  if (fields & TRACE_ORDER) e->order = *p++;
  if (fields & TRACE_SIZE) p = trace_get_number(p, &e->size);
  if (fields & TRACE_VALUE) p = trace_get_number(p, &e->value);
  if (fields & TRACE_VALUE2) p = trace_get_number(p, &e->value2);
  if (fields & TRACE_SEQUENCE) p = trace_get_value(c, s, head, p, &e->sequence, 0);
  if (fields & TRACE_SEQUENCE2) {
    p = trace_get_number(p, &number);
    e->sequence2 = number;
  }
  e->site = c->site;
  e->object = s->object;
  return p;
}

static inline const unsigned char *trace_get_branch(struct trace_coder *c, unsigned head, const unsigned char *p, struct trace_event *e) {
  uint64_t difference = 0;
  p = trace_get_site(c, head, p);
  struct trace_guess_site *s = trace_guess_site(c, c->site);
  if (!(head & TRACE_VALUE_GUESSED)) p = trace_get_number(p, &difference);
  e->op = TRACE_RECORDED_BRANCH;
  e->site = c->site;
  e->value = s->value += trace_unfolded(difference);
  if ((head & 31) != TRACE_CODE_USE) return p;
  p = trace_get_number(p, &difference);
  e->object = e->value;
  e->value2 = (uint32_t)(c->site - (uint32_t)trace_unfolded(difference));
  return p;
}

static inline const unsigned char *trace_get_short(struct trace_coder *c, unsigned head, const unsigned char *p, struct trace_event *e) {
  unsigned code = head & 31;
  p = trace_get_site(c, head, p);
  struct trace_guess_site *s = trace_guess_site(c, c->site);
  p = trace_get_object(s, head, p);
  e->site = c->site;
  e->object = s->object;
  if (code >= TRACE_CODE_ACQUIRE) {
    e->op = code == TRACE_CODE_ACQUIRE ? TRACE_EVENT_ACQUIRE : TRACE_EVENT_RELEASE;
    return trace_get_value(c, s, head, p, &e->sequence, 0);
  }
  e->op = code < TRACE_CODE_WRITE ? TRACE_EVENT_READ : TRACE_EVENT_WRITE;
  e->size = 1u << ((code - 1) & 3);
  return trace_get_value(c, s, head, p, &e->value, (unsigned)e->size);
}

/* Decodes the record at `*p`, where TRACE_EVENT_MOST bytes can be read (what is behind the end may be anything: the caller compares `*p`
 * with the end). EVENT: sets `*e`. TIME: c->time. BAD: bytes that nobody writes. Flags and order are not checked. */
static inline enum trace_record trace_get(struct trace_coder *c, const unsigned char **p, struct trace_event *e) {
  unsigned head = **p, code = head & 31;
  if (code == 0 || code > TRACE_CODE_USE) return TRACE_RECORD_BAD;
  if (code == TRACE_CODE_TIME) {
    uint64_t step;
    *p = trace_get_number(*p + 1, &step);
    c->time += step;
    return TRACE_RECORD_TIME;
  }
  *e = (struct trace_event){0};
  if (code == TRACE_CODE_ANY)
    *p = trace_get_any(c, head, *p, e);
  else if (code == TRACE_CODE_BRANCH || code == TRACE_CODE_USE)
    *p = trace_get_branch(c, head, *p + 1, e);
  else
    *p = trace_get_short(c, head, *p + 1, e);
  return e->op > 0 && e->op < TRACE_OPS ? TRACE_RECORD_EVENT : TRACE_RECORD_BAD;
}

/* SV-COMP's nondeterministic values: __VERIFIER_nondet_int() and so on. Each call gives the thread its next input (symbolic/input.c).
 * Where that is not wanted (machine->nondet), it is a choice among a few values of the type, the ones at which programs break most often;
 * if those are not all values of the type, a remark makes the verdict BOUNDED. __VERIFIER_nondet_bool() is a choice in any case. */
#include <stdlib.h>
#include <string.h>

#include "machine/interpret/slots.h"
#include "machine/library/system.h"
#include "machine/remark.h"
#include "machine/symbolic/symbolic.h"
#include "machine/sync/table.h"

enum domain { DOMAIN_BOOL, DOMAIN_SIGNED, DOMAIN_UNSIGNED, DOMAIN_POINTER, DOMAIN_FLOAT, DOMAIN_DOUBLE };

/* clang-format off */
#define NONDET_LIST(X) \
  /* name, values explored, bits */ \
  X(bool, DOMAIN_BOOL, 1)               /* 0 1 */ \
  X(_Bool, DOMAIN_BOOL, 1) \
  X(char, DOMAIN_SIGNED, 8)             /* 0 1 -1 least greatest */ \
  X(schar, DOMAIN_SIGNED, 8) \
  X(short, DOMAIN_SIGNED, 16) \
  X(int, DOMAIN_SIGNED, 32) \
  X(long, DOMAIN_SIGNED, 64) \
  X(longlong, DOMAIN_SIGNED, 64) \
  X(int128, DOMAIN_SIGNED, 128) \
  X(loff_t, DOMAIN_SIGNED, 64) \
  X(S8, DOMAIN_SIGNED, 8) \
  X(uchar, DOMAIN_UNSIGNED, 8)          /* 0 1 greatest */ \
  X(unsigned_char, DOMAIN_UNSIGNED, 8) \
  X(ushort, DOMAIN_UNSIGNED, 16) \
  X(unsigned_short, DOMAIN_UNSIGNED, 16) \
  X(uint, DOMAIN_UNSIGNED, 32) \
  X(unsigned, DOMAIN_UNSIGNED, 32) \
  X(unsigned_int, DOMAIN_UNSIGNED, 32) \
  X(ulong, DOMAIN_UNSIGNED, 64) \
  X(unsigned_long, DOMAIN_UNSIGNED, 64) \
  X(ulonglong, DOMAIN_UNSIGNED, 64) \
  X(uint128, DOMAIN_UNSIGNED, 128) \
  X(size_t, DOMAIN_UNSIGNED, 64) \
  X(sector_t, DOMAIN_UNSIGNED, 64) \
  X(pthread_t, DOMAIN_UNSIGNED, 64) \
  X(u8, DOMAIN_UNSIGNED, 8) \
  X(U8, DOMAIN_UNSIGNED, 8) \
  X(u16, DOMAIN_UNSIGNED, 16) \
  X(U16, DOMAIN_UNSIGNED, 16) \
  X(u32, DOMAIN_UNSIGNED, 32) \
  X(U32, DOMAIN_UNSIGNED, 32) \
  X(u64, DOMAIN_UNSIGNED, 64) \
  X(U64, DOMAIN_UNSIGNED, 64) \
  X(pointer, DOMAIN_POINTER, 64)        /* NULL */ \
  X(pchar, DOMAIN_POINTER, 64) \
  X(float, DOMAIN_FLOAT, 32)            /* 0 1 -1 */ \
  X(double, DOMAIN_DOUBLE, 64)
/* clang-format on */

static unsigned domain_size(enum domain domain) {
  static const uint8_t sizes[] = {
      [DOMAIN_BOOL] = 2, [DOMAIN_SIGNED] = 5, [DOMAIN_UNSIGNED] = 3, [DOMAIN_POINTER] = 1, [DOMAIN_FLOAT] = 3, [DOMAIN_DOUBLE] = 3};
  return sizes[domain];
}

/* Value number i of a domain of integers. */
static u128 integer_value(enum domain domain, unsigned bits, uint64_t i) {
  u128 all = bits == 128 ? ~(u128)0 : ((u128)1 << bits) - 1;
  if (i < 2) return i;
  if (domain == DOMAIN_UNSIGNED || i == 2) return all;
  return i == 3 ? all ^ (all >> 1) : all >> 1;
}

/* "__VERIFIER_nondet_int#2": the thread's second call of the function. */
static void call_name(const struct machine *m, const struct thread *t, const char *function, struct text *out) {
  size_t n = strlen(function);
  unsigned long before = 0;
  for (size_t i = m->given.count; i-- > 0 && !before;) {
    const char *name = (const char *)m->input.data + m->given.data[i].name;
    if (m->given.data[i].thread == t->tid && strncmp(name, function, n) == 0 && name[n] == '#') before = strtoul(name + n + 1, NULL, 10);
  }
  text_printf(out, "%s#%lu", function, before + 1);
}

/* An exploration ends executions that ask for ever. */
static enum run input(struct machine *m, struct thread *t, const char *function, size_t size, uint64_t *result) {
  if (!machine_visible(m, t, EVENT_CHOICE, 0, 1, 0, true)) return RUN_YIELD;
  if (symbolic_asks_too_often(m, t, NONDET_MOST)) return input_stop(m, t);
  struct text name = {0};
  call_name(m, t, function, &name);
  const struct given *given = input_give(m, t, text_str(&name), size, true);
  text_release(&name);
  memcpy(result, m->input.data + given->bytes, size);
  vec_last(&m->trace).value = result[0];
  if (size > sizeof *result) vec_last(&m->trace).value2 = result[1];
  t->wrote = true;
  if (m->symbolic) symbolic_gives(m, given);
  return RUN_GO;
}

/* Value number i of a domain, in a slot or two. */
static void sampled_value(enum domain domain, unsigned bits, uint64_t i, uint64_t *result) {
  double real = i == 2 ? -1 : (double)i;
  if (domain == DOMAIN_FLOAT) {
    result[0] = float_slot((float)real);
  } else if (domain == DOMAIN_DOUBLE) {
    result[0] = double_slot(real);
  } else {
    u128 value = integer_value(domain, bits, i);
    result[0] = (uint64_t)value;
    if (bits == 128) result[1] = (uint64_t)(value >> 64);
  }
}

static enum run nondet(struct machine *m, struct thread *t, const char *function, enum domain domain, unsigned bits, uint64_t *result) {
  if (m->nondet && domain != DOMAIN_BOOL) return input(m, t, function, bits / 8, result);
  uint64_t i;
  enum run run = system_choose(m, t, domain_size(domain), &i);
  if (run != RUN_GO) return run;
  if (domain != DOMAIN_BOOL) remark(m, t, REMARK_SAMPLED);
  sampled_value(domain, bits, i, result);
  return RUN_GO;
}

#define X(name, domain, bits) \
  static BUILTIN(nondet_##name) { return nondet(m, t, "__VERIFIER_nondet_" #name, domain, bits, result); }
NONDET_LIST(X)
#undef X

const struct builtin nondet_builtins[] = {
#define X(name, domain, bits) {"__VERIFIER_nondet_" #name, nondet_##name, 0},
    NONDET_LIST(X)
#undef X
        {0},
};

/* The function's row; false: there is none. */
static bool find_domain(const char *name, enum domain *domain, unsigned *bits) {
  static const struct {
    uint8_t domain, bits;
  } rows[] = {
#define X(name, domain, bits) {domain, bits},
      NONDET_LIST(X)
#undef X
  };
  for (size_t i = 0; nondet_builtins[i].name; i++) {
    if (strcmp(nondet_builtins[i].name, name) != 0) continue;
    *domain = (enum domain)rows[i].domain, *bits = rows[i].bits;
    return true;
  }
  return false;
}

static bool is_sampled(const char *name) {
  enum domain domain;
  unsigned bits;
  return find_domain(name, &domain, &bits) && domain != DOMAIN_BOOL;
}

bool machine_nondet(const struct machine *m, const char *function, const struct event *e, struct machine_nondet *to) {
  static const enum nondet_kind kinds[] = {
      [DOMAIN_BOOL] = NONDET_UNSIGNED,   [DOMAIN_SIGNED] = NONDET_SIGNED, [DOMAIN_UNSIGNED] = NONDET_UNSIGNED,
      [DOMAIN_POINTER] = NONDET_POINTER, [DOMAIN_FLOAT] = NONDET_FLOAT,   [DOMAIN_DOUBLE] = NONDET_DOUBLE};
  enum domain domain;
  unsigned bits;
  if (e->op != EVENT_CHOICE || !find_domain(function, &domain, &bits)) return false;
  uint64_t value[2] = {e->value, e->value2};
  if (!m->nondet || domain == DOMAIN_BOOL) sampled_value(domain, bits, e->value, value);
  if (bits <= 64) value[1] = 0;
  if (bits < 64) value[0] &= (1ull << bits) - 1;
  *to = (struct machine_nondet){.kind = kinds[domain], .bits = bits, .low = value[0], .high = value[1]};
  return true;
}

bool image_asks_nondet(const struct image *image) {
  for (uint32_t i = 0; i < image->nexterns; i++)
    if (is_sampled(image_string(image, image->externs[i].name))) return true;
  return false;
}

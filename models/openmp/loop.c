/* Loops whose iterations belong to threads from the start: schedule(static), and sections. */
#include "internal.h"

/* Which iterations are a thread's: `count` from number `first` on, and again from every `stride` iterations behind them. */
struct share {
  uint64_t first, count, stride;
  bool last; /* is the last iteration among them? */
};

static bool is_distribution(int32_t schedule) { return schedule == DISTRIBUTE_CHUNKED || schedule == DISTRIBUTE; }

/* Equal parts, as far as possible; the first threads have one iteration more. */
static struct share blocks(unsigned number, unsigned size, uint64_t trip) {
  uint64_t part = trip / size, more = trip % size, count = part + (number < more);
  uint64_t first = number * part + (number < more ? number : more);
  return (struct share){count ? first : trip, count, trip, count && first + count == trip};
}

void __hd_omp_blocks(unsigned number, unsigned size, uint64_t trip, uint64_t *first, uint64_t *count) {
  struct share s = blocks(number, size, trip);
  *first = s.first, *count = s.count;
}

static struct share chunks(unsigned number, unsigned size, uint64_t trip, uint64_t chunk) {
  if (chunk > trip) chunk = trip;
  return (struct share){number * chunk, chunk, size * chunk, number == (trip - 1) / chunk % size};
}

/* Equal parts, whose sizes are multiples of a vector's. */
static struct share vectors(unsigned number, unsigned size, uint64_t trip, uint64_t vector) {
  uint64_t part = ((trip + size - 1) / size + vector - 1) / vector * vector, first = number * part;
  if (first >= trip) return (struct share){trip, 0, trip, false};
  return (struct share){first, part < trip - first ? part : trip - first, trip, number == (trip - 1) / part};
}

static struct share share_of(int32_t schedule, unsigned number, unsigned size, uint64_t trip, uint64_t chunk) {
  switch (schedule & ~SCHEDULE_MODIFIERS) {
    case SCHEDULE_STATIC:
    case DISTRIBUTE:
      return blocks(number, size, trip);
    case SCHEDULE_STATIC_CHUNKED:
    case DISTRIBUTE_CHUNKED:
      return chunks(number, size, trip, chunk);
    case SCHEDULE_STATIC_SIMD:
      return vectors(number, size, trip, chunk);
    default:
      __hd_unsupported("OpenMP", "a loop whose schedule is not known");
  }
}

#define TYPE     int32_t
#define UNSIGNED uint32_t
#define NAME(x)  x##4
#include "loop_static.h"

#define TYPE     uint32_t
#define UNSIGNED uint32_t
#define NAME(x)  x##4u
#include "loop_static.h"

#define TYPE     int64_t
#define UNSIGNED uint64_t
#define NAME(x)  x##8
#include "loop_static.h"

#define TYPE     uint64_t
#define UNSIGNED uint64_t
#define NAME(x)  x##8u
#include "loop_static.h"

void __kmpc_for_static_fini(ident_t *where, int32_t gtid) {}
void __kmpc_distribute_static_fini(ident_t *where, int32_t gtid) {}

/* What clang calls around a loop that is dealt out, for one type of its counter: TYPE, its UNSIGNED twin, NAME(f) (dispatch.c). */

void NAME(__kmpc_dispatch_init_)(ident_t *where, int32_t gtid, int32_t schedule, TYPE lower, TYPE upper, TYPE step, TYPE chunk) {
  bool empty = step > 0 ? upper < lower : lower < upper;
  UNSIGNED trip = empty      ? 0
                  : step > 0 ? (UNSIGNED)(upper - lower) / (UNSIGNED)step + 1
                             : (UNSIGNED)(lower - upper) / ((UNSIGNED)0 - (UNSIGNED)step) + 1;
  begin(where, schedule, trip, (int64_t)chunk);
  self.loop.lower = (uint64_t)lower, self.loop.step = (uint64_t)step;
}

int32_t NAME(__kmpc_dispatch_next_)(ident_t *where, int32_t gtid, int32_t *last, TYPE *lower, TYPE *upper, TYPE *stride) {
  const struct own_loop *loop = &self.loop;
  uint64_t first, count;
  if (!next_chunk(&first, &count)) return 0;
  *lower = (TYPE)(loop->lower + first * loop->step);
  *upper = (TYPE)(loop->lower + (first + count - 1) * loop->step);
  if (stride) *stride = (TYPE)loop->step;
  if (last) *last = first + count == loop->trip;
  return 1;
}

void NAME(__kmpc_dispatch_fini_)(ident_t *where, int32_t gtid) { end_iteration(); }

#undef TYPE
#undef UNSIGNED
#undef NAME

/* schedule(static) for one type of loop counters: TYPE, its UNSIGNED twin, and NAME(f) for the functions (loop.c). The bounds are
 * inclusive; each thread is told its own, and how far apart its chunks are. */

static void NAME(deal_)(int32_t schedule, unsigned number, unsigned size, int32_t *last, TYPE *lower, TYPE *upper, TYPE *stride, TYPE step,
                        TYPE chunk) {
  UNSIGNED trip =
      step > 0 ? (UNSIGNED)(*upper - *lower) / (UNSIGNED)step + 1 : (UNSIGNED)(*lower - *upper) / ((UNSIGNED)0 - (UNSIGNED)step) + 1;
  struct share s = share_of(schedule, number, size, trip, chunk < 1 ? 1 : (uint64_t)chunk);
  *upper = (TYPE)((UNSIGNED)*lower + (UNSIGNED)(s.first + s.count - 1) * (UNSIGNED)step);
  *lower = (TYPE)((UNSIGNED)*lower + (UNSIGNED)s.first * (UNSIGNED)step);
  *stride = (TYPE)((UNSIGNED)s.stride * (UNSIGNED)step);
  if (last) *last = s.last;
}

void NAME(__kmpc_for_static_init_)(ident_t *where, int32_t gtid, int32_t schedule, int32_t *last, TYPE *lower, TYPE *upper, TYPE *stride,
                                   TYPE step, TYPE chunk) {
  if (step > 0 ? *upper < *lower : *lower < *upper) {
    if (last) *last = 0;
    *stride = step;
    return;
  }
  unsigned number = self.number, size = team_size();
  if (is_distribution(schedule)) number = 0, size = 1;
  NAME(deal_)(schedule, number, size, last, lower, upper, stride, step, chunk);
}

#undef TYPE
#undef UNSIGNED
#undef NAME

/* What only one thread of a team does, or one at a time: single, masked, critical, reductions. */
#include "internal.h"

int32_t __kmpc_master(ident_t *where, int32_t gtid) { return self.number == 0; }
void __kmpc_end_master(ident_t *where, int32_t gtid) {}
int32_t __kmpc_masked(ident_t *where, int32_t gtid, int32_t filter) { return (int32_t)self.number == filter; }
void __kmpc_end_masked(ident_t *where, int32_t gtid) {}

/* Whoever comes first to the n-th one of the team. */
int32_t __kmpc_single(ident_t *where, int32_t gtid) {
  uint32_t entered = self.singles++;
  if (team_size() == 1) return 1;
  return __atomic_compare_exchange_n(&self.team->singles, &entered, entered + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
void __kmpc_end_single(ident_t *where, int32_t gtid) {}

/* The thread that was in the single region tells the others what it has for their own variables. */
void __kmpc_copyprivate(ident_t *where, int32_t gtid, size_t size, void *data, void (*copy)(void *to, void *from), int32_t is_single) {
  if (team_size() == 1) return;
  if (is_single) self.team->copied = data;
  __hd_omp_barrier();
  if (!is_single) copy(data, self.team->copied);
  __hd_omp_barrier();
}

void __kmpc_critical(ident_t *where, int32_t gtid, critical_name *name) { __hd_critical_enter(name); }
void __kmpc_critical_with_hint(ident_t *where, int32_t gtid, critical_name *name, uint32_t hint) { __kmpc_critical(where, gtid, name); }
void __kmpc_end_critical(ident_t *where, int32_t gtid, critical_name *name) { __hd_critical_leave(name); }

/* Each thread adds its part in a critical section: 1 says so to the code that clang has made for it. Who is alone needs none. */
int32_t __kmpc_reduce_nowait(ident_t *where, int32_t gtid, int32_t count, size_t size, void *data, void (*reduce)(void *, void *),
                             critical_name *name) {
  if (team_size() > 1) __kmpc_critical(where, gtid, name);
  return 1;
}
void __kmpc_end_reduce_nowait(ident_t *where, int32_t gtid, critical_name *name) {
  if (team_size() > 1) __kmpc_end_critical(where, gtid, name);
}

/* Nobody sees the result before all have added their part: clang's code has no barrier of its own. */
int32_t __kmpc_reduce(ident_t *where, int32_t gtid, int32_t count, size_t size, void *data, void (*reduce)(void *, void *),
                      critical_name *name) {
  return __kmpc_reduce_nowait(where, gtid, count, size, data, reduce, name);
}
void __kmpc_end_reduce(ident_t *where, int32_t gtid, critical_name *name) {
  __kmpc_end_reduce_nowait(where, gtid, name);
  __hd_omp_barrier();
}

void __kmpc_flush(ident_t *where) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/* Calls of externs: functions that neither the program nor the library models define. */
#include "machine/internal.h"

enum run builtin_call(struct machine *m, struct thread *t, uint32_t i, const uint64_t *args, uint32_t nargs, uint64_t *result) {
  const struct extern_binding *binding = &m->externs[i];
  if (__builtin_expect(binding->run && nargs >= binding->params, 1)) return binding->run(m, t, args, nargs, result);
  if (binding->native) return native_call(m, t, i, args, nargs, result);
  if (!binding->run) return builtin_unbound(m, t, i);
  return machine_fail(m, t, FINDING_OUT_OF_BOUNDS, "call", "%s called with too few arguments",
                      image_string(m->image, m->image->externs[i].name));
}

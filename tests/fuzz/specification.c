/* Specifications of methods: base/spec.c. */
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static struct spec spec;
  char error[SPEC_ERROR] = "", *text = malloc(n + 1);
  memcpy(text, data, n);
  text[n] = 0;
  memset(&spec, 0, sizeof spec);
  if (spec_read(&spec, text, "F", error)) {
    MUST(spec.nobjects <= SPEC_OBJECTS && spec.nactions <= SPEC_ACTIONS);
    for (unsigned i = 0; i < spec.nactions; i++) {
      const struct spec_action *a = &spec.actions[i];
      MUST(spec_find(&spec, a->name.at, a->name.length) == a && a->object < spec.nobjects && a->on < SPEC_PARAMETERS);
      for (unsigned k = 0; k < a->ntouches; k++)
        MUST(a->touches[k].point < spec.objects[a->object].npoints && a->touches[k].value < SPEC_PARAMETERS);
    }
    for (unsigned i = 0; i < spec.npairs; i++) {
      struct spec_invocation u = {.method = spec.pairs[i].methods[0], .n = SPEC_PARAMETERS, .results = true}, v = u;
      v.method = spec.pairs[i].methods[1];
      MUST(u.method < spec.nmethods && v.method < spec.nmethods && spec_commute(&spec, &u, &v, NULL) <= SPEC_ASYMMETRIC);
    }
  } else {
    MUST(strncmp(error, "F:", 2) == 0 && strlen(error) < SPEC_ERROR);
  }
  free(text);
  return 0;
}

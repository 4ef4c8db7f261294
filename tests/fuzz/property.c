/* Properties that users write: src/property. */
#include <stdlib.h>
#include <string.h>

#include "property/property.h"
#include "target.h"

static void check(const struct property *p) {
  MUST(p->cases.count > 0 && p->cases.count <= PROPERTY_CASES && p->nparameters <= PROPERTY_PARAMETERS);
  for (size_t i = 0; i < p->cases.count; i++) {
    const struct property_case *c = &p->cases.data[i];
    MUST(c->natoms > 0 && c->natoms <= PROPERTY_ATOMS && c->nabsences <= PROPERTY_ABSENCES);
    for (unsigned k = 0; k < c->natoms; k++) {
      const struct property_atom *a = &c->atoms[k];
      MUST(a->event < p->events.count && a->thread < p->nthreads && a->begins < p->nregions && a->ends < p->nregions);
      MUST(a->before >> k == 0 && !(a->parallel >> k & 1) && a->parallel >> c->natoms == 0);
    }
    for (unsigned k = 0; k < c->nabsences; k++)
      MUST(c->absences[k].atom < c->natoms && c->absences[k].event < p->events.count && !(c->absences[k].since >> c->absences[k].atom & 1));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  struct properties all = {0};
  struct diag d = {0};
  char *text = malloc(n + 1);
  memcpy(text, data, n);
  text[n] = 0;
  if (properties_read(&all, text, "F", &d)) {
    MUST(all.list.count == 0 && strncmp(text_str(&d.message), "F:", 2) == 0);
  } else {
    for (size_t i = 0; i < all.list.count; i++) check(&all.list.data[i]);
  }
  properties_release(&all);
  diag_release(&d);
  free(text);
  return 0;
}

#include "report/location.h"

#include "report/symbol.h"

struct location location_of(uintptr_t address, const struct origin *then) {
  struct location l = {0};
  if (!address) return l;
  struct origin o = then && (then->site || then->start) ? *then : origin_of(address, ORIGIN_FAR);
  l.descriptor = descriptor_of(address);
  if (l.descriptor >= 0) {
    l.kind = LOCATION_DESCRIPTOR;
    l.site = o.site;
    return l;
  }
  if (o.start)
    l.kind = LOCATION_HEAP, l.start = o.start, l.site = o.site;
  else if (symbol_of_data(address, &l.name, &l.start, &l.size, &l.module))
    l.kind = LOCATION_GLOBAL;
  return l;
}

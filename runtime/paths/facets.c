/* C++'s library keeps which characters are what in other character sets, and asks the first time that one is written: by branches in its
 * headers, which are a part of the program. Where the run is repeated, all is known from the start (models/libcxx/ctype.cc); so it is here.
 */
#include <dlfcn.h>

#include "paths/paths.h"

static void *function(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  if (!found) dlerror(); /* that is not the program's */
  return found;
}

void facets_fill(void) {
  const void *(*classic)(void);                                   /* std::locale::classic() */
  const void *(*facet_of)(const void *locale);                    /* std::use_facet<std::ctype<char>>() */
  void (*widen)(const void *facet), (*narrow)(const void *facet); /* std::ctype<char>::_M_widen_init(), _M_narrow_init() */
  *(void **)&classic = function("_ZNSt6locale7classicEv");
  *(void **)&facet_of = function("_ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale");
  *(void **)&widen = function("_ZNKSt5ctypeIcE13_M_widen_initEv");
  *(void **)&narrow = function("_ZNKSt5ctypeIcE14_M_narrow_initEv");
  if (!classic || !facet_of || !widen || !narrow) return;
  const void *facet = facet_of(classic());
  widen(facet);
  narrow(facet);
}

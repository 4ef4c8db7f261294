/* The ids of the facets that Heddle knows, as constants: by their symbols, because the headers give templates' ids no value. Ids count
 * from 1: 0 is "none yet". */
#include "facet.h"

#define FACET_ID(name, symbol, index)     \
  extern "C" size_t name __asm__(symbol); \
  constinit size_t name = (index) + 1;

FACET_ID(ctype_char_id, "_ZNSt5ctypeIcE2idE", heddle::FACET_CTYPE)
FACET_ID(codecvt_char_id, "_ZNSt7codecvtIcc11__mbstate_tE2idE", heddle::FACET_CODECVT)
FACET_ID(collate_char_id, "_ZNSt7__cxx117collateIcE2idE", heddle::FACET_COLLATE)
FACET_ID(num_put_char_id, "_ZNSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE2idE", heddle::FACET_NUM_PUT)
FACET_ID(numpunct_char_id, "_ZNSt7__cxx118numpunctIcE2idE", heddle::FACET_NUMPUNCT)
FACET_ID(num_get_char_id, "_ZNSt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE2idE", heddle::FACET_NUM_GET)
FACET_ID(timepunct_char_id, "_ZNSt11__timepunctIcE2idE", heddle::FACET_TIMEPUNCT)
FACET_ID(time_get_char_id, "_ZNSt7__cxx118time_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE2idE", heddle::FACET_TIME_GET)
FACET_ID(time_put_char_id, "_ZNSt8time_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE2idE", heddle::FACET_TIME_PUT)

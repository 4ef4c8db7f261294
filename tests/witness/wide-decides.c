/* As wide.c, but the reader decides by the value: so the section that wrote it comes first, and there is no race.
 * confirms: */

#define DECIDES
#include "wide.c"

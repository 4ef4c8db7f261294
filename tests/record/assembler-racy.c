/* predicts: data-race 1 */
#define RACY
#include "assembler.c"

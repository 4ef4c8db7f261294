/* What an object that is no memory of the program tells in a trace: as if each thread that hands on added 1 to a variable that those read
 * who take (record.h). All 0 at first. */
#pragma once
#include <stdint.h>

struct told {
  uint64_t events, times; /* so far; of them, handed on */
  uint32_t process;       /* in which; a child of fork() counts anew */
};

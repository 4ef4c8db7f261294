/* The findings that were told, or are not to be, by keys whose last two bits are flags. Any thread looks; one at a time adds. */
#pragma once
#include "base.h"

/* A key's last bits: it is there, and that it was suppressed. */
enum { TOLD = 1, TOLD_SUPPRESSED = 2, TOLD_FLAGS = 3 };

/* The key with the flags that it was added with; 0 if it was not. */
uint64_t told_find(uint64_t key);
/* Makes room for two more keys. False if there is no memory for them. */
bool told_room(void);
/* Takes room; a key that is there has these flags from now on. */
void told_add(uint64_t key, uint64_t flags);

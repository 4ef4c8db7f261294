#include "report/names.h"

#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "report/place.h"

static const char heap[] = "heap block of ";

/* The number of the block, a new one if it was not met before: another block may have been at the address. */
static size_t number_of(struct names *names, uint64_t address, const char *origin) {
  for (size_t i = 0; i < names->blocks.count; i++)
    if (names->blocks.data[i].address == address && strcmp(text_str(&names->blocks.data[i].origin), origin) == 0) return i + 1;
  struct named_block *block = vec_push(&names->blocks);
  *block = (struct named_block){.address = address};
  text_puts(&block->origin, origin);
  return names->blocks.count;
}

/* "8 bytes from config.c:18:22 +4": cuts the offset off and returns it. */
static int64_t cut_offset(char *s) {
  char *blank = strrchr(s, ' ');
  if (!blank || (blank[1] != '+' && blank[1] != '-')) return 0;
  *blank = 0;
  return strtoll(blank + 1, NULL, 10);
}

void names_object_text(struct names *names, const struct machine *m, uint64_t address, uint64_t size, struct text *out) {
  struct text full = {0}, origin = {0};
  machine_object_text(m, address, size, &full);
  if (names && strncmp(text_str(&full), heap, sizeof heap - 1) == 0) {
    int64_t offset = cut_offset(full.data);
    names_relative(full.data + sizeof heap - 1, &origin);
    text_printf(out, "block %zu", number_of(names, address - (uint64_t)offset, text_str(&origin)));
    if (offset) text_printf(out, "%+lld", (long long)offset);
  } else {
    char *inside = full.count ? strstr(full.data, ".__") : NULL; /* of a mutex or the like: nobody knows its members */
    if (inside) *inside = 0;
    names_relative(text_str(&full), out);
  }
  text_release(&full);
  text_release(&origin);
}

void names_legend(const struct names *names, struct text *out) {
  for (size_t i = 0; i < names->blocks.count; i++)
    text_printf(out, "  block %zu is a heap block of %s\n", i + 1, text_str(&names->blocks.data[i].origin));
}

void names_release(struct names *names) {
  for (size_t i = 0; i < names->blocks.count; i++) text_release(&names->blocks.data[i].origin);
  vec_release(&names->blocks);
}

void names_relative(const char *s, struct text *out) {
  size_t n;
  const char *here = place_here(&n);
  for (const char *at = n > 1 ? strstr(s, here) : NULL; at; at = strstr(at, here)) {
    at += n;
    if (*at != '/') continue; /* another folder, whose name begins so */
    text_append(out, s, (size_t)(at - s) - n);
    s = ++at;
  }
  text_puts(out, s);
}

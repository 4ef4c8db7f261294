#include "debug/code_map.h"

#include <elf.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "program/elf_file.h"
#include "program/image.h"
#include "program/lower/data/debug_file.h"

/* Bytes of machine code before a function's first word. */
#define PROLOGUE_MOST 64u

enum err code_map_open(struct code_map *map, const struct image *image, const char *path, struct diag *d) {
  struct text bytes = {0};
  struct elf elf;
  *map = (struct code_map){.image = image};
  enum err e = file_read(path, FILE_PROGRAM, &bytes, d);
  if (e == ERR_NONE) e = elf_read(&elf, path, bytes.data, bytes.count, d);
  struct elf_section table = {0};
  for (size_t i = 0; e == ERR_NONE && i < elf.nsections; i++) {
    struct elf_section section = elf_section(&elf, i);
    if (strcmp(section.name, DEBUG_FILE_CODE) == 0) table = section;
    if (strcmp(section.name, DEBUG_FILE_RESULTS) == 0 && section.data) text_append(&map->results, (const char *)section.data, section.size);
    if (!(section.flags & SHF_EXECINSTR) || !section.data || section.size < map->bytes.count) continue;
    text_clear(&map->bytes); /* the largest one: another has DEBUG_FILE_START alone */
    text_append(&map->bytes, (const char *)section.data, section.size);
    map->address = section.address;
  }
  if (e == ERR_NONE && (!table.data || table.size != 8ull * (image->nfunctions + 1) || map->results.count != image->nfunctions))
    e = diag_set(d, ERR_FORMAT, "%s is not the debugger's file of this program", path);
  if (e == ERR_NONE) {
    map->first = mem_alloc((image->nfunctions + 1) * sizeof *map->first);
    memcpy(map->first, table.data, table.size);
  }
  text_release(&bytes);
  return e;
}

void code_map_close(struct code_map *map) {
  if (map->first) mem_free(map->first, (map->image->nfunctions + 1) * sizeof *map->first);
  map->first = NULL;
  text_release(&map->bytes);
  text_release(&map->results);
}

bool code_byte(const struct code_map *map, uint64_t address, uint8_t *byte) {
  if (address < map->address || address - map->address >= map->bytes.count) return false;
  *byte = (uint8_t)map->bytes.data[address - map->address];
  return true;
}

uint64_t code_address(const struct code_map *map, uint32_t function, uint32_t code) {
  return map->first[function] + (code - map->image->functions[function].code);
}

uint32_t code_at(const struct code_map *map, uint64_t address) {
  uint32_t low = 0, high = map->image->nfunctions; /* the compiler leaves functions in their order */
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (map->first[middle] + map->image->functions[middle].ncode <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == map->image->nfunctions || address + PROLOGUE_MOST < map->first[low]) return UINT32_MAX;
  const struct image_function *f = &map->image->functions[low];
  return address < map->first[low] ? f->code : f->code + (uint32_t)(address - map->first[low]);
}

/* Writes the bitcode of one module that an ELF file carries to standard output. usage: unpack FILE INDEX */
#include <stdio.h>
#include <stdlib.h>

#include "program/bundle.h"

int main(int argc, char **argv) {
  struct bundle b = {0};
  struct text out = {0};
  struct diag d = {0};
  if (argc != 3) return 2;
  size_t index = (size_t)atoi(argv[2]);
  enum err e = bundle_read(&b, argv[1], &d);
  for (size_t i = 0; e == ERR_NONE && i < b.records.count; i++)
    if (b.records.data[i].record.kind == EMBED_MODULE && index-- == 0) e = embed_unpack(argv[1], &b.records.data[i].record, &out, &d);
  fwrite(text_str(&out), 1, out.count, stdout);
  if (e != ERR_NONE) fprintf(stderr, "unpack: %s\n", text_str(&d.message));
  text_release(&out);
  bundle_release(&b);
  diag_release(&d);
  return e == ERR_NONE ? 0 : 2;
}

/* The compiler commands and `show` alone, so that this suite needs nothing else of Heddle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cc.h"
#include "program/bundle.h"
#include "program/show.h"

static int show(const char *path) {
  struct text out = {0};
  struct diag d = {0};
  enum err e = program_show(path, &out, &d);
  fputs(text_str(&out), stdout);
  if (e != ERR_NONE) fprintf(stderr, "heddle: %s\nhint: %s\n", text_str(&d.message), text_str(&d.hint));
  text_release(&out);
  diag_release(&d);
  return e == ERR_NONE ? 0 : 2;
}

/* Writes the bitcode of module `index` to standard output. */
static int unpack(const char *path, size_t index) {
  struct bundle b = {0};
  struct text out = {0};
  struct diag d = {0};
  enum err e = bundle_read(&b, path, &d);
  for (size_t i = 0; e == ERR_NONE && i < b.records.count; i++)
    if (b.records.data[i].record.kind == EMBED_MODULE && index-- == 0) e = embed_unpack(path, &b.records.data[i].record, &out, &d);
  fwrite(text_str(&out), 1, out.count, stdout);
  if (e != ERR_NONE) fprintf(stderr, "heddle: %s\n", text_str(&d.message));
  text_release(&out);
  bundle_release(&b);
  diag_release(&d);
  return e == ERR_NONE ? 0 : 2;
}

int main(int argc, char **argv) {
  if (argc >= 2 && strcmp(argv[1], "cc") == 0) return cli_cc(argc - 1, argv + 1, false);
  if (argc >= 2 && strcmp(argv[1], "c++") == 0) return cli_cc(argc - 1, argv + 1, true);
  if (argc == 3 && strcmp(argv[1], "show") == 0) return show(argv[2]);
  if (argc == 4 && strcmp(argv[1], "unpack") == 0) return unpack(argv[2], (size_t)atoi(argv[3]));
  fputs("usage: driver cc|c++ ARGUMENT...\n       driver show FILE\n       driver unpack FILE INDEX\n", stderr);
  return 2;
}

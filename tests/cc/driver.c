/* The compiler commands and `show` alone, so that this suite needs nothing else of Heddle. */
#include <stdio.h>
#include <string.h>

#include "cli/cc.h"
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

int main(int argc, char **argv) {
  if (argc >= 2 && strcmp(argv[1], "cc") == 0) return cli_cc(argc - 1, argv + 1, false);
  if (argc >= 2 && strcmp(argv[1], "c++") == 0) return cli_cc(argc - 1, argv + 1, true);
  if (argc == 3 && strcmp(argv[1], "show") == 0) return show(argv[2]);
  fputs("usage: driver cc|c++ ARGUMENT...\n       driver show FILE\n", stderr);
  return 2;
}

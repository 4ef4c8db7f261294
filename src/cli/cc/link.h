/* Linking programs that `heddle run` watches, and `heddle link`. */
#pragma once
#include "program/args.h"
#include "program/install.h"

/* What a command line says about it. */
struct link_kind {
  bool carried;    /* -static-libsan: the runtime becomes a part of the program */
  bool library;    /* -shared, or -r: the program will have the runtime */
  bool standalone; /* -static */
};
/* True if the word was such a one that is not for the compiler. */
bool link_kind_read(struct link_kind *kind, const char *word);
/* The words for the linker; the runtime is in `folder`. ERR_UNSUPPORTED for -static. */
[[nodiscard]] enum err link_words(const struct link_kind *kind, const char *folder, struct args *out, struct diag *d);

/* Links objects that any compiler made with -fsanitize=thread. The process becomes the linking compiler. */
int cli_link(int argc, char **argv);

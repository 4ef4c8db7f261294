#include "cli/cc/link.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cc/sanitizers.h"

bool link_kind_read(struct link_kind *kind, const char *word) {
  if (strcmp(word, "-shared") == 0 || strcmp(word, "-r") == 0) kind->library = true;
  if (strcmp(word, "-static") == 0 || strcmp(word, "-static-pie") == 0) kind->standalone = true;
  bool carried = strcmp(word, "-static-libsan") == 0 || strcmp(word, "-static-libtsan") == 0;
  kind->carried |= carried;
  return carried;
}

enum err link_words(const struct link_kind *kind, const char *folder, struct args *out, struct diag *d) {
  if (kind->standalone && !kind->library) {
    diag_hint(d, "leave -static out; -static-libsan makes the runtime alone a part of the program");
    return diag_set(d, ERR_UNSUPPORTED, "a program that is linked with -static cannot be watched: the runtime stands before the C library");
  }
  if (kind->carried) {
    if (kind->library) return ERR_NONE;
    args_addf(out, "%s/libheddle-run.o", folder);
    args_addf(out, "-Wl,--dynamic-list=%s/libheddle-run.list", folder);
    args_add(out, "-lpthread"), args_add(out, "-ldl");
    return ERR_NONE;
  }
  args_addf(out, "-Wl,-rpath,%s", folder);
  args_addf(out, "-Wl,--no-as-needed,%s/libtsan.so.2,--as-needed", folder);
  return ERR_NONE;
}

static int complain(const struct diag *d) {
  fprintf(stderr, "heddle: link: %s\n", text_str(&d->message));
  if (d->hint.count) fprintf(stderr, "heddle: hint: %s\n", text_str(&d->hint));
  return 2;
}

static bool read_sanitizers(struct sanitizers *s, const char *word, struct args *to) {
  struct text rest = {0};
  bool is_one = sanitizers_read(s, word, &rest);
  if (rest.count) args_add(to, text_str(&rest));
  text_release(&rest);
  return is_one;
}

int cli_link(int argc, char **argv) {
  static const char with[] = "--with=";
  struct install install = {0};
  struct text folder = {0};
  struct diag d = {0};
  struct args rest = {0}, words = {0}, command = {0};
  struct link_kind kind = {0};
  struct sanitizers sanitizers = {0};
  install_find_compilers(&install);
  const char *compiler = text_str(&install.clangxx);
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], with, strlen(with)) == 0)
      compiler = argv[i] + strlen(with);
    else if (!link_kind_read(&kind, argv[i]) && !read_sanitizers(&sanitizers, argv[i], &rest))
      args_add(&rest, argv[i]);
  }
  enum err e = sanitizers_check(&sanitizers, &d);
  if (e == ERR_NONE) e = install_find_runtime(&folder, &d);
  if (e == ERR_NONE && rest.list.count == 0) e = diag_set(&d, ERR_USAGE, "there is nothing to link");
  if (e == ERR_NONE) e = link_words(&kind, text_str(&folder), &words, &d);
  int code = e == ERR_NONE ? 0 : complain(&d);
  if (code == 0) {
    args_add(&command, compiler);
    args_append(&command, &words);
    args_append(&command, &rest);
    args_add(&command, "-Wl,--as-needed"); /* C++'s own libraries, which come behind, only if they are used */
    execvp(compiler, args_argv(&command));
    diag_set(&d, ERR_TOOL, "cannot run %s: %s", compiler, strerror(errno));
    code = complain(&d);
  }
  args_release(&rest), args_release(&words), args_release(&command);
  text_release(&folder);
  install_release(&install);
  diag_release(&d);
  return code;
}

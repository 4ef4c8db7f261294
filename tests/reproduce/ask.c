/* Asks Z3 whether the scripts can be satisfied: prints "sat" or "unsat" for each, or what else Z3 says. usage: ask FILE.. */
#include <stdio.h>
#include <stdlib.h>
#include <z3.h>

static char *contents(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f) perror(path), exit(2);
  size_t n = 0, room = 1 << 20;
  char *text = malloc(room);
  while (text) {
    n += fread(text + n, 1, room - n - 1, f);
    if (n < room - 1) break;
    text = realloc(text, room *= 2);
  }
  if (!text) perror(path), exit(2);
  text[n] = 0;
  fclose(f);
  return text;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    char *script = contents(argv[i]);
    Z3_config config = Z3_mk_config();
    Z3_context context = Z3_mk_context(config);
    fputs(Z3_eval_smtlib2_string(context, script), stdout);
    Z3_del_context(context);
    Z3_del_config(config);
    free(script);
  }
  return 0;
}

// output: native
// args: one two=2 -x
// Command-line arguments.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  printf("%d %d\n", argc, argv[argc] == 0);
  for (int i = 1; i < argc; i++) printf("%s %zu\n", argv[i], strlen(argv[i]));
  return argc;
}

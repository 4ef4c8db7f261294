// output: native
// The environment that a program sets itself, and the ways to end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  printf("%d\n", getenv("HEDDLE_TEST_NAME") == 0);
  setenv("HEDDLE_TEST_NAME", "value", 1);
  setenv("HEDDLE_TEST_NAME", "other", 0);
  printf("%s\n", getenv("HEDDLE_TEST_NAME"));
  unsetenv("HEDDLE_TEST_NAME");
  printf("%d\n", getenv("HEDDLE_TEST_NAME") == 0);
  fprintf(stderr, "to stderr\n");
  fflush(stdout);
  _Exit(4);
}

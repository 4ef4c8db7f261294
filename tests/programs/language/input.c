// output: native
// input: 3 apples and 4 pears; the rest of the line
// Standard input: scanf, getchar, fgets.
#include <stdio.h>

int main(void) {
  int a = 0, b = 0;
  char what[16] = "", line[80];
  printf("%d\n", scanf("%d %15s and %d", &a, what, &b));
  printf("%d %s %d\n", a, what, b);
  int c = getchar();
  ungetc('_', stdin);
  printf("%d\n", c);
  while (fgets(line, 10, stdin)) printf("<%s>", line);
  printf("%d %d\n", getchar() == EOF, feof(stdin) != 0);
  return 0;
}

/* The matcher of regular expressions of "Beautiful Code", chapter 1, as in KLEE's tutorial: any expression of SIZE - 1 bytes, a text that is
 * known. */
#include <heddle.h>
#ifndef SIZE
#define SIZE 8
#endif

static int match_here(const char *expression, const char *text);

static int match_star(int c, const char *expression, const char *text) {
  do {
    if (match_here(expression, text)) return 1;
  } while (*text != '\0' && (*text++ == c || c == '.'));
  return 0;
}

static int match_here(const char *expression, const char *text) {
  if (expression[0] == '\0') return 0;
  if (expression[1] == '*') return match_star(expression[0], expression + 2, text);
  if (expression[0] == '$' && expression[1] == '\0') return *text == '\0';
  if (*text != '\0' && (expression[0] == '.' || expression[0] == *text)) return match_here(expression + 1, text + 1);
  return 0;
}

static int match(const char *expression, const char *text) {
  if (expression[0] == '^') return match_here(expression + 1, text);
  do {
    if (match_here(expression, text)) return 1;
  } while (*text++ != '\0');
  return 0;
}

int main(void) {
  char expression[SIZE];
  hd_symbolic(expression, sizeof expression, "expression");
  expression[SIZE - 1] = '\0';
  return match(expression, "hello");
}

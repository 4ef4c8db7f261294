/* A parser of arithmetic, and its value: any text of SIZE bytes. Division by 0 is seen to, but for -DWRONG. */
#include <heddle.h>
#ifndef SIZE
#define SIZE 8
#endif

static const char *at;
static int wrong;

static unsigned long sum(void);

static unsigned long operand(void) {
  unsigned long value = 0;
  if (*at == '(') {
    at++;
    value = sum();
    if (*at++ != ')') wrong = 1, at--;
    return value;
  }
  if (*at < '0' || *at > '9') wrong = 1;
  while (*at >= '0' && *at <= '9') value = value * 10 + (unsigned long)(*at++ - '0');
  return value;
}

static unsigned long product(void) {
  unsigned long value = operand();
  while (!wrong && (*at == '*' || *at == '/')) {
    char operator= *at++;
    unsigned long by = operand();
    if (operator== '*')
      value *= by;
#ifndef WRONG
    else if (by == 0)
      wrong = 1;
#endif
    else
      value /= by;
  }
  return value;
}

static unsigned long sum(void) {
  unsigned long value = product();
  while (!wrong && (*at == '+' || *at == '-')) value = *at++ == '+' ? value + product() : value - product();
  return value;
}

int main(void) {
  char text[SIZE + 1];
  hd_symbolic(text, SIZE, "text");
  text[SIZE] = '\0';
  at = text;
  return sum() > 100 && !wrong && !*at;
}

// output: native
// A small interpreter with computed goto; labels in a table; switch with ranges and fall-through.
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, JNZ, DEC, PRINT, HALT };

static long interpret(const int *code) {
  static const void *const labels[] = {&&push, &&add, &&mul, &&dup, &&jnz, &&dec, &&print, &&halt};
  long stack[16];
  int top = 0;
  const int *pc = code;
#define NEXT goto *labels[*pc++]
  NEXT;
push:
  stack[top++] = *pc++;
  NEXT;
add:
  top--;
  stack[top - 1] += stack[top];
  NEXT;
mul:
  top--;
  stack[top - 1] *= stack[top];
  NEXT;
dup:
  stack[top] = stack[top - 1];
  top++;
  NEXT;
jnz:
  if (stack[top - 1]) pc = code + *pc;
  else pc++;
  NEXT;
dec:
  stack[top - 1]--;
  NEXT;
print:
  printf("%ld\n", stack[top - 1]);
  NEXT;
halt:
  return stack[0];
}

static const char *classify(int n) {
  switch (n) {
    case -100 ... -1: return "negative";
    case 0: return "zero";
    case 1:
    case 2:
    case 3: n *= 10; __attribute__((fallthrough));
    case 4: return n > 4 ? "few" : "four";
    case 1000000: return "million";
    default: return "many";
  }
}

int main(void) {
  const int program[] = {PUSH, 5, PRINT, DEC, JNZ, 2, PUSH, 7, DUP, MUL, PRINT, ADD, HALT};
  printf("%ld\n", interpret(program));
  for (int i = -2; i < 7; i++) printf("%s ", classify(i));
  printf("%s\n", classify(1000000));
  return 0;
}

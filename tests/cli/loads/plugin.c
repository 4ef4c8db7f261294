/* A library for loads.sh: it needs `program_value` of the program, and has names that the program has, too. */
#include <stdio.h>
int counter = 5;
static int hidden;
__thread int local = 7;
extern int program_value;
__attribute__((constructor)) static void begin(void) {
  printf("begin %d\n", counter);
  program_value++;
}
__attribute__((destructor)) static void end(void) { printf("end %d\n", counter); }
int add(int n) {
  hidden += n;
  local++;
  return counter += n;
}
int shared(void) { return hidden; }

/* What the racing read sees makes its thread fail at once, in the same step: in the witness of the race the other access has to come first. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
static int a;
static jmp_buf returned;
static __attribute__((noinline)) int fill(void) { return setjmp(returned); }
static void *first(void *x) {
  a = 3, a = 2;
  return x; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  if (!fill())
    if (a) longjmp(returned, 1);
  a = 1;
  pthread_join(t, 0);
  printf("%d\n", a);
  return 0; }

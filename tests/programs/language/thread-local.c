// output: native
// Thread-local variables with initial values, pointers to them, and several threads in turn.
#include <pthread.h>
#include <stdio.h>

static _Thread_local int counter = 10;
static __thread char name[8] = "main";
static _Thread_local int *pointer;

static void *work(void *argument) {
  pointer = &counter;
  *pointer += *(int *)argument;
  name[0] = (char)('A' + *(int *)argument);
  printf("%d %s\n", counter, name);
  return (void *)(long)counter;
}

int main(void) {
  static int n[3] = {1, 2, 3};
  counter = 99;
  for (int i = 0; i < 3; i++) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, &n[i]);
    pthread_join(t, &result);
    printf("%ld\n", (long)result);
  }
  printf("%d %s %d\n", counter, name, pointer == 0);
  return 0;
}

/* A loop of longjmp(). */
#include <pthread.h>
#include <setjmp.h>
static jmp_buf there;
static void *jump(void *a) {
  setjmp(there);
  longjmp(there, 1);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, jump, 0);
  pthread_join(t, 0);
  return 0;
}

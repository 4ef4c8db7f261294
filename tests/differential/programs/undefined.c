/* What thread 0 copies to `b` was never written. To the model it is 0, as `b` was before: a witness may have the other thread read it and go
 * on, where the machine ends the execution. */
#include <pthread.h>
static int a, b;
static void *first(void *x) {
  {
    int y;
    if (b) y = 1;
    b = 3;
  }
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  {
    int y;
    b = y;
  }
  b = 2;
  pthread_join(t, 0);
  return a;
}

/* finds: nothing. Neighbouring bytes, halves and bit-free fields of one word are different variables. */
#include <pthread.h>
#include <string.h>

static struct {
  _Alignas(8) char c[3];
  char d;
  short s;
  short t;
} word;
static int halves[2];
static char text[32];

static void *low(void *argument) {
  for (int i = 0; i < 100; i++) word.c[i % 3] = 1, word.s = (short)i, halves[0] += i;
  memset(text, 'a', 13);
  return argument;
}
static void *high(void *argument) {
  for (int i = 0; i < 100; i++) word.d = 1, word.t = (short)i, halves[1] += i;
  memset(text + 13, 'b', 19);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, low, NULL);
  pthread_create(&b, NULL, high, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}

/* finds: data race A A. once. Words whose bytes are touched at different places, in more combinations than can be kept: places stay known. */
#include <pthread.h>
#include <stdint.h>

enum { WORDS = 1800000 };
static int counter;
static volatile char words[WORDS][8] __attribute__((aligned(8)));

#define TOUCH(n) \
  static void touch_##n(volatile char *p) { *p = n; }
TOUCH(1)
TOUCH(2)
TOUCH(3)
TOUCH(4)
TOUCH(5) TOUCH(6) TOUCH(7)
    TOUCH(8) static void (*const touches[])(volatile char *) = {touch_1, touch_2, touch_3, touch_4, touch_5, touch_6, touch_7, touch_8};

static void *count(void *argument) {
  for (int i = 0; i < 100; i++) counter++; /* @A */
  return argument;
}

int main(void) {
  uint64_t random = 88172645463325252;
  for (int i = 0; i < WORDS; i++) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    for (unsigned k = 0; k < 8; k++) touches[random >> (8 + 3 * k) & 7](&words[i][(random + k * (random >> 3 | 1)) & 7]);
  }
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}

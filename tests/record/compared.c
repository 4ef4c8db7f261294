/* predicts: data-race 2
 * Comparisons of a few bytes, which compilers make without a call: what they read is recorded, which is all up to the first difference. */
#include <pthread.h>
#include <string.h>
#include <strings.h>

static char first[16] = "0123456789abcde", other[8] = "01234567", wanted[16] = "0123456789abcde";
static int equal;

static void *writes(void *unused) {
  first[3] = '3'; /* a race with memcmp() */
  other[2] = '2'; /* and one with bcmp() */
  return unused;
}

static void *compares(void *unused) {
  equal += !memcmp(first, wanted, sizeof first);
  equal += bcmp(other, wanted, sizeof other) == 0;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writes, NULL);
  pthread_create(&b, NULL, compares, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return equal != 2;
}

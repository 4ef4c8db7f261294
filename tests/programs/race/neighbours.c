// Neighbouring bytes of one word are separate locations.
// verdict: SAFE
// executions: 1 dpor
#include <pthread.h>

static char bytes[4];

static void *writer(void *at) {
  *(char *)at = 1;
  return 0;
}

int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, writer, &bytes[i]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return bytes[0] + bytes[1] + bytes[2] + bytes[3] - 4;
}

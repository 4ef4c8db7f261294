// A four-byte write overlaps a one-byte read of its last byte.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static union {
  unsigned word;
  unsigned char bytes[8];
} cell;

#ifdef FIXED
#define BYTE 4
#else
#define BYTE 3
#endif

static void *writer(void *unused) {
  (void)unused;
  cell.word = 0x01020304;  // @A
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  unsigned char seen = cell.bytes[BYTE];  // @B
  pthread_join(t, 0);
  return seen > 4;
}

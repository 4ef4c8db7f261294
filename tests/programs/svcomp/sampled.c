// Inputs of which a few values are tried out of many: no verdict about the others. What has few values is tried with all of them.
// verdict: BOUNDED
// options: --data=sample
// case: symbolic
// verdict: BUG
// finding: assertion B
// case: workers
// options: --jobs=2
// verdict: BUG
// finding: assertion B
// case: tso
// memory: tso
// verdict: BUG
// finding: assertion B
// case: random-strategy
// options: --strategy=random --executions=20
// verdict: BOUNDED
// case: random -DRANDOM
// verdict: BOUNDED
// case: device -DDEVICE
// verdict: BOUNDED
// case: found -DFOUND
// verdict: BUG
// options: --data=sample
// finding: assertion A
// case: bool -DBOOL
// verdict: SAFE
// executions: 2
// case: none -DNONE
// verdict: SAFE
// executions: 1
#include <fcntl.h>
#include <heddle.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);

static int input(void) {
  int x = 0;
#if defined RANDOM
  if (getrandom(&x, sizeof x, 0) != sizeof x) exit(1);
#elif defined DEVICE
  int fd = open("/dev/urandom", O_RDONLY);
  if (read(fd, &x, sizeof x) != sizeof x) exit(1);
  close(fd);
#elif defined BOOL
  x = __VERIFIER_nondet_bool();
#elif defined NONE
  if (x) x = __VERIFIER_nondet_int(); /* never drawn */
  srand(7);
  x = rand(); /* the C library's sequence, which is no input */
#else
  x = __VERIFIER_nondet_int();
#endif
  return x;
}

int main(void) {
  int x = input();
#ifdef FOUND
  hd_assert(x != -1); // @A
#else
  hd_assert(x != 12345); // @B
#endif
  return 0;
}

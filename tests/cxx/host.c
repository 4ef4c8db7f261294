/* The machine's primitives on the host, for running the C++ models natively (run-native). */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../models/hd_model.h"

void __hd_await(int *word, int value, int next) {
  for (;;) {
    int expected = value;
    if (__atomic_compare_exchange_n(word, &expected, next, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
    sched_yield();
  }
}
void __hd_await_masked(const int *word, int mask, int value) {
  while ((__atomic_load_n(word, __ATOMIC_ACQUIRE) & mask) != value) sched_yield();
}
unsigned __hd_choose(unsigned n) { return n - 1; }
/* Of models/libc/random.c, which is not linked here. */
void __hd_random_bytes(void *to, size_t n);
void __hd_random_bytes(void *to, size_t n) {
  for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = (unsigned char)rand();
}
void __hd_output(int fd, const void *bytes, size_t n) {
  fflush(stdout);
  const char *at = bytes;
  while (n > 0) {
    ssize_t written = write(fd, at, n);
    if (written <= 0) abort();
    at += written;
    n -= (size_t)written;
  }
}
void __hd_fail(const char *kind, const char *message) {
  fflush(stdout);
  fprintf(stderr, "%s: %s\n", kind, message);
  _exit(1);
}
void __hd_unsupported(const char *name, const char *why) {
  fflush(stdout);
  fprintf(stderr, "%s is not supported: %s\n", name, why);
  _exit(2);
}

/* finds: use after close A B, data race C D; fixed: nothing. analysis: ovp. A descriptor that dup2() gave to another file is closed by a thread that takes it for the old one, what strerror_r() writes, a free() that the program asks to ignore, and ranges that cannot be unmapped. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "moment.h"

void AnnotateIgnoreWritesBegin(const char *, int);
void AnnotateIgnoreWritesEnd(const char *, int);

char text[64];
static int file;
static int *block;

static void *closes(void *argument) {
  moment_await(1);
#ifndef FIXED
  close(file); /* @A */
#endif
  return argument;
}

static void *describes(void *argument) {
  moment_await(2);
#ifndef FIXED
  strerror_r(-1, text, sizeof text); /* @C */
#endif
  strerror_r(1, text, sizeof text); /* has a text of its own */
  return argument;
}

static void *writes(void *argument) {
  *block = 1;
  moment_reach(3);
  return argument;
}

int main(void) {
  pthread_t t[3];
  int other = open("/dev/zero", O_RDONLY);
  file = open("/dev/null", O_RDONLY);
  block = malloc(64);
  pthread_create(&t[0], NULL, closes, NULL);
  pthread_create(&t[1], NULL, describes, NULL);
  pthread_create(&t[2], NULL, writes, NULL);
  if (dup2(other, file) != file) return 1; /* @B */
  moment_reach(1);
  strerror_r(-1, text, sizeof text); /* @D */
  moment_reach(2);
  moment_await(3);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  free(block);
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return munmap(page, 1ul << 60) == 0 || munmap(page, -8192ul) == 0;
}

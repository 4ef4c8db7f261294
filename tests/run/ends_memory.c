/* finds: data race A A; exits: 5. A program whose memory ends is told so, and goes on without: what watches it does too. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MUTEXES = 20000 };
static int counter, sums[MUTEXES];
static pthread_mutex_t mutexes[MUTEXES];

static void *count(void *argument) {
  for (int i = 0; i < 100; i++) counter++; /* @A */
  return argument;
}
static void *take(void *argument) {
  for (int i = 0; i < MUTEXES; i++) {
    pthread_mutex_lock(&mutexes[i]);
    sums[i]++;
    pthread_mutex_unlock(&mutexes[i]);
  }
  return argument;
}
/* A pipe orders it behind what comes before the end of memory, and behind that only the mutexes do. */
static int waited[2];
static void *take_later(void *argument) {
  char byte;
  return read(waited[0], &byte, 1) == 1 ? take(argument) : argument;
}

int main(void) {
  pthread_t a, b;
  volatile size_t most = SIZE_MAX / 4;
  void *volatile none[3] = {malloc(most), calloc(most, 1), realloc(NULL, most)};
  if (none[0] || none[1] || none[2] || errno != ENOMEM) return 1;
  for (int i = 0; i < MUTEXES; i++) pthread_mutex_init(&mutexes[i], NULL);
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (pipe(waited) != 0 || pthread_create(&a, NULL, take_later, NULL) != 0) return 1;
  struct rlimit limit = {1 << 20, 1 << 20};
  if (syscall(SYS_prlimit64, 0, RLIMIT_DATA, &limit, NULL) != 0) return 1; /* setrlimit() would leave room for what watches it */
  void **first = NULL;
  for (void **p; (p = malloc(10000)) != NULL; first = p) *p = first;
  if (errno != ENOMEM || !first) return 1;
  bool made = pthread_create(&b, NULL, take, NULL) == 0; /* if a stack is left over */
  if (write(waited[1], "", 1) != 1) return 1;
  take(NULL);
  pthread_join(a, NULL);
  if (made) pthread_join(b, NULL);
  while (first) {
    void **next = *first;
    free(first), first = next;
  }
  return 5;
}

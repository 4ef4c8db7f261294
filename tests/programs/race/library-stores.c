// What library functions read and write for the program are accesses like its own: another thread's plain access to it races.
//
// verdict: BUG
// finding: data-race other call
// case: output-dpor
// options: --strategy=dpor
// verdict: BUG
// finding: data-race other call
// case: output-fixed -DFIXED
// verdict: SAFE
// case: jump -DJUMP
// verdict: BUG
// finding: data-race other call
// case: jump-fixed -DJUMP -DFIXED
// verdict: SAFE
// case: join -DJOIN
// verdict: BUG
// finding: data-race other call
// case: join-fixed -DJOIN -DFIXED
// verdict: SAFE
// case: value -DVALUE
// verdict: BUG
// finding: data-race other call
// case: value-tso -DVALUE
// memory: tso
// verdict: BUG
// finding: data-race other call
// case: value-fixed -DVALUE -DFIXED
// verdict: SAFE
// case: fraction -DFRACTION
// verdict: BUG
// finding: data-race other call
// case: fraction-fixed -DFRACTION -DFIXED
// verdict: SAFE
// case: state -DSTATE
// verdict: BUG
// finding: data-race other call
// case: state-fixed -DSTATE -DFIXED
// verdict: SAFE
// case: block -DBLOCK
// verdict: BUG
// finding: data-race other call
// finding?: leak
// case: block-fixed -DBLOCK -DFIXED
// verdict: SAFE
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static union {
  char bytes[sizeof(jmp_buf)];
  void *pointer;
  int number;
  double fraction;
  jmp_buf buffer;
} memory;

static pthread_t helper;
static sem_t semaphore;
static volatile double number = 1.5;

#ifdef JUMP
#define CALL() setjmp(memory.buffer)
#elif defined JOIN
#define CALL() pthread_join(helper, &memory.pointer)
#elif defined VALUE
#define CALL() sem_getvalue(&semaphore, &memory.number)
#elif defined FRACTION
#define CALL() modf(number, &memory.fraction)
#elif defined STATE
#define CALL() pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &memory.number)
#elif defined BLOCK
#define CALL() posix_memalign(&memory.pointer, 16, 16)
#else
#define CALL() write(1, memory.bytes, 4)
#endif

static void *help(void *argument) { return argument; }

static void *other(void *unused) {
  (void)unused;
  memory.bytes[2] = 'b'; /* @other */
  return NULL;
}

int main(void) {
  pthread_t thread;
  memcpy(memory.bytes, "aaa\n", 4);
  pthread_create(&helper, NULL, help, NULL);
#ifndef JOIN
  pthread_join(helper, NULL);
#endif
  sem_init(&semaphore, 0, 1);
  pthread_create(&thread, NULL, other, NULL);
#ifdef FIXED
  pthread_join(thread, NULL);
#endif
  (void)!CALL(); /* @call */
#ifndef FIXED
  pthread_join(thread, NULL);
#endif
#if defined BLOCK && defined FIXED
  free(memory.pointer);
#endif
  return 0;
}

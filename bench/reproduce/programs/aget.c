/* A downloader in the shape of aget 0.4.1: each thread reads a part of a file, block by block, and counts what was written; a thread for
 * control, which aget's signal is for, stops them and keeps how far they came, so that the download can be taken up again. The machine has
 * no sockets: the blocks come from memory in place of a server on the loopback device.
 *
 * The bug: control reads `bwritten` without the lock, and then the threads' offsets, which they move outside of the lock: the sum that is
 * kept may not be that of the offsets.
 *
 * Natively: aget [BLOCKS] fails once in a thousand runs with 64 blocks: control comes at any time of the download. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { READERS = 2, BLOCK = 32, MOST = 1024 };

struct part {
  long begin, end;
  volatile long offset; /* where its next block goes to */
};

static unsigned char remote[READERS * MOST * BLOCK], file[READERS * MOST * BLOCK];
static struct part parts[READERS];
static pthread_mutex_t bwritten_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long bwritten;
static volatile int stop;
static struct { long bwritten, offsets[READERS]; } history;

static long receive(long offset, unsigned char *to, long most) {
  long n = most < BLOCK ? most : BLOCK;
  memcpy(to, remote + offset, (size_t)n);
  return n;
}

static void *download(void *argument) {
  struct part *p = argument;
  unsigned char block[BLOCK];
  while (p->offset < p->end && !stop) {
    long n = receive(p->offset, block, p->end - p->offset);
    memcpy(file + p->offset, block, (size_t)n);
    p->offset += n;
    pthread_mutex_lock(&bwritten_lock);
    bwritten += n;
    pthread_mutex_unlock(&bwritten_lock);
  }
  return argument;
}

static void *control(void *unused) {
  history.bwritten = bwritten;
  for (int i = 0; i < READERS; i++) history.offsets[i] = parts[i].offset;
  stop = 1;
  long sum = 0;
  for (int i = 0; i < READERS; i++) sum += history.offsets[i] - parts[i].begin;
  assert(sum == history.bwritten);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t reader[READERS], controller;
  long blocks = argc > 1 ? atol(argv[1]) : 8;
  if (blocks > MOST) blocks = MOST;
  for (long i = 0; i < READERS * blocks * BLOCK; i++) remote[i] = (unsigned char)(i * 7);
  for (int i = 0; i < READERS; i++) {
    parts[i].begin = parts[i].offset = i * blocks * BLOCK;
    parts[i].end = (i + 1) * blocks * BLOCK;
    pthread_create(&reader[i], 0, download, &parts[i]);
  }
  pthread_create(&controller, 0, control, 0);
  for (int i = 0; i < READERS; i++) pthread_join(reader[i], 0);
  pthread_join(controller, 0);
  return 0;
}

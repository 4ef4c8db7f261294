/* finds: data race A B; fixed: nothing. analysis: ovp. Two threads fill blocks and put them into slots under a lock. A third one asks for them
 * without it, again and again, and frees them, as pbzip2 0.9.4 did. Its reads race. But who frees a block has found it in its slot, so no free() comes
 * before what was written to the block, though in this run nothing but a lock orders the two. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCKS = 40, SIZE = 256 };

static pthread_mutex_t in = PTHREAD_MUTEX_INITIALIZER, out = PTHREAD_MUTEX_INITIALIZER;
static char **slots;
static int next, written;
static long sum;

static void *packs(void *argument) {
  for (;;) {
    pthread_mutex_lock(&in);
    int i = next < BLOCKS ? next++ : -1;
    pthread_mutex_unlock(&in);
    if (i < 0) return argument;
    char *block = malloc(SIZE);
    for (int k = 0; k < SIZE; k++) block[k] = (char)(i + k);
    pthread_mutex_lock(&out);
    slots[i] = block; /* @A */
    pthread_mutex_unlock(&out);
  }
}

static char *take(int i) {
#ifdef FIXED
  pthread_mutex_lock(&out);
#endif
  char *block = slots[i]; /* @B */
#ifdef FIXED
  pthread_mutex_unlock(&out);
#endif
  return block;
}

static void *writes(void *argument) {
  for (int i = 0; i < BLOCKS; i++) {
    char *block;
    while (!(block = take(i))) usleep(100);
    pthread_mutex_lock(&out);
    written++;
    pthread_mutex_unlock(&out);
    for (int k = 0; k < SIZE; k++) sum += block[k];
    free(block);
  }
  return argument;
}

int main(void) {
  pthread_t t[3];
  slots = calloc(BLOCKS, sizeof *slots);
  pthread_create(&t[2], NULL, writes, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, packs, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  free(slots);
  return sum == 0 || written != BLOCKS;
}

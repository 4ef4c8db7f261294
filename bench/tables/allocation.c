/* Allocation: two threads take and give back blocks of a vector. To find a free block is one section and to mark it allocated another,
 * so that both threads may find the same one: it is allocated twice, and given back twice. No access races. */
#include <heddle.h>
#include <pthread.h>

#ifndef BLOCKS
#define BLOCKS 4
#endif
#ifndef TAKEN
#define TAKEN 1 /* by each thread */
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int allocated[BLOCKS];

static int find_free(void) {
  int found = -1;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < BLOCKS && found < 0; i++)
    if (!allocated[i]) found = i;
  pthread_mutex_unlock(&lock);
  return found;
}

/* Whether the block was not yet what it is to become. */
static int change(int block, int to) {
  pthread_mutex_lock(&lock);
  int right = allocated[block] != to;
  allocated[block] = to;
  pthread_mutex_unlock(&lock);
  return right;
}

static void *user(void *unused) {
  (void)unused;
  int block[TAKEN];
  long errors = 0;
  for (int i = 0; i < TAKEN; i++) {
    block[i] = find_free();
    if (block[i] >= 0) errors += !change(block[i], 1);
  }
  for (int i = 0; i < TAKEN; i++)
    if (block[i] >= 0) errors += !change(block[i], 0);
  return (void *)errors;
}

int main(void) {
  pthread_t thread[2];
  void *errors[2];
  for (int i = 0; i < 2; i++) pthread_create(&thread[i], 0, user, 0);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], &errors[i]);
  hd_assert(!errors[0] && !errors[1]);
  return 0;
}

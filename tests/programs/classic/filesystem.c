// The file system of Flanagan and Godefroid, scaled: threads allocate blocks for inodes under per-inode and per-block locks.
// Threads beyond the number of inodes share them; two threads with different inodes and blocks do not meet: one trace.
// verdict: SAFE
// options: --strategy=dpor
// executions: 1
// case: shared -DN=5
// verdict: SAFE
// options: --strategy=dpor
// executions: 2
#include <pthread.h>

#define INODES 4
#define BLOCKS 13
#ifndef N
#define N 4
#endif

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static int inode[INODES], busy[BLOCKS];
static int names[N];

static void *create_file(void *argument) {
  int i = *(int *)argument % INODES;
  pthread_mutex_lock(&inode_locks[i]);
  if (inode[i] == 0) {
    int b = (i * 2) % BLOCKS;
    for (int taken = 0; !taken; b = (b + 1) % BLOCKS) {
      pthread_mutex_lock(&block_locks[b]);
      if (!busy[b]) {
        busy[b] = 1;
        inode[i] = b + 1;
        taken = 1;
      }
      pthread_mutex_unlock(&block_locks[b]);
    }
  }
  pthread_mutex_unlock(&inode_locks[i]);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_locks[i], 0);
  for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_locks[i], 0);
  for (int i = 0; i < N; i++) {
    names[i] = i;
    pthread_create(&t[i], 0, create_file, &names[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}

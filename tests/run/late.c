/* finds: use after free A B, use after free A C, use after free A D, use after free A E, use after free F G, use after free H I; fixed: nothing. Blocks that are used by who knows that they were freed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 5, LARGE = 60000, ROUNDS = 200 };
static char *volatile block[BLOCKS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int sum;

static void *use(void *argument) {
  (void)argument;
  pthread_mutex_lock(&mutex);
#ifndef FIXED
  sum += block[2][3]; /* @D */
#endif
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void *fill(void *argument) {
  char more[3000];
  memset(more, 1, sizeof more);
  for (int i = 0; i < ROUNDS; i++) {
    char *mine = malloc((size_t)(16 + i * 40)), *larger;
    memset(mine, i, (size_t)(16 + i * 40));
    larger = realloc(mine, (size_t)(2000 + i * 400));
    larger[1999] = more[i];
    free(larger);
  }
  return argument;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < BLOCKS; i++) {
    block[i] = malloc(i == BLOCKS - 1 ? LARGE : 40);
    strcpy(block[i], "text");
  }
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < BLOCKS - 1; i++) free(block[i]); /* @A */
  pthread_mutex_unlock(&mutex);
#ifndef FIXED
  sum += block[0][0];                   /* @B */
  __atomic_fetch_add(block[1] + 8, 1, __ATOMIC_RELAXED); /* @C */
  block[1][8] = 1;                      /* told once */
  write(-1, block[3], 8);        /* @E */
#endif
  pthread_create(&t[0], NULL, use, NULL);
  pthread_join(t[0], NULL);
  free(block[4]); /* @F */
#ifndef FIXED
  block[4][100] = 1; /* @G */
#endif
  block[0] = malloc(40), block[1] = block[0];
  block[1] = realloc(block[1], 4000); /* @H */
#ifndef FIXED
  block[0][1] = 1; /* @I */
#endif
  block[1][1] = 1;
  free(block[1]);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, fill, NULL); /* the same memory, for new blocks, and stacks */
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}

/* A grid is smoothed in rounds between barriers: rows belong to threads, and their borders are read by the neighbours. */
#include "native.h"

enum { N = 512, ROUNDS = 40 };
static float grid[2][N][N];
static pthread_barrier_t barrier;

static void work(unsigned me, unsigned threads) {
  unsigned from = N / threads * me, to = me + 1 == threads ? N : from + N / threads;
  for (unsigned round = 0; round < ROUNDS; round++) {
    float(*old)[N] = grid[round % 2], (*new)[N] = grid[1 - round % 2];
    for (unsigned i = from ? from : 1; i < (to < N ? to : N - 1); i++)
      for (unsigned j = 1; j < N - 1; j++) new[i][j] = 0.25f * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]);
    pthread_barrier_wait(&barrier);
  }
}

int main(int argc, char **argv) {
  unsigned threads = native_threads(argc, argv);
  pthread_barrier_init(&barrier, NULL, threads);
  for (unsigned i = 0; i < N; i++) grid[0][i][0] = grid[1][i][0] = 100;
  native_run(work, threads);
  return grid[0][1][1] <= 0;
}

/* predicts: data-race 1
 * unexplained: 1000000
 * A pair that two threads copy without a lock: that is a race. Its values are not recorded, so nothing says which copy was first. What the
 * reader does because of them comes behind what the writer did before: that is none. */
#include <pthread.h>

enum { ROUNDS = 20000 };
#define BARRIER() __asm__ volatile("" ::: "memory")

struct pair {
  long round, twice;
};
struct pair shared;
int data[ROUNDS + 1];
static pthread_barrier_t start;

__attribute__((noinline)) static void put(const struct pair *from) { shared = *from; }
__attribute__((noinline)) static void get(struct pair *to) { *to = shared; }

static void *writes(void *unused) {
  pthread_barrier_wait(&start);
  for (long i = 1; i <= ROUNDS; i++) {
    struct pair now = {i, 2 * i};
    data[i] = 1;
    BARRIER();
    put(&now);
    BARRIER();
  }
  return unused;
}

static void *reads(void *unused) {
  pthread_barrier_wait(&start);
  for (long last = 0; last < ROUNDS;) {
    struct pair now;
    get(&now);
    BARRIER();
    if (now.round != last && now.twice == 2 * now.round) data[now.round] = 2, last = now.round;
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&start, NULL, 2);
  pthread_create(&a, NULL, writes, NULL);
  pthread_create(&b, NULL, reads, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data[ROUNDS] != 2;
}

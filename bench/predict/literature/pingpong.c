/* After "pingpong" of the IBM benchmark: players share one ball, which the one who plays takes away and puts back. Nobody else may look
 * meanwhile, but they do. Points are counted under a lock. */
#include "shared.h"

#define PLAYERS 4
#define ROUNDS  2

struct ball {
  int hits, last;
};

static struct ball the_ball;
static struct ball *volatile ball = &the_ball;
static int points, missed;
static pthread_mutex_t score = PTHREAD_MUTEX_INITIALIZER;

static void count_point(int self) {
  pthread_mutex_lock(&score);
  points++;
  pthread_mutex_unlock(&score);
  the_ball.last = self;
}

static void play(int self) {
  struct ball *b = ball;
  ball = NULL; /* others find none */
  if (b)
    b->hits++;
  else
    missed++;
  count_point(self);
  ball = &the_ball;
}

static void *player(void *argument) {
  for (int i = 0; i < ROUNDS; i++) play(number_of(argument));
  return NULL;
}

int main(void) {
  run_all(player, PLAYERS);
  printf("%d hits, %d points, %d missed, last %d\n", the_ball.hits, points, missed, the_ball.last);
  return 0;
}

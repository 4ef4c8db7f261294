/* PingPong: PLAYERS threads play with one shared player, which one more thread takes away while they do: the test and the use see
 * different values, and a null pointer is dereferenced. The accesses race. */
#include <pthread.h>
#include <stddef.h>

#ifndef PLAYERS
#define PLAYERS 4
#endif

struct player {
  int bounces;
};

static struct player ball;
static struct player *player = &ball;

static void *play(void *unused) {
  (void)unused;
  if (player) player->bounces++;
  return 0;
}

static void *take_away(void *unused) {
  (void)unused;
  player = NULL;
  return 0;
}

int main(void) {
  pthread_t thread[PLAYERS + 1];
  for (int i = 0; i < PLAYERS; i++) pthread_create(&thread[i], 0, play, 0);
  pthread_create(&thread[PLAYERS], 0, take_away, 0);
  for (int i = 0; i <= PLAYERS; i++) pthread_join(thread[i], 0);
  return 0;
}

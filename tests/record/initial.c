/* predicts: null-dereference 2
 * Pointers that are used before they may be there: of a variable and of a block that begin as zeros. The third one was set before. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct config {
  int level;
};
struct server {
  struct config *config;
  int n;
};
struct server *server;
struct config *fallback, *early, other = {3};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *config_of(int level) {
  struct config *c = malloc(sizeof *c);
  c->level = level;
  return c;
}
static void *init(void *argument) {
  struct config *one = config_of(3), *two = config_of(4);
  pthread_mutex_lock(&lock);
  server->config = one;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  fallback = two, early = &other;
  pthread_mutex_unlock(&lock);
  return argument;
}
static void *use(void *argument) {
  usleep(200000); /* the other is done, however busy the computer is: else it crashes */
  pthread_mutex_lock(&lock);
  struct config *one = server->config;
  pthread_mutex_unlock(&lock);
  printf("%d\n", one->level);
  pthread_mutex_lock(&lock);
  struct config *two = fallback;
  pthread_mutex_unlock(&lock);
  printf("%d\n", two->level);
  pthread_mutex_lock(&lock);
  struct config *three = early;
  pthread_mutex_unlock(&lock);
  printf("%d\n", three->level);
  return argument;
}
int main(void) {
  pthread_t t[2];
  server = calloc(1, sizeof *server);
  early = config_of(5);
  pthread_create(&t[0], NULL, init, NULL);
  pthread_create(&t[1], NULL, use, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return 0;
}

/* A server reads its configuration while a reload replaces it: the old one is freed as soon as the new one is in place, whoever may
 * still be using it.
 *
 *     heddle check config.c
 *     heddle check -DFIXED config.c       (readers are counted, under a lock) */
#include <pthread.h>
#include <stdlib.h>

struct config {
  int users; /* protected by `lock` */
  int limit;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *current;

static struct config *config_new(int limit) {
  struct config *c = malloc(sizeof *c);
  if (!c) abort();
  c->users = 1; /* being the current one */
  c->limit = limit;
  return c;
}

static struct config *config_take(void) {
  pthread_mutex_lock(&lock);
  struct config *c = current;
  c->users++;
  pthread_mutex_unlock(&lock);
  return c;
}

static void config_drop(struct config *c) {
  pthread_mutex_lock(&lock);
#ifdef FIXED
  int last = --c->users == 0;
#else
  int last = c != current;
#endif
  pthread_mutex_unlock(&lock);
  if (last) free(c);
}

static void *serve(void *unused) {
  (void)unused;
  struct config *c = config_take();
  int limit = c->limit;
  config_drop(c);
  return limit > 20 ? c : NULL;
}

static void *reload(void *unused) {
  (void)unused;
  struct config *next = config_new(20);
  pthread_mutex_lock(&lock);
  struct config *old = current;
  current = next;
  pthread_mutex_unlock(&lock);
  config_drop(old);
  return NULL;
}

int main(void) {
  pthread_t server, reloader;
  current = config_new(10);
  pthread_create(&server, NULL, serve, NULL);
  pthread_create(&reloader, NULL, reload, NULL);
  pthread_join(server, NULL);
  pthread_join(reloader, NULL);
  config_drop(current);
  return 0;
}

/* tries: use after free A B; fixed: nothing. That there is a file says that the use is over, which no rule sees: it cannot happen. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char name[] = "over-XXXXXX", made[32];
static int *x, used;

static void *uses(void *argument) {
  pthread_mutex_lock(&m);
  *x = 1; /* @A */
#ifdef FIXED
  used = 1;
#endif
  pthread_mutex_unlock(&m);
  link(name, made);
  return argument;
}

static void *ends(void *argument) {
  while (access(made, F_OK) != 0) usleep(1000);
  pthread_mutex_lock(&m);
#ifdef FIXED
  if (used)
#endif
    free(x); /* @B */
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  x = malloc(sizeof *x);
  close(mkstemp(name));
  for (int i = 0; i == 0 || name[i - 1]; i++) made[i] = name[i];
  made[4] = 'M';
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  unlink(name), unlink(made);
  return used - used;
}

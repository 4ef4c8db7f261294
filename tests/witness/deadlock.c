/* Two threads take two locks in opposite orders, one long after the other; they also write to a file.
 * confirms: deadlock 1 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int done;

static void *one(void *file) {
  pthread_mutex_lock(&a);
  fprintf(file, "one has a\n");
  pthread_mutex_lock(&b);
  done++;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}
static void *two(void *file) {
  usleep(20000);
  pthread_mutex_lock(&b);
  fprintf(file, "two has b\n");
  pthread_mutex_lock(&a);
  done++;
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  FILE *f = tmpfile();
  pthread_t x, y;
  pthread_create(&x, NULL, one, f);
  pthread_create(&y, NULL, two, f);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  fclose(f);
  return done != 2;
}

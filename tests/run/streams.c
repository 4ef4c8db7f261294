/* finds: use after end A B, use after end C D; fixed: nothing. analysis: ovp. A stream and a directory that are closed while they may still
 * be used: with no lock, and under one that hides it. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static FILE *f;
static DIR *d;
static int written;

static void *uses(void *argument) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  rewinddir(d);
  telldir(d); /* @A */
#ifndef FIXED
  pthread_mutex_lock(&m);
#endif
  fprintf(f, "%s %d %g\n", "words", 1, 2.5); /* @C */
  if (fwrite("bytes\n", 1, 6, f) != 6) perror("fwrite");
  written = 1;
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return argument;
}

static void *ends(void *argument) {
  moment_await(1);
#ifdef FIXED
  pthread_mutex_lock(&m);
  while (!written) pthread_mutex_unlock(&m), usleep(1000), pthread_mutex_lock(&m);
#endif
  closedir(d); /* @B */
#ifndef FIXED
  pthread_mutex_lock(&m);
#endif
  fclose(f); /* @D */
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  f = fopen("/dev/null", "w");
  d = opendir("/");
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  f = fopen("/dev/null", "r"); /* may be at the same place */
  fgetc(f);
  fclose(f);
  return 0;
}

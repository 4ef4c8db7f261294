/* finds: nothing. analysis: ovp. What a stream writes to a pipe orders what another one reads from it. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static FILE *in, *out, *notes;
static int number;

static void *writer(void *argument) {
  fprintf(notes, "writes\n");
  number = 3;
  fprintf(out, "%s\n", "number");
  fflush(out);
  return argument;
}

static void *reader(void *argument) {
  char word[64];
  if (fscanf(in, "%63s", word) != 1 || number != 3) return NULL;
  fclose(notes);
  return argument;
}

int main(void) {
  pthread_t t, u;
  int ends[2];
  if (pipe(ends) != 0) return 1;
  in = fdopen(ends[0], "r"), out = fdopen(ends[1], "w"), notes = fopen("/dev/null", "w");
  pthread_create(&t, NULL, writer, NULL);
  pthread_create(&u, NULL, reader, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  fclose(in), fclose(out);
  return 0;
}

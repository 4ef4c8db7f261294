/* same-each-run
 * Memory that is copied and filled, strings, structures that are handed over by value, and what the C library reads and writes. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct large {
  long values[6];
};
struct odd {
  char text[5];
  short number;
} __attribute__((packed));
static char text[300], copy[300];
static struct large shared;
static struct odd odds[3];
__attribute__((noinline)) static struct large doubled(struct large l) {
  for (int i = 0; i < 6; i++) l.values[i] *= 2;
  return l;
}
static void *work(void *argument) {
  snprintf(text, sizeof text, "%s %d", (char *)argument, 42);
  strcpy(copy, text);
  memmove(copy + 1, copy, strlen(copy) + 1);
  for (int i = 0; i < 6; i++) shared.values[i] = i;
  shared = doubled(shared);
  memset(&odds, 1, sizeof odds);
  odds[1] = odds[0];
  odds[2].number = 7;
  return argument;
}
int main(void) {
  pthread_t t;
  char name[] = "seven";
  pthread_create(&t, 0, work, name);
  pthread_join(t, 0);
  assert(strcmp(text, "seven 42") == 0 && strcmp(copy, "sseven 42") == 0);
  assert(shared.values[5] == 10 && odds[1].number == 257 && odds[2].number == 7 && odds[2].text[4] == 1);
  memcpy(text, copy, sizeof copy);
  char *end;
  assert(strtol(text + 7, &end, 10) == 42 && *end == 0 && memcmp(text, copy, 300) == 0);
  char *block = calloc(5, 8);
  block[3] = 'x';
  block = realloc(block, 400);
  assert(block[3] == 'x' && block[4] == 0);
  free(block);
  return 0;
}

/* flags: -fno-builtin
 * predicts: data-race 0
 * How far functions of the C library read and write depends on texts that were read under the lock. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
enum { LONG = 40, MIDDLE = 20, ROOM = 60, KINDS = 10 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char to[KINDS][ROOM], shared[ROOM], found[ROOM];
static wchar_t wide[ROOM], shared_wide[ROOM];
static int number;
static void *produce(void *argument) {
  for (int i = 0; i < KINDS; i++) to[i][MIDDLE] = 0;
  wide[MIDDLE] = 0;
  number = 0;
  found[MIDDLE] = 'b';
  pthread_mutex_lock(&m);
  memset(shared, '1', LONG);
  wmemset(shared_wide, L'a', LONG);
  memset(found, 'a', MIDDLE);
  pthread_mutex_unlock(&m);
  return argument;
}
static void print(char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(text, ROOM, format, list);
  va_end(list);
}
static void *consume(void *argument) {
  char mine[ROOM] = "", end[ROOM] = "";
  wchar_t mine_wide[ROOM] = L"";
  usleep(20000);
  pthread_mutex_lock(&m);
  memcpy(mine, shared, ROOM);
  wmemcpy(mine_wide, shared_wide, ROOM);
  size_t n = strlen(found), where = strchrnul(found, 'b') - found, same = (size_t)strcmp(found, end);
  pthread_mutex_unlock(&m);
  strcpy(to[0], mine);
  stpcpy(to[1], mine);
  strcat(to[2], mine);
  strncat(to[3], mine, ROOM - 1);
  sprintf(to[4], "%s", mine);
  snprintf(to[5], ROOM, "%s", mine);
  print(to[6], "%s", mine);
  sscanf(mine, "%50s", to[7]);
  strncpy(end, mine, ROOM - 1);
  strcat(to[8], end);
  char *copy = strdup(mine);
  strcpy(to[9], copy);
  free(copy);
  wcscat(wide, mine_wide);
  sscanf(mine, "%1d", &number);
  return n + where + same ? argument : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, produce, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

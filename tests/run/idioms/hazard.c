/* Hazard pointers: a block is freed when nobody says that he looks at it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
enum { READERS = 2, ROUNDS = 60 };
struct config {
  int a, b;
};
static struct config *_Atomic current;
static struct config *_Atomic hazard[READERS];
static struct config *make(int n) {
  struct config *c = malloc(sizeof *c);
  c->a = n, c->b = -n;
  return c;
}
static int is_looked_at(struct config *c) {
#ifdef RACY
  return c == NULL;
#else
  for (int i = 0; i < READERS; i++)
    if (atomic_load(&hazard[i]) == c) return 1;
  return 0;
#endif
}
static void *reader(void *argument) {
  struct config *_Atomic *mine = argument;
  long sum = 0;
  for (int i = 0; i < ROUNDS; i++) {
    struct config *c;
    do {
      c = atomic_load(&current);
      atomic_store(mine, c);
    } while (atomic_load(&current) != c);
    sum += c->a + c->b;
    atomic_store(mine, NULL);
  }
  return (void *)sum;
}
int main(void) {
  pthread_t t[READERS];
  struct config *retired[ROUNDS];
  int count = 0;
  atomic_store(&current, make(0));
  for (int i = 0; i < READERS; i++) pthread_create(&t[i], NULL, reader, (void *)&hazard[i]);
  for (int i = 1; i <= ROUNDS; i++) {
    retired[count++] = atomic_exchange(&current, make(i));
    for (int k = 0; k < count;)
      if (is_looked_at(retired[k]))
        k++;
      else
        free(retired[k]), retired[k] = retired[--count];
  }
  for (int i = 0; i < READERS; i++) pthread_join(t[i], NULL);
  while (count > 0) free(retired[--count]);
  free(atomic_load(&current));
  return 0;
}

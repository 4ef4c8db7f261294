/* One function counts in memory of one thread and in memory of both: which of its accesses the trace keeps, places do not tell.
 * confirms: data-race 1 */
#include <pthread.h>
#include <unistd.h>

enum { WORDS = 64 };
int shared, first_words[WORDS], other_words[WORDS];

__attribute__((noinline)) static void count(int *p) { ++*p; }

static void *work(void *first) {
  int *own = first ? first_words : other_words;
  for (int i = 0; i < WORDS; i++) count(&own[i]);
  if (!first) usleep(20000);
  count(&shared);
  for (int i = 0; i < WORDS; i++) count(&own[i]);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, &shared);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}

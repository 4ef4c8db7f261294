/* predicts: data-race 1
 * unexplained: 40
 * A thread's function whose last call is one of the C library: what that does is recorded. Where both copy at once, nobody knows which byte
 * stays. */
#include <pthread.h>
#include <string.h>
static char text[40];
static const char *words[] = {"one", "another"};
static void *copy(void *argument) { return strcpy(text, argument); }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, copy, (void *)words[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return text[0] == 0;
}

/* predicts: data-race 0
 * unexplained: 1000
 * flags: -fno-builtin
 * An allocator of the program's own, which the C library calls, too, where nothing is recorded: when threads begin and end. */
#include <pthread.h>
#include <stddef.h>
#include <string.h>
struct chunk {
  struct chunk *next;
  size_t size;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char arena[1 << 20] __attribute__((aligned(16)));
static size_t used;
static struct chunk *list;

static struct chunk *take(size_t n) {
  struct chunk *c;
  for (struct chunk **p = &list; (c = *p); p = &c->next)
    if (c->size == n) {
      *p = c->next;
      return c;
    }
  c = (struct chunk *)(void *)(arena + used);
  used += n + sizeof *c;
  c->size = n;
  return c;
}
void *malloc(size_t n) {
  pthread_mutex_lock(&lock);
  struct chunk *c = take((n + 31) & ~(size_t)15);
  pthread_mutex_unlock(&lock);
  return c + 1;
}
void free(void *p) {
  struct chunk *c = (struct chunk *)p - 1;
  if (!p) return;
  pthread_mutex_lock(&lock);
  c->next = list, list = c;
  pthread_mutex_unlock(&lock);
}
void *calloc(size_t n, size_t size) { return memset(malloc(n * size), 0, n * size); }
void *realloc(void *p, size_t n) {
  size_t had = p ? ((struct chunk *)p - 1)->size : 0;
  void *to = malloc(n);
  if (p) memcpy(to, p, had < n ? had : n);
  free(p);
  return to;
}

static void *work(void *data) {
  for (int i = 0; i < 20; i++) {
    int *p = malloc(40);
    p[0] = i, p[1] = p[0] + 1;
    if (p[1] != i + 1) data = 0;
    free(p);
  }
  return data;
}
int main(void) {
  pthread_t t[3];
  int bad = 0;
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, &bad);
  for (int i = 0; i < 3; i++) {
    void *result;
    pthread_join(t[i], &result);
    bad += result != &bad;
  }
  return bad;
}

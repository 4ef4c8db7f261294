/* Pointers that are looked at before they are used, and some that only have the number of another one: none of them can be NULL. */
#include <pthread.h>

struct node {
  struct node *next;
  int value;
};
static struct node first, second, *head, *tail = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct node *current = &first;
int same;

/* The optimiser makes one store of it, to one of two addresses. */
static void *append(void *unused) {
  pthread_mutex_lock(&lock);
  if (tail)
    tail->next = &second;
  else
    head = &second;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *use(void *argument) {
  struct node *mine = argument;
  pthread_mutex_lock(&lock);
  same += current == mine;
  mine->value++;
  pthread_mutex_unlock(&lock);
  return NULL;
}
static void *clear(void *unused) {
  pthread_mutex_lock(&lock);
  tail = NULL;
  current = NULL;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, append, NULL);
  pthread_join(a, NULL);
  pthread_create(&a, NULL, append, NULL);
  pthread_create(&b, NULL, use, &first);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_create(&a, NULL, append, NULL);
  pthread_create(&b, NULL, use, &first);
  pthread_create(&c, NULL, clear, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}

/* After "mergesort" of the IBM benchmark: halves of an array are sorted by threads of their own as long as there are few. The number of
 * threads is tested without the lock under which it is counted, and what was compared is counted without any. */
#include "shared.h"

#define LENGTH  16
#define THREADS 4

static int array[LENGTH] = {7, 3, 15, 0, 9, 12, 1, 5, 14, 2, 8, 11, 4, 13, 6, 10};
static int running = 1; /* threads that sort */
static int most;        /* at a time */
static int compared, deepest;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct part {
  int from, to, depth;
};

static void sort(struct part p);

static void merge(int from, int middle, int to) {
  int merged[LENGTH], n = 0, left = from, right = middle;
  while (left < middle && right < to) {
    compared++;
    merged[n++] = array[left] <= array[right] ? array[left++] : array[right++];
  }
  while (left < middle) merged[n++] = array[left++];
  while (right < to) merged[n++] = array[right++];
  for (int i = 0; i < n; i++) array[from + i] = merged[i];
}

static void *sort_part(void *argument) {
  struct part p = *(struct part *)argument;
  deepest = p.depth;
  sort(p);
  pthread_mutex_lock(&lock);
  running--;
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* A thread is counted before it begins. */
static int may_begin(void) {
  if (running >= THREADS) return 0; /* the lock is forgotten */
  pthread_mutex_lock(&lock);
  running++;
  pthread_mutex_unlock(&lock);
  most = running;
  return 1;
}

static void sort(struct part p) {
  if (p.to - p.from < 2) return;
  int middle = (p.from + p.to) / 2;
  struct part left = {p.from, middle, p.depth + 1}, right = {middle, p.to, p.depth + 1};
  pthread_t thread;
  int own = p.to - p.from >= 4 && may_begin();
  if (own && pthread_create(&thread, NULL, sort_part, &left)) abort();
  if (!own) sort(left);
  sort(right);
  if (own) pthread_join(thread, NULL);
  merge(p.from, middle, p.to);
}

int main(void) {
  sort((struct part){0, LENGTH, 0});
  int wrong = 0;
  for (int i = 1; i < LENGTH; i++) wrong += array[i - 1] > array[i];
  printf("%d compared, %d threads at a time, %d deep, %d out of order\n", compared, most, deepest, wrong);
  return wrong;
}

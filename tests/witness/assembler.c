/* A flag of inline assembler says too early that there is something.
 * confirms: data-race 1 */
#include <pthread.h>
#include <sched.h>

int content, flag;

#ifdef __x86_64__
static int load(const int *p) {
  int value;
  __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*p) : "memory");
  return value;
}
static void store(int *p, int value) { __asm__ volatile("movl %1, %0" : "=m"(*p) : "r"(value) : "memory"); }
#else
static int load(const int *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
static void store(int *p, int value) { __atomic_store_n(p, value, __ATOMIC_SEQ_CST); }
#endif

static void *fill(void *unused) {
  store(&flag, 1);
  content = 5;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, fill, NULL);
  while (!load(&flag)) sched_yield();
  int seen = content;
  pthread_join(t, NULL);
  return seen != 0 && seen != 5;
}

/* A store that waits in the buffer, in a program whose threads may be interrupted at each step: the store's step looks whether this one is. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
static int *_Atomic at; static int a;
static void *first(void *x) {
  int l = 1;
  atomic_store(&at, &l); atomic_store(&at, NULL);
  return x; }
int main(void) {
  pthread_t t; int l = 1, r = 0;
  if (a == 77) pthread_kill(pthread_self(), SIGUSR1);
  pthread_create(&t, NULL, first, NULL);
  atomic_store(&at, &l);
  { int *u = atomic_load(&at); if (u) r = *u; }
  pthread_join(t, NULL);
  return r; }

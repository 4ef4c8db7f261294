/* Races where there is little to tell of: at the bottom of a deep stack, in code that was made while the program ran and has nothing in front
 * of it, in a library that is gone, in a handler, in a forked process. Usage: obscure LIBRARY. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int deep, made, last, gone, handled;
static long *block;

static void *other(void *argument) {
  deep = made = last = gone = handled = 1;
  block[0] = 1;
  return argument;
}

static __attribute__((noinline)) int dive(int n) {
  if (n == 0) return deep++;
  volatile int below = dive(n - 1);
  return below + 1;
}

static void handler(int number) {
  (void)number;
  handled++;
}

/* A function that calls __tsan_write4(to), so that the return address is that one. Nothing that can be read is in front of it. */
extern void __tsan_write4(void *to);
static void make_and_call(void *to, size_t return_address) {
  enum { PAGE = 4096, CALL_ENDS = 26 };
  unsigned char code[] = {0x48, 0x83, 0xec, 8, 0x48, 0xbf, [14] = 0x48, 0xb8, [24] = 0xff, 0xd0, 0x48, 0x83, 0xc4, 8, 0xc3};
  void (*callee)(void *) = __tsan_write4;
  memcpy(code + 6, &to, 8), memcpy(code + 16, &callee, 8);
  unsigned char *pages = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  unsigned char *at = pages + PAGE + return_address - CALL_ENDS;
  memcpy(at, code, sizeof code);
  mprotect(pages, PAGE, PROT_EXEC);
  ((void (*)(void))at)();
  munmap(pages, 3 * PAGE);
}

int main(int argc, char **argv) {
  pthread_t thread;
  block = calloc(1, 100);
  pthread_create(&thread, NULL, other, NULL);
  usleep(20000);
  dive(70000);
  make_and_call(&made, 26);
  make_and_call(&last, 0);
  void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
  if (!library) return puts(dlerror()), 3;
  void (*add)(int *) = (void (*)(int *))dlsym(library, "add");
  add(&gone);
  dlclose(library);
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  if (fork() == 0) block[0]++, _exit(0);
  wait(NULL);
  memset(block, 0, 8);
  pthread_join(thread, NULL);
  free(block);
  return 0;
}

/* What dlopen() and its relatives do with plugin.c; printed is what natively is printed, too. */
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int program_value = 1;
static int calls;
int shared(void) { return 99; }
int of_program(void) { return 3; }

void *malloc(size_t n) {
  static void *(*next)(size_t);
  if (!next) next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
  calls++;
  return next(n);
}

static void *child(void *h) {
  assert(*(int *)dlsym(h, "local") == 7); /* its own */
  return h;
}

int main(void) {
  pthread_t t;
  Dl_info info;
  assert(!dlopen("./nowhere.so", RTLD_NOW));
  puts(dlerror());
  assert(!dlerror());
  void *h = dlopen("./plugin.so", RTLD_NOW);
  assert(h && program_value == 2);
  *(int *)dlsym(h, "counter") = 6;
  assert(!dlclose(h));
  h = dlopen("./plugin.so", RTLD_NOW); /* as if for the first time */
  assert(h && program_value == 3);
  int (*add)(int) = (int (*)(int))dlsym(h, "add"), (*in_library)(void) = (int (*)(void))dlsym(h, "shared"), *counter = dlsym(h, "counter");
  assert(add(2) == 7 && *counter == 7 && in_library() == 2 && shared() == 99);
  assert(*(int *)dlsym(h, "local") == 8);
  pthread_create(&t, 0, child, h);
  pthread_join(t, 0);
  assert(!dlsym(h, "nothing") && dlerror());
  assert(!dlsym(h, "hidden"));
  assert(dlopen("./plugin.so", RTLD_NOW | RTLD_NOLOAD) == h);
  assert(!dlsym(RTLD_DEFAULT, "add"));
  dlopen("./plugin.so", RTLD_NOW | RTLD_GLOBAL);
  assert(dlsym(RTLD_DEFAULT, "add") == (void *)add);
  int (*program)(void) = (int (*)(void))dlsym(dlopen(NULL, RTLD_NOW), "of_program");
  assert(program && program() == 3 && dlsym(RTLD_DEFAULT, "shared") == (void *)shared);
  size_t (*length)(const char *) = (size_t (*)(const char *))dlsym(RTLD_DEFAULT, "strlen");
  assert(length && length("abc") == 3 && dlsym(RTLD_DEFAULT, "pthread_mutex_lock"));
  assert(dladdr((void *)add, &info) && !strcmp(info.dli_sname, "add") && strstr(info.dli_fname, "plugin.so"));
  assert(!dlclose(h) && !dlclose(h) && !dlclose(h));
  int before = calls;
  free(malloc(3));
  assert(calls == before + 1);
  return 0;
}

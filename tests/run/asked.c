/* finds: data race A B; fixed: nothing. everywhere. exits: 7. What programs ask the runtime by the functions that the sanitizers have for it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__tsan_get_current_report(void);
int __tsan_get_report_data(void *, const char **, int *, int *, int *, int *, int *, int *, int *, void **, unsigned long);
int __tsan_get_report_mop(void *, unsigned long, int *, void **, int *, int *, int *, void **, unsigned long);
int __tsan_get_report_loc(void *, unsigned long, const char **, void **, void **, unsigned long *, int *, int *, int *, void **, unsigned long);
int __tsan_get_report_mutex(void *, unsigned long, uint64_t *, void **, int *, void **, unsigned long);
int __tsan_get_report_thread(void *, unsigned long, int *, uint64_t *, int *, const char **, int *, void **, unsigned long);
int __tsan_get_report_unique_tid(void *, unsigned long, int *);
const char *__tsan_locate_address(void *, char *, unsigned long, void **, unsigned long *);
int __tsan_get_alloc_stack(void *, void **, size_t, int *, int *);
void __tsan_on_report(void *report);
void __sanitizer_set_death_callback(void (*)(void));
void __sanitizer_symbolize_pc(void *, const char *, char *, size_t);
void __sanitizer_symbolize_global(void *, const char *, char *, size_t);
int __sanitizer_get_module_and_offset_for_pc(void *, char *, size_t, void **);
int __sanitizer_get_ownership(const volatile void *);
__attribute__((weak)) const void *__sanitizer_get_allocated_begin(const void *); /* gcc 12 does not know it */
size_t __sanitizer_get_allocated_size(const volatile void *);
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t), void (*)(const volatile void *));
int __sanitizer_acquire_crash_state(void);
void __sanitizer_print_stack_trace(void);
void __sanitizer_set_report_fd(void *);
const char *__sanitizer_get_report_path(void);

#define CHECK(what)                                                     \
  do {                                                                  \
    if (!(what)) fprintf(stderr, "line %d: %s\n", __LINE__, #what), abort();     \
  } while (0)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
  long before, racy;
} shared;
static int reports, allocations, frees;
static int ready; /* orders nothing */

static void *thread(void *argument) {
  while (!__atomic_load_n(&ready, __ATOMIC_RELAXED)) {
  }
  pthread_mutex_lock(&mutex);
#ifndef FIXED
  shared.racy = 1; /* @A */
#endif
  pthread_mutex_unlock(&mutex);
  return argument;
}

void __tsan_on_report(void *report) {
  const char *text, *name;
  int count, stacks, accesses, locations, locks, threads, numbers, id, size, write, atomic, fd, suppressable, gone, running, parent;
  void *trace[8], *address, *start;
  unsigned long bytes;
  uint64_t number, system;
  char words[200];
  reports++;
  CHECK(__tsan_get_current_report() == report);
  CHECK(__tsan_get_report_data(report, &text, &count, &stacks, &accesses, &locations, &locks, &threads, &numbers, trace, 8));
  CHECK(!strcmp(text, "data-race") && count == 0 && stacks == 0 && accesses == 2 && locations == 1 && locks == 1 && threads == 2);
  CHECK(numbers == 2 && !trace[0]);
  CHECK(__tsan_get_report_mop(report, 0, &id, &address, &size, &write, &atomic, trace, 8));
  CHECK(id == 1 && address == &shared.racy && size == sizeof(long) && write == 1 && atomic == 0 && trace[0] && !trace[1]);
  __sanitizer_symbolize_pc(trace[0], "%f %% %l", words, sizeof words);
  CHECK(!strncmp(words, "thread % ", 9) && !words[strlen(words) + 1]);
  CHECK(__tsan_get_report_mop(report, 1, &id, &address, &size, &write, &atomic, trace, 8) && id == 0 && trace[0] && !trace[1]);
  CHECK(!__tsan_get_report_mop(report, 2, &id, &address, &size, &write, &atomic, trace, 8));
  CHECK(__tsan_get_report_loc(report, 0, &text, &address, &start, &bytes, &id, &fd, &suppressable, trace, 8));
  CHECK(!strcmp(text, "global") && start == &shared && bytes == sizeof shared);
  CHECK(__tsan_get_report_mutex(report, 0, &number, &address, &gone, trace, 8) && address == &mutex && !gone && trace[0]);
  CHECK(__tsan_get_report_thread(report, 0, &id, &system, &running, &name, &parent, trace, 8));
  CHECK(id == 1 && system != (uint64_t)getpid() && parent == 0 && trace[0]);
  CHECK(__tsan_get_report_thread(report, 1, &id, &system, &running, &name, &parent, trace, 8));
  CHECK(id == 0 && system == (uint64_t)getpid() && running);
  CHECK(__tsan_get_report_unique_tid(report, 1, &id) && id == 0);
  CHECK(!__tsan_get_report_data((char *)report + 1, &text, &count, &stacks, &accesses, &locations, &locks, &threads, &numbers, NULL, 0));
  CHECK(!strcmp(__tsan_locate_address(&mutex, words, sizeof words, &start, &bytes), "global") && !strcmp(words, "mutex"));
}

static void was_allocated(const volatile void *block, size_t size) { allocations += block && size == 1234; }
static void was_freed(const volatile void *block) { frees += block != NULL; }

static void look_around(void) {
  char name[100], *block = malloc(10), *volatile other;
  void *start, *trace[8], *offset;
  unsigned long size;
  int id = -1, system;
  CHECK(!__tsan_get_current_report());
  CHECK(!strcmp(__tsan_locate_address(name, name, 0, &start, &size), "stack"));
  CHECK((char *)start < name && (char *)start + size > name);
  CHECK(!strcmp(__tsan_locate_address(&shared.racy, name, sizeof name, &start, &size), "global") && start == &shared);
  CHECK(!strcmp(__tsan_locate_address(block + 5, name, sizeof name, &start, &size), "heap") && start == block && size == 10);
  CHECK(!strcmp(__tsan_locate_address((void *)16, name, sizeof name, &start, &size), ""));
  CHECK(__tsan_get_alloc_stack(block, trace, 8, &id, &system) >= 2 && id == 0 && system == getpid());
  CHECK(__tsan_get_alloc_stack(&shared, trace, 8, &id, &system) == 0);
  CHECK(__sanitizer_get_ownership(block) && !__sanitizer_get_ownership(block + 1) && __sanitizer_get_allocated_size(block) == 10);
  CHECK(__sanitizer_get_allocated_begin(block + 3) == block && !__sanitizer_get_allocated_begin(&shared));
  __sanitizer_symbolize_global(&shared.racy, "<%g>", name, sizeof name);
  CHECK(!strcmp(name, "<shared>"));
  __sanitizer_symbolize_global(&shared.racy, "<%g>", name, 5);
  CHECK(!strcmp(name, "<sh")); /* two zeros are behind */
  CHECK(__sanitizer_get_module_and_offset_for_pc((void *)(uintptr_t)look_around, name, sizeof name, &offset) && offset);
  CHECK(!__sanitizer_get_module_and_offset_for_pc((void *)16, name, sizeof name, &offset));
  CHECK(__sanitizer_acquire_crash_state() == 1 && __sanitizer_acquire_crash_state() == 0);
  CHECK(__sanitizer_install_malloc_and_free_hooks(was_allocated, was_freed) == 1);
  other = malloc(1234);
  free(other), free(block);
  CHECK(allocations == 1 && frees == 2);
}

static void at_end(void) { _exit(7); }

int main(void) {
  pthread_t t;
  __sanitizer_set_death_callback(at_end);
  look_around();
  pthread_create(&t, NULL, thread, NULL);
#ifndef FIXED
  shared.racy = 2; /* @B */
#endif
  __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
  pthread_join(t, NULL);
#ifdef FIXED
  CHECK(reports == 0);
#else
  CHECK(reports == 1);
#endif
  return 7;
}

/* LEAP (Huang, Liu, Zhang: FSE 2010), as CLAP (PLDI 2013, section 6.2) compares itself with it: for each place in memory that threads may share,
 * in which order which threads accessed it. So each access takes a lock, which CLAP's recorder does not.
 *
 * Linked into a program that clang has compiled with -fsanitize=thread, in place of ThreadSanitizer: it has the functions that are called
 * before each access that may be shared (locals whose address goes nowhere are left out by clang), and stands before the C library's
 * locks. An address has one of PLACES locks, and a vector of runs: a thread, and how often it came in a row. LEAP takes a variable of the
 * source for a place; here it is 8 bytes.
 *
 * As atomic operations are done under the lock, and other accesses right behind it, this is a measure of what recording costs, no recorder:
 * nothing replays what it writes. The log goes to the file that LEAP_LOG names, when the program ends; its size is said if LEAP_LOG is "size". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PLACES = 1 << 20, FEW = 3 };

/* Runs of a place: the first few here, more behind `more`. */
struct run {
  uint32_t thread, times;
};
struct place {
  atomic_flag taken;
  uint32_t count, room;
  struct run *more;
  struct run few[FEW];
};

static struct place *places;
static _Atomic uint32_t threads;
static __thread uint32_t me;
static __thread bool inside; /* of what is here */

static struct place *place_of(uintptr_t address) {
  uint64_t h = (address >> 3) * 0x9e3779b97f4a7c15u;
  return &places[h >> 44];
}

static struct run *run_at(struct place *p, uint32_t i) { return i < FEW ? &p->few[i] : &p->more[i - FEW]; }

static void append(struct place *p) {
  if (!me) me = ++threads;
  struct run *last = p->count ? run_at(p, p->count - 1) : NULL;
  if (last && last->thread == me) {
    last->times++;
    return;
  }
  if (p->count >= FEW && p->count - FEW == p->room) {
    inside = true;
    p->room = p->room ? 2 * p->room : 16;
    p->more = realloc(p->more, p->room * sizeof *p->more);
    inside = false;
    if (!p->more) abort();
  }
  *run_at(p, p->count++) = (struct run){me, 1};
}

static struct place *take(const volatile void *address) {
  struct place *p = place_of((uintptr_t)address);
  while (atomic_flag_test_and_set_explicit(&p->taken, memory_order_acquire))
    while (*(volatile char *)&p->taken) __builtin_ia32_pause();
  append(p);
  return p;
}
static void give(struct place *p) { atomic_flag_clear_explicit(&p->taken, memory_order_release); }

static void access(const volatile void *address) {
  if (places && !inside) give(take(address));
}
static void access_range(const char *address, size_t n) {
  for (size_t i = 0; i < n; i += 8) access(address + i);
}

/* --- what clang calls --- */

#define ACCESS(name) \
  void name(void *); \
  void name(void *address) { access(address); }
#define SIZES(what)                                                                                                              \
  ACCESS(__tsan_##what##1)                                                                                                       \
  ACCESS(__tsan_##what##2)                                                                                                       \
  ACCESS(__tsan_##what##4)                                                                                                       \
  ACCESS(__tsan_##what##8)                                                                                                       \
  ACCESS(__tsan_##what##16)
SIZES(read)
SIZES(write)
SIZES(unaligned_read)
SIZES(unaligned_write)
ACCESS(__tsan_vptr_read)

void __tsan_vptr_update(void **address, void *value);
void __tsan_vptr_update(void **address, void *value) {
  (void)value;
  access(address);
}
#define RANGE(name)             \
  void name(void *, size_t);    \
  void name(void *address, size_t n) { access_range(address, n); }
RANGE(__tsan_read_range)
RANGE(__tsan_write_range)

#define NOTHING(name, ...)  \
  void name(__VA_ARGS__);   \
  void name(__VA_ARGS__) {}
NOTHING(__tsan_func_entry, __attribute__((unused)) void *pc)
NOTHING(__tsan_func_exit, void)

void *__tsan_memcpy(void *to, const void *from, size_t n);
void *__tsan_memcpy(void *to, const void *from, size_t n) {
  access_range(from, n), access_range(to, n);
  return memcpy(to, from, n);
}
void *__tsan_memmove(void *to, const void *from, size_t n);
void *__tsan_memmove(void *to, const void *from, size_t n) {
  access_range(from, n), access_range(to, n);
  return memmove(to, from, n);
}
void *__tsan_memset(void *to, int byte, size_t n);
void *__tsan_memset(void *to, int byte, size_t n) {
  access_range(to, n);
  return memset(to, byte, n);
}

#define UPDATE(bits, name, builtin)                                                            \
  uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *, uint##bits##_t, int); \
  uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *a, uint##bits##_t v, int order) {  \
    (void)order;                                                                               \
    struct place *p = take(a);                                                                 \
    uint##bits##_t was = builtin(a, v, __ATOMIC_SEQ_CST);                                      \
    give(p);                                                                                   \
    return was;                                                                                \
  }
#define EXCHANGE(bits, kind)                                                                                                         \
  int __tsan_atomic##bits##_compare_exchange_##kind(volatile uint##bits##_t *, uint##bits##_t *, uint##bits##_t, int, int);         \
  int __tsan_atomic##bits##_compare_exchange_##kind(volatile uint##bits##_t *a, uint##bits##_t *expected, uint##bits##_t v, int o, int f) { \
    (void)o, (void)f;                                                                                                                \
    struct place *p = take(a);                                                                                                       \
    int done = __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                               \
    give(p);                                                                                                                         \
    return done;                                                                                                                     \
  }
#define ATOMIC(bits)                                                                                  \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *, int);                    \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *a, int order) {            \
    (void)order;                                                                                      \
    struct place *p = take(a);                                                                        \
    uint##bits##_t v = __atomic_load_n(a, __ATOMIC_SEQ_CST);                                          \
    give(p);                                                                                          \
    return v;                                                                                         \
  }                                                                                                   \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t *, uint##bits##_t, int);                   \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t *a, uint##bits##_t v, int order) {         \
    (void)order;                                                                                      \
    struct place *p = take(a);                                                                        \
    __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                         \
    give(p);                                                                                          \
  }                                                                                                   \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *, uint##bits##_t, uint##bits##_t, int, int); \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *a, uint##bits##_t expected, uint##bits##_t v, int o, \
                                                            int f) {                                  \
    (void)o, (void)f;                                                                                 \
    struct place *p = take(a);                                                                        \
    __atomic_compare_exchange_n(a, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
    give(p);                                                                                          \
    return expected;                                                                                  \
  }                                                                                                   \
  EXCHANGE(bits, strong)                                                                              \
  EXCHANGE(bits, weak)                                                                                \
  UPDATE(bits, exchange, __atomic_exchange_n)                                                         \
  UPDATE(bits, fetch_add, __atomic_fetch_add)                                                         \
  UPDATE(bits, fetch_sub, __atomic_fetch_sub)                                                         \
  UPDATE(bits, fetch_and, __atomic_fetch_and)                                                         \
  UPDATE(bits, fetch_or, __atomic_fetch_or)                                                           \
  UPDATE(bits, fetch_xor, __atomic_fetch_xor)                                                         \
  UPDATE(bits, fetch_nand, __atomic_fetch_nand)
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
NOTHING(__tsan_atomic_signal_fence, __attribute__((unused)) int order)

/* --- locks --- */

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define LOCK(name, type)              \
  int name(type *lock) {              \
    static __typeof__(&name) next;    \
    if (!next) next = NEXT(name);     \
    int e = next(lock);               \
    access(lock);                     \
    return e;                         \
  }
LOCK(pthread_mutex_lock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
int pthread_cond_signal(pthread_cond_t *c) {
  static __typeof__(&pthread_cond_signal) next;
  if (!next) next = NEXT(pthread_cond_signal);
  access(c);
  return next(c);
}

/* --- the log --- */

static void end(void) {
  const char *path = getenv("LEAP_LOG");
  struct place *all = places;
  uint64_t runs = 0;
  places = NULL;
  for (uint32_t i = 0; i < PLACES; i++) runs += all[i].count;
  if (!path) path = "/dev/null";
  if (strcmp(path, "size") == 0) {
    fprintf(stderr, "leap: %llu KB\n", (unsigned long long)(runs * sizeof(struct run) / 1024));
    return;
  }
  FILE *f = fopen(path, "w");
  for (uint32_t i = 0; f && i < PLACES; i++) {
    uint32_t here = all[i].count < FEW ? all[i].count : FEW;
    fwrite(all[i].few, sizeof(struct run), here, f);
    if (all[i].count > FEW) fwrite(all[i].more, sizeof(struct run), all[i].count - FEW, f);
  }
  if (f) fclose(f);
}

void __tsan_init(void);
__attribute__((constructor(101))) void __tsan_init(void) {
  if (places) return;
  void *room = mmap(NULL, PLACES * sizeof *places, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) abort();
  places = room;
  atexit(end);
}

/* syscall(), where it is recorded: what the C library's function of that name does, if there is one with the same arguments; else the
 * memory that the call is given is looked at, as of a function that nobody knows (record/outside.h). */
#include <sys/syscall.h>

#include "intercept/library.h"
#include "record/outside.h"
#include "record/record.h"
#include "record/system.h"

enum { NUMBERS = 512, POINTERS = 6 };

/* Functions with a row whose arguments and result are the system call's. */
static const struct {
  uint16_t number;
  const char *name;
} alike[] = {
#define ALIKE_CALL(name) \
  { SYS_##name, #name }
    ALIKE_CALL(read),     ALIKE_CALL(write),      ALIKE_CALL(pread64),  ALIKE_CALL(pwrite64),       ALIKE_CALL(readv),
    ALIKE_CALL(writev),   ALIKE_CALL(preadv),     ALIKE_CALL(pwritev),  ALIKE_CALL(sendto),         ALIKE_CALL(recvfrom),
    ALIKE_CALL(sendmsg),  ALIKE_CALL(recvmsg),    ALIKE_CALL(sendmmsg), ALIKE_CALL(recvmmsg),       ALIKE_CALL(accept),
    ALIKE_CALL(accept4),  ALIKE_CALL(connect),    ALIKE_CALL(bind),     ALIKE_CALL(shutdown),       ALIKE_CALL(socket),
    ALIKE_CALL(pipe),     ALIKE_CALL(pipe2),      ALIKE_CALL(close),    ALIKE_CALL(socketpair),     ALIKE_CALL(dup),
    ALIKE_CALL(dup2),     ALIKE_CALL(dup3),       ALIKE_CALL(open),     ALIKE_CALL(openat),         ALIKE_CALL(creat),
    ALIKE_CALL(poll),     ALIKE_CALL(epoll_wait), ALIKE_CALL(flock),    ALIKE_CALL(epoll_create1),  ALIKE_CALL(epoll_ctl),
    ALIKE_CALL(splice),   ALIKE_CALL(tee),        ALIKE_CALL(vmsplice), ALIKE_CALL(timerfd_create), ALIKE_CALL(timerfd_settime),
    ALIKE_CALL(sendfile), ALIKE_CALL(msgsnd),     ALIKE_CALL(msgrcv),   {SYS_eventfd2, "eventfd"},
};

static const struct library_function *row_of(uintptr_t number) {
  static const struct library_function *rows[NUMBERS];
  static bool found;
  if (!__atomic_load_n(&found, __ATOMIC_ACQUIRE)) {
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
      __atomic_store_n(&rows[alike[i].number], library_row(alike[i].name), __ATOMIC_RELAXED);
    __atomic_store_n(&found, true, __ATOMIC_RELEASE);
  }
  return number < NUMBERS ? rows[number] : NULL;
}

ROW_ALONE(syscall, CALLS, ALWAYS);

typedef uintptr_t system_call(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
static uintptr_t make(const uintptr_t *a) {
  return ((system_call *)library_next(&library_syscall))(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
}

/* As a call of that function, with those arguments. */
static uintptr_t make_as(struct thread *t, const struct library_function *f, const uintptr_t *arguments, const uintptr_t *a, uintptr_t pc) {
  struct library_rooms rooms;
  library_begins(t, f, arguments, &rooms, pc);
  uintptr_t result = make(a);
  library_ends(t, f, arguments, &rooms, result, pc);
  return result;
}

/* Nobody looks for what it did, or everybody knows. */
static bool tells_nothing(uintptr_t number) {
  static const uint16_t calls[] = {SYS_futex,     SYS_gettid,          SYS_getpid,        SYS_sched_yield, SYS_membarrier,
                                   SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_getrandom};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (calls[i] == number) return true;
  return false;
}

/* What it is given is looked at before anything is locked: it may make a process. */
static uintptr_t make_unknown(struct thread *t, const uintptr_t *a, uintptr_t pc) {
  enum { FIRST_PAGE = 4096, ADDRESS_BITS = 47 };
  struct outside_memory list[POINTERS];
  uint64_t n = 0;
  for (unsigned i = 1; i <= POINTERS; i++)
    if (a[i] >= FIRST_PAGE && a[i] >> ADDRESS_BITS == 0) list[n++] = (struct outside_memory){a[i], 0};
  bool asks = UNLIKELY(recording) && !tells_nothing(a[0]) && !is_understood(pc);
  if (n) outside_calls(0, list, n);
  if (asks) system_alters_all(t);
  uintptr_t result = make_as(t, &library_syscall, a, a, pc);
  if (asks) system_alters_all(t);
  if (n) outside_returns(list);
  return result;
}

PUBLIC uintptr_t call_syscall(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t) __asm__("syscall");
uintptr_t call_syscall(uintptr_t number, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f) {
  const uintptr_t arguments[LIBRARY_ARGUMENTS + 1] = {number, a, b, c, d, e, f};
  struct thread *t = watched();
  if (!t) return make(arguments);
  const struct library_function *row = UNLIKELY(recording) ? row_of(number) : NULL; /* in `heddle run` programs tell (interface.c) */
  return row ? make_as(t, row, arguments + 1, arguments, CALLER) : make_unknown(t, arguments, CALLER);
}

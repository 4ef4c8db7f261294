/* Programs that confine themselves: to another root or user, where reports could not read the program's files any more; to fewer system
 * calls than the runtime makes; to less memory than it reserves. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "intercept/library.h"
#include "report/report.h"

static void before_confined(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f, (void)arguments, (void)pc;
  reports_keep_files(t);
}
static const struct role CONFINES = {.before = before_confined};

ROW(chroot, CONFINES, ZERO, R(0, TEXT))
ROW(setuid, CONFINES, ZERO)
ROW(seteuid, CONFINES, ZERO)
ROW(setreuid, CONFINES, ZERO)
ROW(setresuid, CONFINES, ZERO)
ROW(setgid, CONFINES, ZERO)
ROW(setegid, CONFINES, ZERO)
ROW(setregid, CONFINES, ZERO)
ROW(setresgid, CONFINES, ZERO)
ROW(setgroups, CONFINES, ZERO, R(1, EACH(0, gid_t)))
ROW(unshare, CONFINES, ZERO)
ROW(setns, CONFINES, ZERO)

/* What the runtime asks of the system after its start, as filters see it: the report of a finding, threads that wait for each other,
 * memory, signals. */
static const struct request {
  const char *name;
  struct seccomp_data data;
} requests[] = {
#define REQUEST(name, ...)                                                 \
  {                                                                        \
#name, {                                                               \
      .nr = SYS_##name, .arch = AUDIT_ARCH_X86_64, .args = { __VA_ARGS__ } \
    }                                                                      \
  }
    REQUEST(close, 1000),
    REQUEST(exit_group, 0),
    REQUEST(fcntl, 3, F_DUPFD_CLOEXEC, 0),
    REQUEST(getpid),
    REQUEST(gettid),
    REQUEST(madvise, 0, 65536, MADV_DONTNEED),
    REQUEST(mmap, 0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, ~0ull, 0),
    REQUEST(munmap, 0, 1 << 20),
    REQUEST(nanosleep),
    REQUEST(newfstatat, 1000, 0, 0, AT_EMPTY_PATH),
    REQUEST(openat, (uint64_t)AT_FDCWD, 0, O_RDONLY | O_CLOEXEC),
    REQUEST(pread64, 1000, 0, 4096, 0),
    REQUEST(rt_sigprocmask, SIG_SETMASK),
    REQUEST(sched_yield),
    REQUEST(write, 2)};
enum { REQUESTS = sizeof requests / sizeof requests[0], MOST_STEPS = 4096 };

static uint32_t operate(uint16_t code, uint32_t a, uint32_t b) {
  switch (BPF_OP(code)) {
    case BPF_ADD:
      return a + b;
    case BPF_SUB:
      return a - b;
    case BPF_MUL:
      return a * b;
    case BPF_DIV:
      return b ? a / b : 0;
    case BPF_OR:
      return a | b;
    case BPF_AND:
      return a & b;
    case BPF_XOR:
      return a ^ b;
    case BPF_LSH:
      return b < 32 ? a << b : 0;
    case BPF_RSH:
      return b < 32 ? a >> b : 0;
    default:
      return -a;
  }
}

static bool holds(uint16_t code, uint32_t a, uint32_t b) {
  switch (BPF_OP(code)) {
    case BPF_JEQ:
      return a == b;
    case BPF_JGT:
      return a > b;
    case BPF_JGE:
      return a >= b;
    default:
      return (a & b) != 0;
  }
}

/* What a filter says to a request: SECCOMP_RET_ALLOW or another. The kernel refuses programs that this one cannot follow. */
static uint32_t answer(const struct sock_fprog *p, const struct seccomp_data *data) {
  uint32_t a = 0, x = 0, memory[BPF_MEMWORDS] = {0};
  for (unsigned at = 0, steps = 0; at < p->len && steps < MOST_STEPS; at++, steps++) {
    struct sock_filter i = p->filter[at];
    uint32_t k = i.k, word = k < BPF_MEMWORDS ? memory[k] : 0;
    switch (BPF_CLASS(i.code)) {
      case BPF_LD:
      case BPF_LDX: {
        uint32_t value = BPF_MODE(i.code) == BPF_MEM ? word : BPF_MODE(i.code) == BPF_LEN ? (uint32_t)sizeof *data : k;
        if (BPF_MODE(i.code) == BPF_ABS && k <= sizeof *data - sizeof value) rt_copy(&value, (const char *)data + k, sizeof value);
        *(BPF_CLASS(i.code) == BPF_LD ? &a : &x) = value;
        break;
      }
      case BPF_ST:
      case BPF_STX:
        if (k < BPF_MEMWORDS) memory[k] = BPF_CLASS(i.code) == BPF_ST ? a : x;
        break;
      case BPF_ALU:
        a = operate(i.code, a, BPF_SRC(i.code) == BPF_X ? x : k);
        break;
      case BPF_JMP:
        if (BPF_OP(i.code) == BPF_JA)
          at += k;
        else
          at += holds(i.code, a, BPF_SRC(i.code) == BPF_X ? x : k) ? i.jt : i.jf;
        break;
      case BPF_RET:
        return BPF_RVAL(i.code) == BPF_A ? a : k;
      default:
        if (BPF_MISCOP(i.code) == BPF_TAX)
          x = a;
        else
          a = x;
    }
  }
  return SECCOMP_RET_ALLOW;
}

static bool kills(uint32_t what) {
  what &= SECCOMP_RET_ACTION_FULL;
  return what == SECCOMP_RET_KILL_PROCESS || what == SECCOMP_RET_KILL_THREAD || what == SECCOMP_RET_TRAP;
}

/* p: NULL for the mode without a filter, in which a thread may only read, write and end. */
static void tell_killed(const struct sock_fprog *p) {
  static struct rt_text names;
  static bool told;
  unsigned n = 0;
  if (__atomic_exchange_n(&told, true, __ATOMIC_RELAXED)) return;
  for (unsigned i = 0; i < REQUESTS; i++)
    if (!p || kills(answer(p, &requests[i].data))) rt_printf(&names, "%s%s", n++ ? ", " : "", requests[i].name);
  if (n)
    rt_say("heddle: from here on the system ends the program (SIGSYS) at calls that the runtime makes, too: let its filter allow %s\n",
           names.data);
  else
    told = false;
}

static void before_seccomp(struct thread *t, unsigned long mode, const struct sock_fprog *p) {
  reports_keep_files(t);
  thread_enter(t);
  if (mode == SECCOMP_MODE_STRICT || (mode == SECCOMP_MODE_FILTER && p)) tell_killed(mode == SECCOMP_MODE_STRICT ? NULL : p);
  thread_leave(t);
}
static void before_prctl(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f, (void)pc;
  if ((int)arguments[0] == PR_SET_NAME) thread_name(t->info->number, (const char *)arguments[1]);
  if ((int)arguments[0] == PR_SET_SECCOMP) before_seccomp(t, arguments[1], (const struct sock_fprog *)arguments[2]);
}
static void before_call(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc) {
  (void)f, (void)pc;
  if (call_forks(arguments)) runtime_before_fork();
  if ((long)arguments[0] != SYS_seccomp) return;
  if (arguments[1] == SECCOMP_SET_MODE_STRICT) before_seccomp(t, SECCOMP_MODE_STRICT, NULL);
  if (arguments[1] == SECCOMP_SET_MODE_FILTER) before_seccomp(t, SECCOMP_MODE_FILTER, (const struct sock_fprog *)arguments[3]);
}
static void after_call(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc) {
  (void)t, (void)f, (void)pc;
  if (call_forks(arguments)) runtime_after_fork(result == 0);
}
static const struct role PROCESS = {.before = before_prctl};
const struct role CALLS = {.before = before_call, .after = after_call};
ROW(prctl, PROCESS, NUMBER)

/* The runtime's own (--wrap): it may make them where a thread is not known yet. */
long __wrap_syscall(long number, ...);
__asm__(
    ".pushsection .text\n.globl __wrap_syscall\n.hidden __wrap_syscall\n.type __wrap_syscall,@function\n__wrap_syscall:\n"
    "  endbr64\n  mov %rdi, %rax\n  mov %rsi, %rdi\n  mov %rdx, %rsi\n  mov %rcx, %rdx\n  mov %r8, %r10\n  mov %r9, %r8\n"
    "  mov 8(%rsp), %r9\n  syscall\n  cmp $-4095, %rax\n  jae 1f\n  ret\n"
    "1: push %rbx\n  mov %eax, %ebx\n  neg %ebx\n  call *__errno_location@GOTPCREL(%rip)\n  mov %ebx, (%rax)\n  pop %rbx\n"
    "  mov $-1, %rax\n  ret\n.size __wrap_syscall, .-__wrap_syscall\n.popsection\n");

/* Limits of memory are those of the program: what the runtime has comes on top of them, with room for what it maps as it goes on. The same
 * for all limits of the process, so that they stay in their order. */
static rlim_t own_share(void) {
  enum { ROOM = 1 << 30 };
  static rlim_t share;
  rlim_t none = 0;
  if (!__atomic_load_n(&share, __ATOMIC_RELAXED))
    __atomic_compare_exchange_n(&share, &none, rt_reserved() + rt_mapped() + ROOM, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return __atomic_load_n(&share, __ATOMIC_RELAXED);
}

static bool is_memory(int resource) { return resource == RLIMIT_AS || resource == RLIMIT_DATA; }
static rlim_t raised(rlim_t limit) { return limit < RLIM_INFINITY - own_share() ? limit + own_share() : limit; }
static rlim_t lowered(rlim_t limit) { return limit != RLIM_INFINITY && limit >= own_share() ? limit - own_share() : limit; }

static const struct rlimit *raise_limits(int resource, const struct rlimit *asked, struct rlimit *room) {
  if (!asked || !is_memory(resource)) return asked;
  room->rlim_cur = raised(asked->rlim_cur), room->rlim_max = raised(asked->rlim_max);
  return room;
}
static void lower_limits(int resource, struct rlimit *told) {
  if (told && is_memory(resource)) told->rlim_cur = lowered(told->rlim_cur), told->rlim_max = lowered(told->rlim_max);
}

static int set_limit(int (*next)(__rlimit_resource_t, const struct rlimit *), int resource, const struct rlimit *asked, uintptr_t pc) {
  struct rlimit room;
  touches(asked ? watched() : NULL, asked, sizeof *asked, SITE_READ, pc);
  return next(resource, raise_limits(resource, asked, &room));
}
static int get_limit(int (*next)(__rlimit_resource_t, struct rlimit *), int resource, struct rlimit *told, uintptr_t pc) {
  int e = next(resource, told);
  if (e != 0 || !told) return e;
  lower_limits(resource, told);
  touches(watched(), told, sizeof *told, SITE_WRITE, pc);
  return e;
}
PUBLIC int setrlimit(__rlimit_resource_t resource, const struct rlimit *asked) {
  return set_limit(NEXT(setrlimit), (int)resource, asked, CALLER);
}
PUBLIC int getrlimit(__rlimit_resource_t resource, struct rlimit *told) { return get_limit(NEXT(getrlimit), (int)resource, told, CALLER); }
PUBLIC int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *asked) {
  return set_limit(NEXT(setrlimit), (int)resource, (const struct rlimit *)(const void *)asked, CALLER);
}
PUBLIC int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *told) {
  return get_limit(NEXT(getrlimit), (int)resource, (struct rlimit *)(void *)told, CALLER);
}

static int change_limit(pid_t pid, int resource, const struct rlimit *asked, struct rlimit *told, uintptr_t pc) {
  struct rlimit room;
  struct thread *t = watched();
  bool own = pid == 0 || pid == getpid();
  if (asked) touches(t, asked, sizeof *asked, SITE_READ, pc);
  int e = NEXT(prlimit)(pid, (__rlimit_resource_t)resource, own ? raise_limits(resource, asked, &room) : asked, told);
  if (e == 0 && told && own) lower_limits(resource, told);
  if (e == 0 && told) touches(t, told, sizeof *told, SITE_WRITE, pc);
  return e;
}
PUBLIC int prlimit(pid_t pid, __rlimit_resource_t resource, const struct rlimit *asked, struct rlimit *told) {
  return change_limit(pid, (int)resource, asked, told, CALLER);
}
PUBLIC int prlimit64(pid_t pid, __rlimit_resource_t resource, const struct rlimit64 *asked, struct rlimit64 *told) {
  return change_limit(pid, (int)resource, (const struct rlimit *)(const void *)asked, (struct rlimit *)(void *)told, CALLER);
}

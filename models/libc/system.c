/* The process and the machine it seems to run on: one fixed answer each. */
#include <errno.h>
#include <gnu/libc-version.h>
#include <grp.h>
#include <limits.h>
#include <mcheck.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "settings.h"

enum { SELF = 4242, PARENT = 4241, USER = 1000, PAGE = 4096, PROCESSORS = HD_PROCESSORS };

pid_t getpid(void) { return SELF; }
pid_t getppid(void) { return PARENT; }
/* The first thread's number is the process's. A thread's handle is its region's address (src/program/layout.h). */
pid_t gettid(void) { return SELF + (pid_t)(pthread_self() / (1ul << 32)) - 0x2001; }
pthread_t __hd_thread_of_number(pid_t number) { return ((pthread_t)(number - SELF) + 0x2001) << 32; }
pid_t getpgrp(void) { return SELF; }
pid_t getpgid(pid_t process) { return (void)process, SELF; }
pid_t getsid(pid_t process) { return (void)process, SELF; }
uid_t getuid(void) { return USER; }
uid_t geteuid(void) { return USER; }
gid_t getgid(void) { return USER; }
gid_t getegid(void) { return USER; }

/* The real, the effective and the saved user are all this one, and whoever is not root may become no other. -1: as it is. */
static int become(unsigned who) { return who == USER || who == -1u ? 0 : (HD_ERRNO = EPERM, -1); }
static int become_all(unsigned real, unsigned effective, unsigned saved) {
  return become(real) || become(effective) || become(saved) ? -1 : 0;
}
int setuid(uid_t user) { return user == -1u ? (HD_ERRNO = EINVAL, -1) : become(user); }
int setgid(gid_t group) { return group == -1u ? (HD_ERRNO = EINVAL, -1) : become(group); }
int seteuid(uid_t user) { return setuid(user); }
int setegid(gid_t group) { return setgid(group); }
int setreuid(uid_t real, uid_t effective) { return become_all(real, effective, USER); }
int setregid(gid_t real, gid_t effective) { return become_all(real, effective, USER); }
int setresuid(uid_t real, uid_t effective, uid_t saved) { return become_all(real, effective, saved); }
int setresgid(gid_t real, gid_t effective, gid_t saved) { return become_all(real, effective, saved); }
int getresuid(uid_t *real, uid_t *effective, uid_t *saved) { return *real = *effective = *saved = USER, 0; }
int getresgid(gid_t *real, gid_t *effective, gid_t *saved) { return *real = *effective = *saved = USER, 0; }

/* There is no data base of users and groups: nobody is found, which is no error. */
struct passwd *getpwuid(uid_t user) {
  HD_SHARED_RESULT(getpwuid);
  return (void)user, HD_ERRNO = 0, NULL;
}
struct passwd *getpwnam(const char *name) {
  HD_SHARED_RESULT(getpwnam);
  return (void)name, HD_ERRNO = 0, NULL;
}
struct group *getgrgid(gid_t group) {
  HD_SHARED_RESULT(getgrgid);
  return (void)group, HD_ERRNO = 0, NULL;
}
struct group *getgrnam(const char *name) {
  HD_SHARED_RESULT(getgrnam);
  return (void)name, HD_ERRNO = 0, NULL;
}
int getpwuid_r(uid_t user, struct passwd *to, char *buffer, size_t n, struct passwd **result) {
  return (void)user, (void)to, (void)buffer, (void)n, *result = NULL, 0;
}
int getpwnam_r(const char *name, struct passwd *to, char *buffer, size_t n, struct passwd **result) {
  return (void)name, (void)to, (void)buffer, (void)n, *result = NULL, 0;
}

/* One group, the user's own; whoever is not root may not change that. */
int getgroups(int size, gid_t *to) {
  if (size > 0) *to = USER;
  return size < 0 ? (HD_ERRNO = EINVAL, -1) : 1;
}
int setgroups(size_t n, const gid_t *groups) { return (void)n, (void)groups, HD_ERRNO = EPERM, -1; }

int getpagesize(void) { return PAGE; }
int getdtablesize(void) { return 256; }
long gethostid(void) { return 1; }
int issetugid(void);
int issetugid(void) { return 0; }
unsigned long getauxval(unsigned long type);
unsigned long getauxval(unsigned long type) { return type == 6 ? PAGE : 0; }
int get_nprocs(void) { return PROCESSORS; }
int get_nprocs_conf(void) { return PROCESSORS; }
long get_phys_pages(void) { return 1l << 20; }
long get_avphys_pages(void) { return 1l << 19; }

long sysconf(int name) {
  switch (name) {
    case _SC_PAGESIZE:
      return PAGE;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN:
      return PROCESSORS;
    case _SC_PHYS_PAGES:
      return 1l << 20;
    case _SC_AVPHYS_PAGES:
      return 1l << 19;
    case _SC_CLK_TCK:
      return 100;
    case _SC_OPEN_MAX:
      return 256;
    case _SC_ARG_MAX:
      return 2097152;
    case _SC_IOV_MAX:
      return 1024;
    case _SC_HOST_NAME_MAX:
      return 64;
    case _SC_LOGIN_NAME_MAX:
      return 256;
    case _SC_LINE_MAX:
      return 2048;
    case _SC_THREAD_KEYS_MAX:
      return PTHREAD_KEYS_MAX;
    case _SC_THREAD_DESTRUCTOR_ITERATIONS:
      return PTHREAD_DESTRUCTOR_ITERATIONS;
    case _SC_THREAD_STACK_MIN:
      return 16384;
    case _SC_MINSIGSTKSZ:
      return 2048;
    case _SC_SIGSTKSZ:
      return 8192;
    case _SC_GETPW_R_SIZE_MAX:
    case _SC_GETGR_R_SIZE_MAX:
      return 1024;
    case _SC_LEVEL1_DCACHE_LINESIZE:
      return 64;
    case _SC_LEVEL1_DCACHE_SIZE:
      return 32768;
    case _SC_VERSION:
    case _SC_THREADS:
    case _SC_BARRIERS:
    case _SC_SPIN_LOCKS:
    case _SC_SEMAPHORES:
    case _SC_TIMERS:
    case _SC_MONOTONIC_CLOCK:
    case _SC_READER_WRITER_LOCKS:
      return 200809;
    default:
      return HD_ERRNO = EINVAL, -1;
  }
}

long __sysconf(int name);
long __sysconf(int name) { return sysconf(name); }

static long path_limit(int name) {
  switch (name) {
    case _PC_NAME_MAX:
      return 255;
    case _PC_PATH_MAX:
      return 4096;
    case _PC_PIPE_BUF:
      return 4096;
    default:
      return HD_ERRNO = EINVAL, -1;
  }
}

long pathconf(const char *path, int name) { return (void)path, path_limit(name); }
long fpathconf(int fd, int name) { return (void)fd, path_limit(name); }

static int copy_text(char *to, size_t size, const char *text) {
  size_t n = hd_strlen(text) + 1;
  if (n > size) return ENAMETOOLONG;
  __builtin_memcpy(to, text, n);
  return 0;
}

int gethostname(char *to, size_t size) {
  int error = copy_text(to, size, "heddle");
  if (error) HD_ERRNO = error;
  return error ? -1 : 0;
}

int getlogin_r(char *to, size_t size) { return copy_text(to, size, "user") ? ERANGE : 0; }
char *getlogin(void) {
  HD_SHARED_RESULT(getlogin);
  return (char *)"user";
}

/* The one that the models were written after. */
const char *gnu_get_libc_version(void) { return "2.36"; }
const char *gnu_get_libc_release(void) { return "stable"; }

int uname(struct utsname *to) {
  *to = (struct utsname){.sysname = "Linux", .nodename = "heddle", .release = "6.0.0", .version = "#1", .machine = "x86_64"};
  return 0;
}

int getrlimit(__rlimit_resource_t resource, struct rlimit *to) {
  rlim_t stack = 8u << 20;
  *to = (struct rlimit){resource == RLIMIT_STACK ? stack : RLIM_INFINITY, RLIM_INFINITY};
  return 0;
}

int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *to) { return getrlimit(resource, (struct rlimit *)to); }
/* Without MALLOC_TRACE in the environment, which there is not, they do nothing. */
void mtrace(void) {}
void muntrace(void) {}

/* One that can be noticed: of memory that is mapped. */
int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit) {
  if (resource == RLIMIT_AS) __hd_limit_mappings(limit->rlim_cur);
  return 0;
}
int getpriority(__priority_which_t which, id_t who) { return (void)which, (void)who, 0; }
int setpriority(__priority_which_t which, id_t who, int priority) { return (void)which, (void)who, (void)priority, 0; }
int nice(int change) { return (void)change, 0; }
int getloadavg(double loads[], int n) {
  for (int i = 0; i < n && i < 3; i++) loads[i] = 0;
  return n < 3 ? n : 3;
}

int __sched_cpucount(size_t size, const cpu_set_t *set) {
  int count = 0;
  for (size_t i = 0; i < size / sizeof(__cpu_mask); i++) count += __builtin_popcountl(set->__bits[i]);
  return count;
}

cpu_set_t *__sched_cpualloc(size_t count) { return malloc(CPU_ALLOC_SIZE(count)); }
void __sched_cpufree(cpu_set_t *set) { free(set); }

/* What __builtin_cpu_supports() looks at: what every x86-64 processor has. Bits as compiler-rt numbers them. */
enum { CPU_CMOV = 1 << 0, CPU_MMX = 1 << 1, CPU_SSE = 1 << 3, CPU_SSE2 = 1 << 4 };
struct cpu_model {
  unsigned vendor, type, subtype, features[1];
};
extern struct cpu_model __cpu_model;
struct cpu_model __cpu_model = {0, 0, 0, {CPU_CMOV | CPU_MMX | CPU_SSE | CPU_SSE2}};
extern unsigned __cpu_features2[3];
unsigned __cpu_features2[3] = {0};
int __cpu_indicator_init(void);
int __cpu_indicator_init(void) { return 0; }

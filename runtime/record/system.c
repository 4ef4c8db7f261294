#include "record/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/hash.h"
#include "base/spec.h"
#include "intercept/library.h"
#include "record/kept.h"
#include "record/outside.h"
#include "record/record.h"

/* SYSTEM: what has no other part here: names of files, descriptors, limits, users, locale. STATE: what functions of the C library keep for
 * themselves. CONTENTS: of the file, or the channel, of a descriptor. Others are of several: */
enum part {
  NONE,
  ENVIRONMENT,
  SYSTEM,
  STATE,
  CHANNEL,
  CONTENTS,
  NETWORK, /* SYSTEM and CHANNEL */
  FILES,   /* SYSTEM and all CONTENTS */
  STREAMS, /* CONTENTS of a stream; of NULL, all */
  LOCKS,   /* SYSTEM, and CONTENTS, if a file is locked */
  ALL,
  WATCHED /* SYSTEM; and from then on, who waits for channels may be told of it */
};
enum use { SEES, ALTERS };

static const struct list {
  uint8_t part, use;
  const char *names;
} lists[] = {
    {ENVIRONMENT, SEES, "getenv secure_getenv tzset localtime localtime_r mktime ctime ctime_r strftime wordexp"},
    {ENVIRONMENT, ALTERS, "setenv unsetenv putenv clearenv"},
    {SYSTEM, SEES,
     "access faccessat euidaccess eaccess readlink readlinkat __readlink_chk __readlinkat_chk realpath "
     "__realpath_chk canonicalize_file_name getcwd __getcwd_chk get_current_dir_name glob glob64 scandir scandir64 "
     "readdir readdir64 readdir_r readdir64_r opendir ftw ftw64 nftw nftw64 fts_open fts_read fts_children getxattr "
     "lgetxattr fgetxattr listxattr llistxattr flistxattr pathconf fpathconf ftok getuid geteuid getgid getegid "
     "getresuid getresgid getgroups getpgid getpgrp getsid getpriority getrlimit getrlimit64 sched_getaffinity "
     "sched_getscheduler sched_getparam pthread_getschedparam pthread_getaffinity_np pthread_getname_np localeconv "
     "nl_langinfo __ctype_get_mb_cur_max gethostname __gethostname_chk uname sigpending getitimer sysconf "
     "getdtablesize getsockopt getsockname getpeername tcgetattr mincore timer_gettime "
     "getmntent"},
    {SYSTEM, ALTERS,
     "open open64 __open_2 __open64_2 openat openat64 __openat_2 __openat64_2 creat creat64 fopen fopen64 freopen "
     "freopen64 fdopen mkstemp mkstemp64 mkostemp mkostemp64 mkstemps mkstemps64 mkdtemp tmpfile tmpfile64 tmpnam "
     "tempnam link linkat unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir remove symlink symlinkat "
     "chmod fchmod fchmodat chown fchown lchown fchownat mkfifo mkfifoat mknod mknodat chdir fchdir chroot utime "
     "utimes lutimes futimes futimens utimensat setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr "
     "shm_open shm_unlink sem_open sem_close sem_unlink mq_open mq_unlink inotify_add_watch inotify_rm_watch umask "
     "setuid seteuid setgid setegid setreuid setregid setresuid setresgid setgroups initgroups setpgid setpgrp "
     "setsid nice setpriority setrlimit setrlimit64 prlimit prlimit64 prctl personality sched_setscheduler "
     "sched_setparam sched_setaffinity pthread_setschedparam pthread_setaffinity_np pthread_setname_np setlocale "
     "sethostname setitimer alarm ualarm timer_settime tcsetattr tcflush tcdrain mprotect madvise mlock mlock2 "
     "munlock mlockall munlockall msync shmget shmat shmdt shmctl dlopen dlmopen dlclose flock lockf textdomain "
     "dup dup2 dup3 pipe pipe2 socketpair epoll_create epoll_create1 eventfd timerfd_create signalfd "
     "memfd_create posix_openpt grantpt unlockpt setmntent addmntent unshare"},
    {STATE, ALTERS,
     "rand random srand srandom initstate setstate drand48 lrand48 mrand48 srand48 seed48 lcong48 getopt getopt_long "
     "getopt_long_only strerror strsignal inet_ntoa openlog closelog setlogmask getpwent setpwent endpwent getgrent "
     "setgrent endgrent hcreate hsearch hdestroy ecvt fcvt l64a crypt mallopt bindtextdomain"},
    {NETWORK, ALTERS, "bind listen connect setsockopt shutdown close socket accept accept4 ioctl semget semctl msgget msgctl"},
    {CHANNEL, SEES, "poll __poll_chk ppoll select pselect epoll_wait epoll_pwait epoll_pwait2 mq_getattr timerfd_gettime"},
    {CHANNEL, ALTERS,
     "epoll_ctl eventfd_read eventfd_write send sendto sendmsg sendmmsg recv recvfrom recvmsg recvmmsg __recv_chk "
     "__recvfrom_chk mq_send mq_timedsend mq_receive mq_timedreceive mq_notify mq_setattr msgsnd msgrcv semop "
     "semtimedop timerfd_settime splice tee vmsplice"},
    {CONTENTS, SEES, "pread pread64 __pread_chk __pread64_chk preadv preadv64 preadv2 preadv64v2 fstat fstat64"},
    {CONTENTS, ALTERS,
     "read __read_chk readv write writev pwrite pwrite64 pwritev pwritev64 pwritev2 pwritev64v2 lseek lseek64 "
     "ftruncate ftruncate64 fallocate fallocate64 posix_fallocate posix_fallocate64"},
    {FILES, SEES,
     "stat stat64 lstat lstat64 fstatat fstatat64 statx __xstat __xstat64 __lxstat __lxstat64 __fxstat __fxstat64 __fxstatat "
     "__fxstatat64 statfs statfs64 fstatfs fstatfs64 statvfs statvfs64 fstatvfs fstatvfs64"},
    {FILES, ALTERS, "fclose truncate truncate64 sendfile sendfile64 copy_file_range"},
    {STREAMS, ALTERS,
     "fread __fread_chk fgets __fgets_chk getline getdelim __getdelim fread_unlocked fgets_unlocked fseek fseeko rewind fsetpos "
     "fflush"},
    {ALL, ALTERS, "wait waitpid wait3 wait4 waitid system popen pclose posix_spawn posix_spawnp execv execve execvp kill"},
    {LOCKS, ALTERS, "fcntl fcntl64"},
    {WATCHED, ALTERS, "inotify_init inotify_init1"},
};

enum { LONGEST = 32, FUNCTIONS = 1 << 11, USES = 2 };

/* Functions without a row, by their addresses, and what they are; 0: nothing is here. */
static uint64_t functions[FUNCTIONS];
static bool watches;

static uint32_t code_of(enum part part, enum use use) { return MODULE_SYSTEM + (uint32_t)(part * USES + use); }
static uint64_t *place_of(uintptr_t function) {
  uint64_t i = hash_mix(function);
  while (functions[i % FUNCTIONS] && functions[i % FUNCTIONS] >> OUTSIDE_BITS != function) i++;
  return &functions[i % FUNCTIONS];
}

static void add(const char *name, uint32_t code) {
  struct library_function *row = library_row(name);
  if (row) row->system = (uint8_t)code;
  void *places[] = {RTLD_NEXT, RTLD_DEFAULT}; /* the runtime may stand before the C library's, in a way of its own */
  for (unsigned i = 0; i < 2 && !row; i++) {
    uintptr_t function = (uintptr_t)dlsym(places[i], name);
    if (function) *place_of(function) = (uint64_t)function << OUTSIDE_BITS | code;
  }
}

void system_start(void) {
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    for (const char *at = lists[i].names, *end; *at; at = *end ? end + 1 : end) {
      char name[LONGEST];
      for (end = at; *end && *end != ' ';) end++;
      rt_copy(name, at, (size_t)(end - at));
      name[end - at] = 0;
      add(name, code_of(lists[i].part, lists[i].use));
    }
}

uint32_t system_function(uintptr_t function) {
  uint64_t there = *place_of(function);
  return there ? there & ((1u << OUTSIDE_BITS) - 1) : MODULE_LIBRARY;
}

/* Variables: one for each part, and some for contents, of which few files have the same. */
enum { EACH_FILE = 8 };
_Static_assert(CONTENTS + EACH_FILE <= KEPT_SYSTEM_VARIABLES, "room");
_Static_assert(MODULE_SYSTEM + (WATCHED + 1) * USES <= 1 << OUTSIDE_BITS, "codes");

static void use_variable(struct thread *t, uint32_t variable, bool alters) { kept_passes(t, KEPT_SYSTEM + variable, alters); }

static void use_channels(struct thread *t, bool alters) {
  use_variable(t, CHANNEL, alters);
  if (__atomic_load_n(&watches, __ATOMIC_RELAXED)) use_variable(t, SYSTEM, false);
}

static void use_all_contents(struct thread *t, bool alters) {
  for (uint32_t i = 0; i < EACH_FILE; i++) use_variable(t, CONTENTS + i, alters);
}

static bool locks_file(const uintptr_t *arguments) {
  int what = (int)arguments[1];
  return what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK || what == F_OFD_SETLKW;
}

static void use_contents(struct thread *t, int fd, bool alters) {
  enum { MEMORY = 1 }; /* /dev/null and the like: they keep nothing */
  struct stat s;
  int saved = errno;
  bool there = NEXT(fstat)(fd, &s) == 0;
  errno = saved;
  if (!there || (S_ISCHR(s.st_mode) && major(s.st_rdev) == MEMORY)) return;
  if (S_ISREG(s.st_mode) || S_ISBLK(s.st_mode))
    use_variable(t, CONTENTS + (uint32_t)(hash_pair(s.st_dev, s.st_ino) % EACH_FILE), alters);
  else
    use_channels(t, alters);
}

static void use_stream(struct thread *t, FILE *f, bool alters) {
  int saved = errno, fd = f ? fileno(f) : -1;
  errno = saved;
  if (f) use_contents(t, fd, alters);
  if (!f) use_all_contents(t, alters);
}

/* f, arguments: NULL if the function has no row. */
static void uses(struct thread *t, uint32_t code, const struct library_function *f, const uintptr_t *arguments) {
  enum part part = (enum part)((code - MODULE_SYSTEM) / USES);
  bool alters = (code - MODULE_SYSTEM) % USES == ALTERS;
  if (part == WATCHED) __atomic_store_n(&watches, true, __ATOMIC_RELAXED);
  if (part <= STATE) use_variable(t, part, alters);
  if (part == NETWORK || part == FILES || part == LOCKS || part == ALL || part == WATCHED) use_variable(t, SYSTEM, alters);
  if (part == CHANNEL || part == NETWORK || part == ALL) use_channels(t, alters);
  if (part == CONTENTS && arguments) use_contents(t, (int)arguments[0], alters);
  if (part == LOCKS && arguments && locks_file(arguments)) use_contents(t, (int)arguments[0], true);
  if (part == STREAMS && f && f->action) use_stream(t, (FILE *)arguments[f->action->on], alters);
  if (part == FILES || part == ALL) use_all_contents(t, alters);
  if (part == ALL) use_variable(t, ENVIRONMENT, alters), use_variable(t, STATE, alters);
}

void system_uses(struct thread *t, uint32_t function) { uses(t, function, NULL, NULL); }

void system_begins(struct thread *t, const struct library_function *f, const uintptr_t *arguments) {
  if (f->system) uses(t, f->system, f, arguments);
}
void system_ends(struct thread *t, const struct library_function *f, const uintptr_t *arguments) {
  if (!f->system) return;
  uses(t, f->system, f, arguments);
  record_decided_outside(t);
}

void system_alters(struct thread *t) { use_variable(t, SYSTEM, true); }
void system_alters_all(struct thread *t) { uses(t, code_of(ALL, ALTERS), NULL, NULL); }

#include "record/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "intercept/library.h"
#include "record/kept.h"
#include "record/outside.h"
#include "record/record.h"

/* WATCHED: names of files, if somebody is told of their changes (inotify). STATE: what functions of the C library keep for themselves. */
enum part { NONE, ENVIRONMENT, NAMES, PROCESS, STATE, NETWORK, WATCHED, DESCRIPTOR /* by number */, CONTENTS /* by file */ };
enum use { SEES, ALTERS, MAKES, MAKES_AT, MAKES_STREAM /* ALTERS, by an argument, if it may make a file */ };

static const struct list {
  uint8_t part, use;
  const char *names;
} lists[] = {
    {ENVIRONMENT, SEES, "getenv secure_getenv tzset localtime localtime_r mktime ctime ctime_r strftime"},
    {ENVIRONMENT, ALTERS, "setenv unsetenv putenv clearenv"},
    {NAMES, SEES,
     "access faccessat euidaccess eaccess stat stat64 lstat lstat64 fstatat fstatat64 statx __xstat __xstat64 "
     "__lxstat __lxstat64 __fxstatat __fxstatat64 statfs statfs64 statvfs statvfs64 readlink readlinkat "
     "__readlink_chk __readlinkat_chk realpath __realpath_chk canonicalize_file_name getcwd __getcwd_chk "
     "get_current_dir_name glob glob64 scandir scandir64 readdir readdir64 readdir_r readdir64_r opendir ftw ftw64 "
     "nftw nftw64 fts_open fts_read fts_children getxattr lgetxattr listxattr llistxattr pathconf"},
    {NAMES, ALTERS,
     "creat creat64 mkstemp mkstemp64 mkostemp mkostemp64 mkstemps mkstemps64 mkdtemp tmpfile tmpfile64 tmpnam "
     "tempnam link linkat unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir remove symlink symlinkat "
     "chmod fchmod fchmodat chown fchown lchown fchownat truncate truncate64 mkfifo mkfifoat mknod mknodat chdir "
     "fchdir chroot utime utimes lutimes futimes futimens utimensat setxattr lsetxattr fsetxattr removexattr "
     "lremovexattr fremovexattr shm_open shm_unlink sem_unlink mq_open mq_unlink system popen posix_spawn "
     "posix_spawnp inotify_add_watch inotify_rm_watch"},
    {NAMES, MAKES, "open open64 __open_2 __open64_2"},
    {NAMES, MAKES_AT, "openat openat64 __openat_2 __openat64_2"},
    {NAMES, MAKES_STREAM, "fopen fopen64 freopen freopen64"},
    {PROCESS, SEES,
     "getuid geteuid getgid getegid getresuid getresgid getgroups getpgid getpgrp getsid getpriority getrlimit "
     "getrlimit64 sched_getaffinity sched_getscheduler sched_getparam pthread_getschedparam pthread_getaffinity_np "
     "pthread_getname_np localeconv nl_langinfo gethostname __gethostname_chk uname sigpending getitimer"},
    {PROCESS, ALTERS,
     "umask setuid seteuid setgid setegid setreuid setregid setresuid setresgid setgroups initgroups setpgid setpgrp "
     "setsid nice setpriority setrlimit setrlimit64 prlimit prlimit64 prctl personality sched_setscheduler "
     "sched_setparam sched_setaffinity pthread_setschedparam pthread_setaffinity_np pthread_setname_np setlocale "
     "sethostname setitimer alarm ualarm kill sigqueue wait waitpid wait3 wait4 waitid"},
    {STATE, ALTERS,
     "rand random srand srandom initstate setstate drand48 lrand48 mrand48 srand48 seed48 lcong48 getopt "
     "getopt_long getopt_long_only strerror strsignal inet_ntoa openlog closelog setlogmask getpwent setpwent "
     "endpwent getgrent setgrent endgrent hcreate hsearch hdestroy ecvt fcvt l64a crypt mallopt"},
    {NETWORK, SEES, "getsockopt getsockname getpeername"},
    {NETWORK, ALTERS, "bind listen connect setsockopt shutdown"},
    {DESCRIPTOR, SEES, "tcgetattr"},
    {DESCRIPTOR, ALTERS, "fcntl fcntl64 ioctl tcsetattr tcflush tcdrain"},
    {CONTENTS, SEES, "pread pread64 __pread_chk __pread64_chk preadv preadv64 preadv2 preadv64v2 fstat fstat64 __fxstat __fxstat64"},
    {CONTENTS, ALTERS,
     "read __read_chk readv write writev pwrite pwrite64 pwritev pwritev64 pwritev2 pwritev64v2 lseek lseek64 "
     "ftruncate ftruncate64 fallocate fallocate64 posix_fallocate posix_fallocate64 sendfile sendfile64"},
    {WATCHED, ALTERS, "inotify_init inotify_init1"},
    {WATCHED, SEES, "poll __poll_chk ppoll select pselect epoll_wait epoll_pwait epoll_pwait2"},
};

enum { LONGEST = 32, FUNCTIONS = 1 << 11, USES = 1 << 3 };

/* Functions without a row, by their addresses, and what they are; 0: nothing is here. */
static uint64_t functions[FUNCTIONS];
static bool watches; /* inotify was asked for something */

static uint32_t code_of(enum part part, enum use use) { return MODULE_SYSTEM + (uint32_t)(part * USES + use); }
static uint64_t *place_of(uintptr_t function) {
  uint64_t i = hash_mix(function);
  while (functions[i % FUNCTIONS] && functions[i % FUNCTIONS] >> OUTSIDE_BITS != function) i++;
  return &functions[i % FUNCTIONS];
}

static struct library_function *row_of(const char *name) {
  for (struct library_function *const *f = __start_library_functions; f < __stop_library_functions; f++)
    if (rt_equal((*f)->name, name)) return *f;
  return NULL;
}

static void add(const char *name, uint32_t code) {
  struct library_function *row = row_of(name);
  uintptr_t function = row ? 0 : (uintptr_t)dlsym(RTLD_NEXT, name);
  if (row) row->system = (uint8_t)code;
  if (function) *place_of(function) = (uint64_t)function << OUTSIDE_BITS | code;
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

/* Which of several variables, behind those of one for each part. */
enum { PARTS = CONTENTS + 1, EACH_DESCRIPTOR = 16, EACH_FILE = 32 };
_Static_assert(PARTS + EACH_DESCRIPTOR + EACH_FILE <= KEPT_SYSTEM_VARIABLES, "room");
_Static_assert(MODULE_SYSTEM + PARTS * USES <= 1 << OUTSIDE_BITS, "codes");
static uint32_t of_descriptor(uintptr_t fd) { return PARTS + (uint32_t)fd % EACH_DESCRIPTOR; }

static bool may_make(enum use use, const uintptr_t *arguments) {
  int makes = O_CREAT | O_TRUNC;
  if (use == MAKES || use == MAKES_AT) return ((int)arguments[use == MAKES ? 1 : 2] & makes) != 0;
  return use == ALTERS || !arguments[1] || *(const char *)arguments[1] != 'r';
}

static void use_variable(struct thread *t, uint32_t variable, bool changes) { kept_passes(t, KEPT_SYSTEM + variable, changes); }

/* What is no file on a disk may tell of such. */
static void uses_contents(struct thread *t, int fd, bool changes) {
  struct stat s;
  int saved = errno;
  bool file = NEXT(fstat)(fd, &s) == 0 && (S_ISREG(s.st_mode) || S_ISBLK(s.st_mode));
  errno = saved;
  if (file)
    use_variable(t, PARTS + EACH_DESCRIPTOR + (uint32_t)(hash_pair(s.st_dev, s.st_ino) % EACH_FILE), changes);
  else if (watches)
    use_variable(t, NAMES, false);
}

static bool locks_file(const uintptr_t *arguments) {
  int what = (int)arguments[1];
  return what == F_SETLK || what == F_SETLKW || what == F_OFD_SETLK || what == F_OFD_SETLKW;
}

static void uses(struct thread *t, uint32_t code, const uintptr_t *arguments) {
  enum part part = (enum part)((code - MODULE_SYSTEM) / USES);
  enum use use = (enum use)((code - MODULE_SYSTEM) % USES);
  bool changes = use != SEES && (!arguments || may_make(use, arguments));
  if (part == WATCHED && changes) watches = true;
  if (arguments && (part == CONTENTS || (part == DESCRIPTOR && changes && locks_file(arguments))))
    uses_contents(t, (int)arguments[0], changes);
  else if (part == DESCRIPTOR && arguments)
    use_variable(t, of_descriptor(arguments[0]), changes);
  else if (part != WATCHED)
    use_variable(t, part, changes);
  else if (watches)
    use_variable(t, NAMES, false);
}

void system_uses(struct thread *t, uint32_t function) {
  if (function >= MODULE_SYSTEM) uses(t, function, NULL);
}

void system_begins(struct thread *t, const struct library_function *f, const uintptr_t *arguments) {
  if (f->system) uses(t, f->system, arguments);
}
void system_ends(struct thread *t, const struct library_function *f, const uintptr_t *arguments) {
  if (!f->system) return;
  uses(t, f->system, arguments);
  record_decided_outside(t);
}

void system_forks(struct thread *t) {
  use_variable(t, NAMES, true);
  channel_sends(t);
}

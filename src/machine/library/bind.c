/* Which external function is what: modelled natively (the builtins), native (mathematics, and what --allow names) or refused. Functions
 * that the library models define (models/) are not external any more when an image runs. */
#include <dlfcn.h>
#include <ffi.h>
#include <string.h>

#include "machine/internal.h"
#include "machine/library/system.h"
#include "machine/symbolic/symbolic.h"
#include "machine/sync/settings.h"
#include "machine/sync/table.h"

static const struct builtin sync_builtins[] = {
#define X(name, function, params) {#name, function, params},
    SYNC_LIST(X)
#undef X
        {0},
};

static const struct builtin *const tables[] = {sync_builtins,     heap_builtins,      system_builtins,   nondet_builtins,
                                               random_builtins,   clock_builtins,     unwind_builtins,   jump_builtins,
                                               input_builtins,    signal_builtins,    wide_builtins,     native_builtins,
                                               property_builtins, operation_builtins, overflow_builtins, path_builtins};

/* clang-format off */
#define REFUSED_LIST(X) \
  X("a new process would not be explored", \
    "fork vfork _Fork clone clone3 execve execv execvp execvpe execl execlp execle fexecve posix_spawn posix_spawnp system popen pclose " \
    "wait waitpid wait3 wait4 waitid daemon ptrace unshare setns") \
  X("memory mapped from the host is not part of the state that is explored", \
    "mmap mmap64 munmap mprotect mremap msync madvise brk sbrk shmget shmat shmdt shmctl shm_open shm_unlink memfd_create remap_file_pages") \
  X("the network would answer differently in each execution", \
    "socket socketpair connect bind listen accept accept4 send sendto sendmsg recv recvfrom recvmsg shutdown getsockopt setsockopt " \
    "getaddrinfo freeaddrinfo gethostbyname gethostbyaddr getpeername getsockname") \
  X("only what dlopen(), dlsym(), dladdr() and dlclose() do with libraries is modelled", "dlmopen dladdr1 dlinfo dl_iterate_phdr") \
  X("queues and semaphores of other processes are not explored", \
    "semget semop semctl msgget msgsnd msgrcv msgctl mq_open mq_close mq_send mq_receive mq_unlink") \
  X("signals of other processes and with values are not explored", "killpg sigqueue signalfd pthread_sigqueue") \
  X("descriptors of the host are not part of the state that is explored", \
    "timerfd_create timerfd_settime timerfd_gettime pipe pipe2 poll ppoll select pselect epoll_create epoll_create1 epoll_ctl epoll_wait eventfd inotify_init ioctl fcntl fcntl64 " \
    "sendfile splice tee openpty forkpty tcgetattr tcsetattr") \
  X("the file system must not change between executions", \
    "mkdir mkdirat rmdir unlink unlinkat rename renameat link symlink chmod fchmod chown fchown truncate ftruncate mkfifo mknod chdir fchdir " \
    "chroot mount umount opendir fdopendir readdir readdir64 closedir scandir nftw ftw glob tmpfile mkstemp mkdtemp tmpnam") \
  X("a raw system call goes past the models", "syscall") \
  X("switching stacks by hand is not modelled; use threads", "getcontext setcontext makecontext swapcontext") \
  X("floating point is computed in the default environment", \
    "fesetround fesetenv feupdateenv feholdexcept feenableexcept fedisableexcept feraiseexcept fetestexcept feclearexcept fegetenv")
/* clang-format on */

/* --- binding --- */

static uint64_t name_hash(const char *name) { return hash_bytes(name, strlen(name), 0); }

/* All builtins by the hash of their name: value is the row's address. */
static void index_builtins(struct hashmap *index) {
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
    for (const struct builtin *b = tables[k]; b->name; b++) hashmap_at(index, name_hash(b->name), (uint64_t)(uintptr_t)b, NULL);
}

static const struct builtin *find_builtin(const struct hashmap *index, const char *name) {
  const uint64_t *at = hashmap_find(index, name_hash(name));
  const struct builtin *b = at ? (const struct builtin *)(uintptr_t)*at : NULL;
  return b && strcmp(b->name, name) == 0 ? b : NULL;
}

static bool in_list(const char *names, const char *name) {
  size_t n = strlen(name);
  for (const char *at = names; (at = strstr(at, name)); at += n)
    if ((at == names || at[-1] == ' ') && (at[n] == 0 || at[n] == ' ')) return true;
  return false;
}

/* The machine's own floating point, and what the solver takes it for, is rounded to nearest: that cannot be allowed. */
static bool changes_floating_point(const char *name) {
  return in_list("fesetround fesetenv feupdateenv feholdexcept feenableexcept", name);
}

static bool is_allowed(const struct machine *m, const char *name) {
  for (uint32_t i = 0; m->options.allowed && m->options.allowed[i]; i++)
    if (strcmp(m->options.allowed[i], name) == 0) return true;
  return false;
}

uint64_t builtin_thread_local(const struct image *image, const char *name) {
  for (uint32_t i = 0; i < image->nglobals; i++) {
    const struct image_global *g = &image->globals[i];
    if ((g->flags & GLOBAL_TLS) && (g->flags & GLOBAL_MODEL) && strcmp(image_string(image, g->name), name) == 0) return g->address;
  }
  return UINT64_MAX;
}

/* Another variable of theirs: its address, 0 if the program does not use it. */
static uint64_t find_model_variable(const struct image *image, const char *name) {
  for (uint32_t i = 0; i < image->nglobals; i++) {
    const struct image_global *g = &image->globals[i];
    if (!(g->flags & GLOBAL_TLS) && (g->flags & GLOBAL_MODEL) && strcmp(image_string(image, g->name), name) == 0) return g->address;
  }
  return 0;
}

/* What dlsym(RTLD_NEXT) finds behind the program's own function of that name (program/lower/link.h). */
static const char next_prefix[] = "__hd_next.";

void builtin_bind(struct machine *m) {
  const struct image *image = m->image;
  struct hashmap index = {0};
  index_builtins(&index);
  m->externs = mem_alloc(image->nexterns * sizeof *m->externs);
  m->errno_offset = builtin_thread_local(image, "error_number");
  m->signals_offset = builtin_thread_local(image, "signal_state");
  m->process_signals = find_model_variable(image, "process_signals");
  m->timers = find_model_variable(image, "posix_timers") != 0;
  m->files_lock = find_model_variable(image, "__hd_files_lock");
  m->destructors_offset = builtin_thread_local(image, "thread_destructors");
  m->values_offset = builtin_thread_local(image, "values_end");
  settings_bind(m);
  for (uint32_t i = 0; i < image->nglobals; i++) {
    const struct image_global *g = &image->globals[i];
    if ((g->flags & GLOBAL_TLS) && !(g->flags & GLOBAL_MODEL) && g->size) *vec_push(&m->thread_locals) = i;
  }
  bool sends = false, asynchronous = false;
  for (uint32_t i = 0; i < image->nexterns; i++) {
    const char *name = image_string(image, image->externs[i].name);
    if (strncmp(name, next_prefix, sizeof next_prefix - 1) == 0) name += sizeof next_prefix - 1;
    const struct builtin *b = find_builtin(&index, name);
    if (strcmp(name, "pthread_cancel") == 0) m->cancels = true;
    if (strcmp(name, "pthread_detach") == 0) m->detaches = true;
    asynchronous |= strcmp(name, "pthread_setcanceltype") == 0;
    sends |= strcmp(name, "__hd_signal_send") == 0 || strcmp(name, "__hd_signal_post") == 0;
    m->initialises |=
        strcmp(name, "pthread_mutex_init") == 0 || strcmp(name, "pthread_cond_init") == 0 || strcmp(name, "pthread_rwlock_init") == 0;
    if (strcmp(name, "__hd_time") == 0 || strcmp(name, "__hd_cycles") == 0) m->clocked = true;
    if (strstr(name, "setjmp")) m->jumps = true;
    if (b) m->externs[i] = (struct extern_binding){.run = b->run, .params = b->params};
    if (!b && is_allowed(m, name) && !changes_floating_point(name)) m->externs[i].native = dlsym(RTLD_DEFAULT, name);
  }
  m->interrupts = sends || (asynchronous && m->cancels);
  hashmap_release(&index);
}

/* --- calls of functions that --allow names --- */

/* The function's address stands for `struct native`. It is called with integers and pointers, and gives one or nothing: the
 * program's memory is the host's, so pointers need no change. */
enum run native_call(struct machine *m, struct thread *t, uint32_t i, const uint64_t *args, uint32_t nargs, uint64_t *result) {
  ffi_cif cif;
  ffi_type *types[MAX_EXTERN_ARGUMENTS];
  void *values[MAX_EXTERN_ARGUMENTS];
  uint64_t copies[MAX_EXTERN_ARGUMENTS];
  for (uint32_t k = 0; k < nargs; k++) copies[k] = args[k], types[k] = &ffi_type_uint64, values[k] = &copies[k];
  if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, nargs, &ffi_type_uint64, types) != FFI_OK)
    return machine_unsupported(m, t, "a call of %s with these arguments", image_string(m->image, m->image->externs[i].name));
  if (m->symbolic) symbolic_fix_memory(m, ARENA_BASE, ARENA_SIZE); /* what it looks at is not known */
  ffi_arg value = 0;
  void (*function)(void);
  memcpy(&function, &m->externs[i].native, sizeof function);
  ffi_call(&cif, function, &value, values);
  *result = value;
  t->wrote = true;
  return RUN_GO;
}

/* --- what is not bound --- */

static const char *why_refused(const char *name) {
#define X(why, names) \
  if (in_list(names, name)) return why;
  REFUSED_LIST(X)
#undef X
  return NULL;
}

enum run builtin_unbound(struct machine *m, struct thread *t, uint32_t i) {
  const char *name = image_string(m->image, m->image->externs[i].name);
  const char *why = why_refused(name);
  if (why) return machine_unsupported(m, t, "%s is not supported: %s", name, why);
  if (is_allowed(m, name)) return machine_unsupported(m, t, "%s was allowed, but the host's libraries do not have it", name);
  machine_unsupported(m, t, "%s is called, but neither the program nor Heddle's library models define it", name);
  diag_hint(&m->diag, "add the source or library that defines it to the build, or, if it is a pure function, pass --allow %s", name);
  return RUN_STOP;
}

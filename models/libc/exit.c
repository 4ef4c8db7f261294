/* How a process ends: exit and its handlers, abort, assert. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

struct handler {
  void (*run)(void *argument);
  void *argument;
  void *library; /* __dso_handle of who registered it */
};

enum { HANDLERS_INLINE = 32 };

struct handler_list {
  struct handler first[HANDLERS_INLINE];
  struct handler *more; /* those past the first */
  size_t count, capacity;
};

static struct handler_list at_exit, at_quick_exit_list;
static pthread_mutex_t handlers_lock = PTHREAD_MUTEX_INITIALIZER;

static struct handler *handler_at(struct handler_list *list, size_t i) {
  return i < HANDLERS_INLINE ? &list->first[i] : &list->more[i - HANDLERS_INLINE];
}

static int handler_add(struct handler_list *list, struct handler handler) {
  pthread_mutex_lock(&handlers_lock);
  bool full = list->count >= HANDLERS_INLINE && list->count - HANDLERS_INLINE == list->capacity;
  if (full) {
    size_t capacity = list->capacity ? list->capacity * 2 : HANDLERS_INLINE;
    struct handler *more = realloc(list->more, capacity * sizeof *more);
    if (!more) {
      pthread_mutex_unlock(&handlers_lock);
      return -1;
    }
    list->more = more;
    list->capacity = capacity;
  }
  *handler_at(list, list->count) = handler;
  __atomic_store_n(&list->count, list->count + 1, __ATOMIC_RELAXED); /* finish() looks before it locks */
  pthread_mutex_unlock(&handlers_lock);
  return 0;
}

/* The handlers that are left to be run: those before `left`, and what is registered behind the `known` ones. */
struct handlers_left {
  size_t left, known;
};

/* Takes the last of them, of the library if one is named. False: there is none. */
static bool handler_take(struct handler_list *list, struct handlers_left *x, const void *library, struct handler *out) {
  bool found = false;
  pthread_mutex_lock(&handlers_lock);
  if (list->count > x->known) x->left = x->known = list->count;
  while (x->left && !found) {
    struct handler *handler = handler_at(list, --x->left);
    found = handler->run && (!library || handler->library == library);
    if (found) *out = *handler, handler->run = NULL;
  }
  pthread_mutex_unlock(&handlers_lock);
  return found;
}

/* Last registered first. A handler may register others, which are next, and so may other threads. */
static void handlers_run(struct handler_list *list, const void *library) {
  struct handlers_left x = {0};
  struct handler handler;
  while (handler_take(list, &x, library, &handler)) handler.run(handler.argument);
  if (library || !list->more) return;
  pthread_mutex_lock(&handlers_lock);
  free(list->more);
  list->more = NULL;
  list->capacity = 0;
  __atomic_store_n(&list->count, 0, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&handlers_lock);
}

static void run_plain(void *function) { ((void (*)(void))function)(); }

int atexit(void (*function)(void)) { return handler_add(&at_exit, (struct handler){run_plain, (void *)function, NULL}); }
int at_quick_exit(void (*function)(void)) { return handler_add(&at_quick_exit_list, (struct handler){run_plain, (void *)function, NULL}); }

int __cxa_atexit(void (*function)(void *), void *argument, void *library);
int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
  return handler_add(&at_exit, (struct handler){function, argument, library});
}

int __cxa_at_quick_exit(void (*function)(void *), void *library);
int __cxa_at_quick_exit(void (*function)(void *), void *library) {
  return handler_add(&at_quick_exit_list, (struct handler){function, NULL, library});
}

void __cxa_finalize(void *library);
void __cxa_finalize(void *library) { handlers_run(&at_exit, library); }

static __thread int exit_code;
static void run_with_code(void *pair) {
  void **p = pair;
  void (*function)(int, void *) = (void (*)(int, void *))p[0];
  void *argument = p[1];
  free(pair);
  function(exit_code, argument);
}

int on_exit(void (*function)(int, void *), void *argument) {
  void **pair = malloc(2 * sizeof *pair);
  if (!pair) return -1;
  pair[0] = (void *)function;
  pair[1] = argument;
  return handler_add(&at_exit, (struct handler){run_with_code, pair, NULL});
}

/* Destructors of one thread's C++ thread_local objects. */
struct thread_destructor {
  void (*run)(void *object);
  void *object;
  struct thread_destructor *next;
};

static __thread struct thread_destructor *thread_destructors;

int __cxa_thread_atexit_impl(void (*run)(void *), void *object, void *library);
int __cxa_thread_atexit_impl(void (*run)(void *), void *object, void *library) {
  (void)library;
  struct thread_destructor *d = malloc(sizeof *d);
  if (!d) abort();
  *d = (struct thread_destructor){run, object, thread_destructors};
  thread_destructors = d;
  return 0;
}

int __cxa_thread_atexit(void (*run)(void *), void *object, void *library);
int __cxa_thread_atexit(void (*run)(void *), void *object, void *library) { return __cxa_thread_atexit_impl(run, object, library); }

static void run_thread_destructors(void) {
  for (struct thread_destructor *d; (d = thread_destructors);) {
    thread_destructors = d->next;
    d->run(d->object);
    free(d);
  }
}

/* The machine calls this when a thread other than main's first one ends. */
__attribute__((used)) void __hd_thread_exit(void);
void __hd_thread_exit(void) {
  run_thread_destructors();
  extern void __hd_keys_release(void);
  __hd_keys_release();
}

/* Functions with __attribute__((destructor)): after the handlers, as they would be registered before all others. */
static void run_destructors(void) {
  void (*run)(void);
  for (unsigned i = 0; (run = __hd_destructor(i)); i++) run();
}

/* Closes libraries that are still open: dlfcn.c sets it. */
void (*__hd_at_end)(void);

/* Every execution ends here, most with nothing to do. */
static inline __attribute__((always_inline)) _Noreturn void finish(int code) {
  if (thread_destructors) run_thread_destructors();
  if (__atomic_load_n(&at_exit.count, __ATOMIC_RELAXED)) { /* other threads may register handlers meanwhile */
    exit_code = code;
    handlers_run(&at_exit, NULL);
  }
  run_destructors();
  void (*last)(void) = __atomic_load_n(&__hd_at_end, __ATOMIC_ACQUIRE);
  if (last) last();
  if (__hd_open_streams) __hd_streams_close();
  __hd_exit(code);
}

_Noreturn void exit(int code) { finish(code); }

/* The machine calls this when main returns. */
_Noreturn __attribute__((used)) void __hd_main_exit(int code);
_Noreturn void __hd_main_exit(int code) { finish(code); }

_Noreturn void quick_exit(int code) {
  handlers_run(&at_quick_exit_list, NULL);
  __hd_exit(code);
}

_Noreturn void _exit(int code) { __hd_exit(code); }
_Noreturn void _Exit(int code) { __hd_exit(code); }

_Noreturn void abort(void) {
  extern void __hd_signal_abort(void);
  __hd_signal_abort();
  __hd_fail("abort", "abort() is called");
}

enum { MESSAGE = 512 };

static void append(char *message, size_t *used, const char *text) {
  while (*text && *used < MESSAGE - 1) message[(*used)++] = *text++;
  message[*used] = 0;
}

static _Noreturn void assertion_failed(const char *expression, const char *file, unsigned line, const char *function) {
  char message[MESSAGE], digits[12], *digit = digits + sizeof digits;
  size_t used = 0;
  *--digit = 0;
  do *--digit = (char)('0' + line % 10);
  while (line /= 10);
  append(message, &used, file);
  append(message, &used, ":");
  append(message, &used, digit);
  if (function) {
    append(message, &used, ": ");
    append(message, &used, function);
  }
  append(message, &used, ": assertion `");
  append(message, &used, expression);
  append(message, &used, "' failed");
  __hd_fail("assertion", message);
}

void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  assertion_failed(expression, file, line, function);
}

void __assert(const char *expression, const char *file, int line) { assertion_failed(expression, file, (unsigned)line, NULL); }

void __assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
  const char *text = __hd_error_text(number);
  assertion_failed(text ? text : "unknown error", file, line, function);
}

_Noreturn void __chk_fail(void);
_Noreturn void __chk_fail(void) { __hd_fail("out-of-bounds", "a fortified function writes past the end of its buffer"); }
_Noreturn void __stack_chk_fail(void);
_Noreturn void __stack_chk_fail(void) { __hd_fail("out-of-bounds", "the stack protector's guard is overwritten"); }
_Noreturn void __fortify_fail(const char *what);
_Noreturn void __fortify_fail(const char *what) { __hd_fail("out-of-bounds", what); }

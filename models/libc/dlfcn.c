/* Code that is loaded at run time: of libraries that were given (heddle check --loads), which are in the image from the start
 * (src/program/lower/library.c). Opening one for the first time gives its variables their first values and runs its constructors; closing it
 * for the last time runs its destructors. Everything happens under one lock, as in the C library, so that opening orders threads. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>

#include "internal.h"

struct hd_symbol {
  const char *name;
  void *address; /* NULL: `local` gives it */
  size_t size;   /* 0: a function */
  void *(*local)(void);
};

/* What changes of a library. */
struct hd_library_state {
  uint64_t opens, loaded, number, flags; /* number: of its load among all */
};

struct hd_library {
  const char *name;
  struct hd_library_state *state;
  void *handle; /* __dso_handle: of what it registers to be run when it goes */
  const struct hd_symbol *symbols;
  size_t nsymbols;
  void (*const *constructors)(void);
  size_t nconstructors;
  void (*const *destructors)(void);
  size_t ndestructors;
  void *const *variables; /* that may change */
  size_t nvariables;
  void *(*const *locals)(void); /* its thread-local variables, each in the thread that calls */
  size_t nlocals;
};

struct hd_symbols {
  const struct hd_symbol *of;
  size_t count;
};

/* The loader makes it. `known`: what the program names of the C library; `next`: of that, what it defines itself. */
extern const struct hd_dynamic {
  struct hd_symbols own, known, next;
  const struct hd_library *const *libraries;
  size_t nlibraries;
} __hd_dynamic;

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static uint64_t nloaded; /* so often was something loaded */

/* --- errors --- */

enum { MESSAGE = 256 };
static __thread char message[MESSAGE];
static __thread bool failed;

static size_t put(size_t at, const char *text) {
  while (*text && at + 1 < MESSAGE) message[at++] = *text++;
  message[at] = 0;
  return at;
}

static void *fail(const char *what, const char *why, const char *more) {
  put(put(put(put(0, what), ": "), why), more);
  failed = true;
  return NULL;
}

char *dlerror(void) {
  if (!failed) return NULL;
  failed = false;
  return message;
}

/* --- libraries --- */

static const char *last_part(const char *path) {
  const char *last = path;
  for (; *path; path++)
    if (*path == '/') last = path + 1;
  return last;
}

/* One that is asked for with its folder has that name too, or the last part of it. */
static const struct hd_library *find_library(const char *path) {
  for (size_t i = 0; i < __hd_dynamic.nlibraries; i++)
    if (hd_strcmp(__hd_dynamic.libraries[i]->name, path) == 0) return __hd_dynamic.libraries[i];
  for (size_t i = 0; i < __hd_dynamic.nlibraries; i++)
    if (hd_strcmp(last_part(__hd_dynamic.libraries[i]->name), last_part(path)) == 0) return __hd_dynamic.libraries[i];
  return NULL;
}

/* Part of the C library: what it has is known without. */
static bool is_system(const char *path) {
  static const char *const names[] = {"libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so", "libgcc_s.so", "libstdc++.so"};
  const char *name = last_part(path);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hd_strncmp(name, names[i], hd_strlen(names[i])) == 0) return true;
  return false;
}

static void *const program_handle = (void *)&__hd_dynamic;

static const struct hd_library *library_of(const void *handle) {
  for (size_t i = 0; i < __hd_dynamic.nlibraries; i++)
    if (__hd_dynamic.libraries[i] == handle && __hd_dynamic.libraries[i]->state->opens) return __hd_dynamic.libraries[i];
  return NULL;
}

/* --- the end of the process --- */

static void unload(const struct hd_library *l) {
  extern void __cxa_finalize(void *library);
  l->state->opens = 0;
  l->state->flags = 0;
  __cxa_finalize(l->handle);
  for (size_t i = 0; i < l->ndestructors; i++) l->destructors[i]();
}

static const struct hd_library *last_loaded(void) {
  const struct hd_library *last = NULL;
  for (size_t i = 0; i < __hd_dynamic.nlibraries; i++) {
    const struct hd_library *l = __hd_dynamic.libraries[i];
    if (l->state->opens && (!last || l->state->number > last->state->number)) last = l;
  }
  return last;
}

static void unload_all(void) {
  for (const struct hd_library *l; (l = last_loaded());) unload(l);
}

/* --- opening and closing --- */

static void load(const struct hd_library *l) {
  for (size_t i = 0; l->state->loaded && i < l->nvariables; i++) __hd_restore(l->variables[i]);
  for (size_t i = 0; l->state->loaded && i < l->nlocals; i++) __hd_restore(l->locals[i]());
  l->state->loaded = 1;
  l->state->number = ++nloaded;
  __atomic_store_n(&__hd_at_end, unload_all, __ATOMIC_RELEASE);
  for (size_t i = 0; i < l->nconstructors; i++) l->constructors[i]();
}

static void *open_library(const char *path, int mode) {
  const struct hd_library *l = find_library(path);
  if (!l && is_system(path)) return program_handle;
  if (!l) __hd_library_missing();
  if (!l) return fail(path, "cannot open shared object file: ", "No such file or directory");
  if ((mode & RTLD_NOLOAD) && !l->state->opens) return NULL;
  bool first = l->state->opens++ == 0;
  l->state->flags |= (uint64_t)mode & (RTLD_GLOBAL | RTLD_NODELETE);
  if (first) load(l);
  return (void *)l;
}

void *dlopen(const char *path, int mode) {
  if (!(mode & (RTLD_LAZY | RTLD_NOW))) return fail(path ? path : "", "invalid mode for dlopen(): ", "Invalid argument");
  if (!path || !*path) return program_handle;
  pthread_mutex_lock(&lock);
  void *handle = open_library(path, mode);
  pthread_mutex_unlock(&lock);
  return handle;
}

static int close_library(void *handle) {
  const struct hd_library *l = library_of(handle);
  if (!l) {
    fail("dlclose", "invalid handle", "");
    return -1;
  }
  if (l->state->opens > 1 || !(l->state->flags & RTLD_NODELETE)) l->state->opens--;
  if (!l->state->opens) unload(l);
  return 0;
}

int dlclose(void *handle) {
  if (handle == program_handle) return 0;
  pthread_mutex_lock(&lock);
  int result = close_library(handle);
  pthread_mutex_unlock(&lock);
  return result;
}

/* --- names --- */

static void *address_of(const struct hd_symbol *s) { return s->local ? s->local() : s->address; }

/* Functions of the machine are known when they are called so: not every name is one. */
static const struct hd_symbol *find_in(const struct hd_symbol *symbols, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (hd_strcmp(symbols[i].name, name) == 0 && (symbols[i].local || __hd_is_bound(symbols[i].address))) return &symbols[i];
  return NULL;
}

/* In the libraries that were opened for all, in the order in which they were loaded. */
static const struct hd_symbol *find_global(const char *name) {
  const struct hd_symbol *found = NULL;
  uint64_t number = UINT64_MAX;
  for (size_t i = 0; i < __hd_dynamic.nlibraries; i++) {
    const struct hd_library *l = __hd_dynamic.libraries[i];
    if (!l->state->opens || !(l->state->flags & RTLD_GLOBAL) || l->state->number > number) continue;
    const struct hd_symbol *s = find_in(l->symbols, l->nsymbols, name);
    if (s) found = s, number = l->state->number;
  }
  return found;
}

static const struct hd_symbol *find_known(const struct hd_symbols *first, const char *name) {
  const struct hd_symbol *s = find_in(first->of, first->count, name);
  if (!s) s = find_in(__hd_dynamic.known.of, __hd_dynamic.known.count, name);
  return s ? s : find_global(name);
}

static void *find_symbol(void *handle, const char *name) {
  const struct hd_library *l = NULL;
  const struct hd_symbol *s = NULL;
  if (handle == RTLD_DEFAULT || handle == program_handle) {
    s = find_known(&__hd_dynamic.own, name);
  } else if (handle == RTLD_NEXT) {
    s = find_known(&__hd_dynamic.next, name);
  } else {
    l = library_of(handle);
    if (!l) return fail("dlsym", "invalid handle", "");
    s = find_in(l->symbols, l->nsymbols, name);
    if (!s) s = find_in(__hd_dynamic.known.of, __hd_dynamic.known.count, name);
  }
  return s ? address_of(s) : fail(l ? l->name : "program", "undefined symbol: ", name);
}

void *dlsym(void *restrict handle, const char *restrict name) {
  pthread_mutex_lock(&lock);
  void *address = find_symbol(handle, name);
  pthread_mutex_unlock(&lock);
  return address;
}

void *dlvsym(void *restrict handle, const char *restrict name, const char *restrict version) { return (void)version, dlsym(handle, name); }

static bool locate(const struct hd_symbol *symbols, size_t n, const char *file, const void *base, const void *address, Dl_info *info) {
  for (size_t i = 0; i < n; i++) {
    const char *start = symbols[i].address, *at = address;
    if (!start || at < start || at >= start + (symbols[i].size ? symbols[i].size : 1)) continue;
    *info = (Dl_info){.dli_fname = file, .dli_fbase = (void *)base, .dli_sname = symbols[i].name, .dli_saddr = symbols[i].address};
    return true;
  }
  return false;
}

int dladdr(const void *address, Dl_info *info) {
  if (locate(__hd_dynamic.own.of, __hd_dynamic.own.count, "program", program_handle, address, info)) return 1;
  if (locate(__hd_dynamic.known.of, __hd_dynamic.known.count, "libc.so.6", program_handle, address, info)) return 1;
  for (size_t i = 0; i < __hd_dynamic.nlibraries; i++) {
    const struct hd_library *l = __hd_dynamic.libraries[i];
    if (locate(l->symbols, l->nsymbols, l->name, l, address, info)) return 1;
  }
  return 0;
}

/* The program and its libraries, as the kernel tells of them. Nothing here asks the dynamic linker: a thread that holds its lock (a
 * constructor under dlopen()) may be waiting for the report that asks. One thread at a time. */
#pragma once
#include <link.h>

#include "base.h"

struct module {
  uintptr_t start, end; /* in memory */
  uintptr_t slide;      /* addresses in memory less those in the file */
  const char *path;
  const char *build_id; /* in hexadecimal digits; NULL: it has none */
  bool watched;         /* it calls the runtime, or is a part of the language; or it is not known */
  const ElfW(Phdr) * headers;
  unsigned nheaders;
};

/* The name of a file without its folders. */
const char *base_name(const char *path);
/* n bytes of an open file. False if they are not there, or cannot be read. */
bool module_read(int fd, void *to, size_t n, size_t at);

/* Looks again. True if there are others than before. */
bool modules_renew(void);
/* True if one that is watched was compiled, if only in part, by a compiler that calls itself like that; or if one does not say. */
bool modules_by(const char *compiler);
void modules_each(void (*f)(const char *path));
/* About how many bytes of thread-local variables the program and its libraries have. */
size_t modules_thread_local(void);
/* The one of that path; NULL if there is none. */
const struct module *module_named(const char *path);
/* NULL if the address is in none. They last for ever. */
const struct module *module_at(uintptr_t address);

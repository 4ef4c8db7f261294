/* Libraries that the program opened by dlopen(): what they do is not recorded. Those that could have been, because they have bitcode, are
 * named: to the user, and in the trace (TRACE_OPENED of trace/format.h). */
#include "record/opened.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "enforce/enforce.h"
#include "intercept/intercept.h"
#include "record/file.h"

enum { MOST = 1024 };

static struct {
  struct rt_lock lock;
  uint64_t known[MOST]; /* where they are loaded, and by which name */
  unsigned n;
} modules;

static bool is_bitcode(const char *section) {
  static const char prefix[] = ".heddle";
  return strncmp(section, prefix, sizeof prefix - 1) == 0;
}

/* Its sections' names are in one of them. */
static bool examine(const unsigned char *bytes, size_t size) {
  const Elf64_Ehdr *h = (const void *)bytes;
  if (size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_shentsize != sizeof(Elf64_Shdr)) return false;
  if (h->e_shoff > size || (size - h->e_shoff) / sizeof(Elf64_Shdr) < h->e_shnum || h->e_shstrndx >= h->e_shnum) return false;
  const Elf64_Shdr *sections = (const void *)(bytes + h->e_shoff), *names = &sections[h->e_shstrndx];
  if (names->sh_offset > size || names->sh_size > size - names->sh_offset || names->sh_size == 0) return false;
  if (bytes[names->sh_offset + names->sh_size - 1] != 0) return false;
  for (unsigned i = 0; i < h->e_shnum; i++)
    if (sections[i].sh_name < names->sh_size && is_bitcode((const char *)bytes + names->sh_offset + sections[i].sh_name)) return true;
  return false;
}

static bool has_bitcode(const char *path) {
  struct stat s;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  void *bytes = NEXT(fstat)(fd, &s) == 0 && s.st_size > 0 ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close(fd);
  if (bytes == MAP_FAILED) return false;
  bool has = examine(bytes, (size_t)s.st_size);
  munmap(bytes, (size_t)s.st_size);
  return has;
}

static void tell(const char *path) {
  if (!calls_add(TRACE_OPENED, path)) return;
  rt_say("heddle: not recorded: %s, which the program opened by dlopen(); link the program with it\n", path);
}

static bool is_new(uintptr_t base, const char *name) {
  uint64_t module = base;
  for (; name && *name; name++) module = (module ^ (unsigned char)*name) * 1099511628211ull;
  for (unsigned i = 0; i < modules.n; i++)
    if (modules.known[i] == module) return false;
  if (modules.n == MOST) return false;
  modules.known[modules.n++] = module;
  return true;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *data) {
  const bool *opened = data;
  (void)size;
  if (is_new(info->dlpi_addr, info->dlpi_name) && *opened && info->dlpi_name && has_bitcode(info->dlpi_name)) tell(info->dlpi_name);
  return 0;
}

static void look(bool opened) {
  if (!recording || enforcing) return;
  rt_lock(&modules.lock);
  NEXT(dl_iterate_phdr)(look_at, &opened);
  rt_unlock(&modules.lock);
}

void opened_begin(void) { look(false); }

void opened_look(struct thread *t) {
  thread_enter(t);
  look(true);
  thread_leave(t);
}

void opened_after_fork(void) { modules.lock.held = 0; }

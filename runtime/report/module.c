#include "report/module.h"

#include "report/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MODULES = 2048, HEADERS = 64 };

static struct {
  struct module at[MODULES];
  unsigned count;
  uint64_t hash; /* of their names and places */
} table;

const char *base_name(const char *path) {
  const char *base = path;
  for (const char *p = path; *p; p++)
    if (*p == '/') base = p + 1;
  return base;
}

/* NULL if there are none to read: after a change of root, say. */
static const char *read_maps(void) {
  static char text[1 << 20];
  size_t n = 0;
  int fd = file_open("/proc/thread-self/maps");
  for (ssize_t more; fd >= 0 && n < sizeof text - 1 && (more = syscall(SYS_pread64, fd, text + n, sizeof text - 1 - n, n)) > 0;)
    n += (size_t)more;
  if (fd >= 0) syscall(SYS_close, fd);
  text[n] = 0;
  return n ? text : NULL;
}

/* A line of /proc/thread-self/maps. */
struct mapping {
  uintptr_t from, offset;
  bool runs;
  const char *path; /* not terminated; NULL: not a file's */
  size_t length;
};

static uintptr_t hexadecimal(const char **at) {
  uintptr_t n = 0;
  for (;; ++*at) {
    char c = **at;
    if (c >= '0' && c <= '9')
      n = n << 4 | (uintptr_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      n = n << 4 | (uintptr_t)(c - 'a' + 10);
    else
      return n;
  }
}

/* from-to rwxp offset device inode path */
static bool next_mapping(const char **at, struct mapping *m) {
  const char *p = *at;
  if (!*p) return false;
  m->from = hexadecimal(&p);
  while (*p && *p != ' ') p++;
  m->runs = p[0] && p[1] && p[2] && p[3] == 'x';
  for (int fields = 0; fields < 2 && *p; fields++) {
    while (*p == ' ') p++;
    if (fields == 1) break;
    while (*p && *p != ' ') p++;
  }
  m->offset = hexadecimal(&p);
  while (*p && *p != '\n' && *p != '/') p++;
  m->path = *p == '/' ? p : NULL;
  const char *start = p;
  while (*p && *p != '\n') p++;
  m->length = (size_t)(p - start);
  *at = *p ? p + 1 : p;
  return true;
}

static bool same_file(const struct mapping *a, const struct mapping *b) {
  if (!b->path || a->length != b->length) return false;
  for (size_t i = 0; i < a->length; i++)
    if (a->path[i] != b->path[i]) return false;
  return true;
}

/* The next file that is mapped from its begin on, and has code. */
static bool next_module(const char **at, struct mapping *m) {
  while (next_mapping(at, m)) {
    if (!m->path || m->offset != 0) continue;
    struct mapping part;
    bool runs = m->runs;
    for (const char *next = *at; !runs && next_mapping(&next, &part) && (same_file(m, &part) || !part.path);) runs = part.path && part.runs;
    if (runs) return true;
  }
  return false;
}

static uint64_t hash_of(const char *maps) {
  uint64_t hash = 1;
  struct mapping m;
  while (next_module(&maps, &m)) {
    hash = (hash ^ m.from) * 0x9e3779b97f4a7c15ull;
    for (size_t i = 0; i < m.length; i++) hash = (hash ^ (unsigned char)m.path[i]) * 0x100000001b3ull;
  }
  return hash;
}

bool module_read(int fd, void *to, size_t n, size_t at) { return syscall(SYS_pread64, fd, to, n, at) == (long)n; }

/* What its file says of where it is. */
static bool read_headers(struct module *m, int fd) {
  ElfW(Ehdr) e;
  ElfW(Phdr) * h;
  if (!module_read(fd, &e, sizeof e, 0) || e.e_ident[0] != 0x7f || e.e_ident[1] != 'E' || e.e_phnum == 0 || e.e_phnum > HEADERS)
    return false;
  h = rt_alloc(e.e_phnum * sizeof *h);
  if (!h || !module_read(fd, h, e.e_phnum * sizeof *h, e.e_phoff)) return rt_free(h, e.e_phnum * sizeof *h), false;
  uintptr_t first = UINTPTR_MAX, last = 0;
  for (unsigned i = 0; i < e.e_phnum; i++) {
    if (h[i].p_type != PT_LOAD) continue;
    if (h[i].p_vaddr < first) first = h[i].p_vaddr & ~(uintptr_t)4095;
    if (h[i].p_vaddr + h[i].p_memsz > last) last = h[i].p_vaddr + h[i].p_memsz;
  }
  m->headers = h, m->nheaders = e.e_phnum;
  m->slide = m->start - first, m->end = m->slide + last;
  return last > 0;
}

/* The note that linkers make of a file's contents: debug servers ask for it. It is read from the file: the module may be unloaded by now.
 */
static const char *build_id(int fd, const ElfW(Phdr) * h) {
  enum { NOTES = 4096 };
  static const char digits[] = "0123456789abcdef";
  static _Alignas(ElfW(Nhdr)) char notes[NOTES];
  const char *note = notes, *end = notes + h->p_filesz;
  if (h->p_filesz > NOTES || !module_read(fd, notes, h->p_filesz, h->p_offset)) return NULL;
  while ((size_t)(end - note) >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *n = (const void *)note;
    size_t name = (n->n_namesz + 3u) & ~3u, length = (n->n_descsz + 3u) & ~3u;
    const unsigned char *bytes = (const unsigned char *)note + sizeof *n + name;
    note += sizeof *n;
    if (name > (size_t)(end - note) || length > (size_t)(end - note) - name) return NULL;
    note += name + length;
    char *id = n->n_type == NT_GNU_BUILD_ID ? rt_alloc(2 * n->n_descsz + 1) : NULL;
    if (!id) continue;
    for (size_t i = 0; i < n->n_descsz; i++) id[2 * i] = digits[bytes[i] >> 4], id[2 * i + 1] = digits[bytes[i] & 15];
    id[2 * n->n_descsz] = 0;
    return id;
  }
  return NULL;
}

static const char *find_build_id(const struct module *m, int fd) {
  const char *id = NULL;
  for (unsigned i = 0; i < m->nheaders && !id; i++)
    if (m->headers[i].p_type == PT_NOTE) id = build_id(fd, &m->headers[i]);
  return id;
}

static bool starts_with(const char *s, const char *prefix) {
  while (*prefix)
    if (*s++ != *prefix++) return false;
  return true;
}

/* What these do they do for their callers. */
static bool is_language(const char *path) {
  static const char *const names[] = {"libc.so",   "libc-",        "libm.so",     "libstdc++.so",
                                      "libc++.so", "libc++abi.so", "libgcc_s.so", "libpthread.so"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (starts_with(base_name(path), names[i])) return true;
  return false;
}

/* Names that the linker found in it, or will find elsewhere for it: does one belong to the runtime? */
static bool names_runtime(int fd, const ElfW(Shdr) * names) {
  enum { PIECE = 4096, LONGEST = 16 };
  static char piece[PIECE + LONGEST];
  for (size_t at = 0; at < names->sh_size; at += PIECE - LONGEST) {
    size_t n = names->sh_size - at < PIECE ? names->sh_size - at : PIECE;
    if (!module_read(fd, piece, n, names->sh_offset + at)) return true;
    rt_zero(piece + n, LONGEST);
    for (size_t i = 0; i < n; i++)
      if (piece[i] == 0 && (starts_with(piece + i + 1, "__tsan_") || starts_with(piece + i + 1, "heddle_"))) return true;
  }
  return false;
}

static bool is_watched(int fd, const char *path) {
  ElfW(Ehdr) e;
  ElfW(Shdr) h;
  if (is_language(path) || !module_read(fd, &e, sizeof e, 0) || e.e_shentsize != sizeof h) return true;
  bool known = false;
  for (unsigned i = 0; i < e.e_shnum && module_read(fd, &h, sizeof h, e.e_shoff + i * sizeof h); i++) {
    if (h.sh_type != SHT_STRTAB || !(h.sh_flags & SHF_ALLOC)) continue; /* .dynstr */
    if (names_runtime(fd, &h)) return true;
    known = true;
  }
  return !known;
}

/* Does `what` stand in a section of the file? `absent` if there is none of that name. */
static bool section_has(int fd, const char *section, const char *what, bool absent) {
  enum { MOST = 4096 };
  static char bytes[MOST + 1];
  ElfW(Ehdr) e;
  ElfW(Shdr) names, h;
  if (!module_read(fd, &e, sizeof e, 0) || e.e_shentsize != sizeof h) return absent;
  if (!module_read(fd, &names, sizeof names, e.e_shoff + e.e_shstrndx * sizeof h)) return absent;
  for (unsigned i = 0; i < e.e_shnum && module_read(fd, &h, sizeof h, e.e_shoff + i * sizeof h); i++) {
    size_t length = rt_length(section) + 1;
    if (!module_read(fd, bytes, length, names.sh_offset + h.sh_name) || bytes[length - 1] || !rt_equal(bytes, section)) continue;
    size_t n = h.sh_size < MOST ? h.sh_size : MOST;
    if (!module_read(fd, bytes, n, h.sh_offset)) return absent;
    bytes[n] = 0;
    for (size_t k = 0; k < n; k++)
      if (starts_with(bytes + k, what)) return true;
    return n == MOST;
  }
  return absent;
}

static bool is_by(const struct module *m, const char *compiler) {
  bool own = (uintptr_t)section_has >= m->start && (uintptr_t)section_has < m->end;
  int fd = (own && starts_with(base_name(m->path), "lib")) || !m->watched || is_language(m->path) ? -1 : file_open(m->path);
  bool is = fd >= 0 && section_has(fd, ".comment", compiler, true);
  if (fd >= 0) syscall(SYS_close, fd);
  return is;
}

bool modules_by(const char *compiler) {
  bool found = false;
  for (unsigned i = 0; i < table.count && !found; i++) found = is_by(&table.at[i], compiler);
  return found;
}

static void add(const struct mapping *mapping) {
  struct module *m = &table.at[table.count];
  char *path = rt_alloc(mapping->length + 1);
  if (!path || table.count == MODULES) return;
  rt_copy(path, mapping->path, mapping->length);
  path[mapping->length] = 0;
  *m = (struct module){.start = mapping->from, .path = path};
  int fd = file_open(path);
  if (fd >= 0 && read_headers(m, fd)) m->build_id = find_build_id(m, fd), m->watched = is_watched(fd, path), table.count++;
  if (fd >= 0) syscall(SYS_close, fd);
}

bool modules_renew(void) {
  const char *maps = read_maps();
  if (!maps) return false; /* those that are known have not gone */
  uint64_t hash = hash_of(maps);
  if (hash == table.hash) return false;
  table.hash = hash, table.count = 0;
  for (struct mapping m; next_module(&maps, &m);) add(&m);
  return true;
}

size_t modules_thread_local(void) {
  size_t bytes = 0;
  for (unsigned i = 0; i < table.count; i++)
    for (unsigned k = 0; k < table.at[i].nheaders; k++) {
      const ElfW(Phdr) *h = &table.at[i].headers[k];
      if (h->p_type == PT_TLS) bytes += h->p_memsz + h->p_align;
    }
  return bytes;
}

void modules_each(void (*f)(const char *path)) {
  for (unsigned i = 0; i < table.count; i++) f(table.at[i].path);
}

const struct module *module_named(const char *path) {
  for (unsigned i = 0; i < table.count; i++)
    if (rt_equal(table.at[i].path, path)) return &table.at[i];
  return NULL;
}

const struct module *module_at(uintptr_t address) {
  for (unsigned i = 0; i < table.count; i++)
    if (address >= table.at[i].start && address < table.at[i].end) return &table.at[i];
  return NULL;
}

/* What libbacktrace asks instead of the dynamic linker (--wrap). The program has no name: it knows another way to its file. */
int __wrap_dl_iterate_phdr(int (*f)(struct dl_phdr_info *, size_t, void *), void *data);
int __wrap_dl_iterate_phdr(int (*f)(struct dl_phdr_info *, size_t, void *), void *data) {
  uintptr_t own = getauxval(AT_PHDR);
  int result = 0;
  for (unsigned i = 0; i < table.count && result == 0; i++) {
    const struct module *m = &table.at[i];
    bool program = own >= m->start && own < m->end;
    struct dl_phdr_info info = {
        .dlpi_addr = m->slide, .dlpi_name = program ? "" : m->path, .dlpi_phdr = m->headers, .dlpi_phnum = (ElfW(Half))m->nheaders};
    result = f(&info, sizeof info, data);
  }
  return result;
}

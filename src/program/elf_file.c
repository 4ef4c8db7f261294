#include "program/elf_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char absent[] = "";

bool elf_is(const void *bytes, size_t n) { return n >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0; }

static bool inside(uint64_t offset, uint64_t size, uint64_t total) { return offset <= total && size <= total - offset; }

static Elf64_Shdr header_of(const struct elf *elf, size_t i) {
  Elf64_Shdr h;
  memcpy(&h, elf->bytes + elf->section_table + i * sizeof h, sizeof h);
  return h;
}

/* Finds the section table; counts of 0xff00 and more are in its first entry. */
static enum err read_table(struct elf *elf, const Elf64_Ehdr *h, struct diag *d) {
  if (h->e_shoff == 0) return ERR_NONE;
  elf->section_table = h->e_shoff;
  if (h->e_shentsize != sizeof(Elf64_Shdr) || !inside(h->e_shoff, sizeof(Elf64_Shdr), elf->size))
    return diag_set(d, ERR_FORMAT, "%s: damaged ELF file: its section table is outside the file", elf->path);
  Elf64_Shdr first = header_of(elf, 0);
  uint64_t count = h->e_shnum ? h->e_shnum : first.sh_size;
  elf->names = h->e_shstrndx == SHN_XINDEX ? first.sh_link : h->e_shstrndx;
  if (count > elf->size / sizeof first || !inside(h->e_shoff, count * sizeof first, elf->size))
    return diag_set(d, ERR_FORMAT, "%s: damaged ELF file: its section table is cut off", elf->path);
  elf->nsections = count;
  return ERR_NONE;
}

static enum err check_sections(const struct elf *elf, struct diag *d) {
  if (elf->names >= elf->nsections && elf->names != 0) return diag_set(d, ERR_FORMAT, "%s: damaged ELF file: no section names", elf->path);
  for (size_t i = 0; i < elf->nsections; i++) {
    Elf64_Shdr h = header_of(elf, i);
    if (h.sh_type == SHT_NULL || h.sh_type == SHT_NOBITS || inside(h.sh_offset, h.sh_size, elf->size)) continue;
    return diag_set(d, ERR_FORMAT, "%s: damaged ELF file: section %zu is outside the file", elf->path, i);
  }
  return ERR_NONE;
}

enum err elf_read(struct elf *elf, const char *path, const void *bytes, size_t n, struct diag *d) {
  *elf = (struct elf){.path = path, .bytes = bytes, .size = n};
  Elf64_Ehdr h;
  if (!elf_is(bytes, n)) return diag_set(d, ERR_FORMAT, "%s is not an ELF file", path);
  if (n > EI_DATA && (elf->bytes[EI_CLASS] != ELFCLASS64 || elf->bytes[EI_DATA] != ELFDATA2LSB))
    return diag_set(d, ERR_UNSUPPORTED, "%s: only 64-bit little-endian ELF files are supported", path);
  if (n < sizeof h) return diag_set(d, ERR_FORMAT, "%s: damaged ELF file: it ends in its header", path);
  memcpy(&h, bytes, sizeof h);
  elf->type = h.e_type, elf->machine = h.e_machine;
  enum err e = read_table(elf, &h, d);
  return e == ERR_NONE ? check_sections(elf, d) : e;
}

struct elf_section elf_section(const struct elf *elf, size_t i) {
  Elf64_Shdr h = header_of(elf, i);
  struct elf_section s = {.name = absent, .type = h.sh_type, .link = h.sh_link, .flags = h.sh_flags, .address = h.sh_addr};
  if (h.sh_type != SHT_NOBITS && h.sh_type != SHT_NULL) s.data = elf->bytes + h.sh_offset, s.size = h.sh_size;
  if (elf->names) {
    Elf64_Shdr n = header_of(elf, elf->names);
    struct elf_section names = {.type = n.sh_type};
    if (n.sh_type == SHT_STRTAB) names.data = elf->bytes + n.sh_offset, names.size = n.sh_size; /* of others nothing was checked */
    s.name = elf_string(&names, h.sh_name);
  }
  return s;
}

const char *elf_string(const struct elf_section *table, uint64_t offset) {
  if (table->type != SHT_STRTAB || offset >= table->size) return absent;
  const uint8_t *start = table->data + offset;
  return memchr(start, 0, table->size - offset) ? (const char *)start : absent;
}

/* The first section of the type, with its string table. */
static bool find_with_strings(const struct elf *elf, uint32_t type, struct elf_section *s, struct elf_section *strings) {
  for (size_t i = 0; i < elf->nsections; i++) {
    *s = elf_section(elf, i);
    if (s->type != type || s->link >= elf->nsections) continue;
    *strings = elf_section(elf, s->link);
    return true;
  }
  return false;
}

bool elf_symbols(const struct elf *elf, enum elf_table which, void (*each)(void *context, const struct elf_symbol *s), void *context) {
  struct elf_section table, strings;
  if (!find_with_strings(elf, which == ELF_ALL_SYMBOLS ? SHT_SYMTAB : SHT_DYNSYM, &table, &strings)) return false;
  for (size_t i = 1; i < table.size / sizeof(Elf64_Sym); i++) {
    Elf64_Sym y;
    memcpy(&y, table.data + i * sizeof y, sizeof y);
    const struct elf_symbol s = {elf_string(&strings, y.st_name), ELF64_ST_TYPE(y.st_info), ELF64_ST_BIND(y.st_info),
                                 y.st_shndx != SHN_UNDEF};
    each(context, &s);
  }
  return true;
}

bool elf_is_dynamic(const struct elf *elf) {
  struct elf_section table, strings;
  return find_with_strings(elf, SHT_DYNAMIC, &table, &strings);
}

void elf_dynamic(const struct elf *elf, void (*each)(void *context, int64_t tag, const char *string), void *context) {
  struct elf_section table, strings;
  if (!find_with_strings(elf, SHT_DYNAMIC, &table, &strings)) return;
  for (size_t i = 0; i < table.size / sizeof(Elf64_Dyn); i++) {
    Elf64_Dyn y;
    memcpy(&y, table.data + i * sizeof y, sizeof y);
    if (y.d_tag == DT_NULL) return;
    if (y.d_tag == DT_NEEDED || y.d_tag == DT_RUNPATH || y.d_tag == DT_RPATH || y.d_tag == DT_SONAME)
      each(context, y.d_tag, elf_string(&strings, y.d_un.d_val));
  }
}

static void pad_to(struct text *t, uint64_t start, unsigned align) {
  while ((start + t->count) % align) text_putc(t, 0);
}

/* What goes behind the file: the section, the names with one more, the section table with one more. Sets the header's new fields. */
static void build_tail(const struct elf *elf, Elf64_Ehdr *h, const char *name, const void *data, size_t n, struct text *tail) {
  struct elf_section names = elf_section(elf, elf->names);
  Elf64_Shdr added = {.sh_type = SHT_PROGBITS, .sh_size = n, .sh_addralign = 8, .sh_name = (Elf64_Word)names.size};
  pad_to(tail, elf->size, 8);
  added.sh_offset = elf->size + tail->count;
  text_append(tail, data, n);
  uint64_t names_offset = elf->size + tail->count;
  text_append(tail, (const char *)names.data, names.size);
  text_append(tail, name, strlen(name) + 1);
  uint64_t names_size = elf->size + tail->count - names_offset;
  pad_to(tail, elf->size, 8);
  h->e_shoff = elf->size + tail->count;
  bool many = elf->nsections + 1 >= SHN_LORESERVE;
  h->e_shnum = many ? 0 : (Elf64_Half)(elf->nsections + 1);
  for (size_t i = 0; i < elf->nsections; i++) {
    Elf64_Shdr s = header_of(elf, i);
    if (i == elf->names) s.sh_offset = names_offset, s.sh_size = names_size;
    if (i == 0 && many) s.sh_size = elf->nsections + 1;
    text_append(tail, (const char *)&s, sizeof s);
  }
  text_append(tail, (const char *)&added, sizeof added);
}

static int write_at(int fd, const void *bytes, size_t n, uint64_t offset) {
  const char *p = bytes;
  while (n > 0) {
    ssize_t k = pwrite(fd, p, n, (off_t)offset);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return errno;
    p += k, n -= (size_t)k, offset += (uint64_t)k;
  }
  return 0;
}

static bool read_all(int fd, size_t n, struct text *out) {
  char chunk[65536];
  ssize_t k;
  while ((k = read(fd, chunk, sizeof chunk)) > 0) text_append(out, chunk, (size_t)k);
  return k == 0 && out->count == n;
}

enum err elf_add_section(const char *path, const char *name, const void *data, size_t n, struct diag *d) {
  struct text content = {0}, tail = {0};
  struct stat s;
  struct elf elf;
  Elf64_Ehdr h;
  enum err e = ERR_NONE;
  int failure = 0;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || !read_all(fd, (size_t)s.st_size, &content)) {
    e = diag_set(d, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
    goto out;
  }
  if ((e = elf_read(&elf, path, content.data, content.count, d)) != ERR_NONE) goto out;
  if (elf.names == 0) {
    e = diag_set(d, ERR_FORMAT, "%s has no section names", path);
    goto out;
  }
  memcpy(&h, content.data, sizeof h);
  build_tail(&elf, &h, name, data, n, &tail);
  failure = write_at(fd, tail.data, tail.count, elf.size);
  if (!failure) failure = write_at(fd, &h, sizeof h, 0);
  if (failure) {
    if (ftruncate(fd, s.st_size) != 0) failure = errno;
    e = diag_set(d, ERR_FILE, "cannot write %s: %s", path, strerror(failure));
  }
out:
  if (fd >= 0) close(fd);
  text_release(&content);
  text_release(&tail);
  return e;
}

/* An open file, and how to change it. */
struct shortening {
  const struct elf *elf;
  int fd, failure;
  bool (*wanted)(void *context, const char *needed);
  void *context;
};

/* The string at that offset, which is written down at `place`: the last part of it is a string of the table, too. */
static void shorten(struct shortening *x, const struct elf_section *strings, uint64_t offset, const uint8_t *place, size_t size) {
  const char *name = elf_string(strings, offset), *slash = strrchr(name, '/');
  if (!slash || !slash[1] || !x->wanted(x->context, name)) return;
  offset += (uint64_t)(slash + 1 - name);
  if (!x->failure) x->failure = write_at(x->fd, &offset, size, (uint64_t)(place - x->elf->bytes)); /* little-endian */
}

static void shorten_needed(struct shortening *x) {
  struct elf_section table, strings;
  if (!find_with_strings(x->elf, SHT_DYNAMIC, &table, &strings)) return;
  for (size_t i = 0; i < table.size / sizeof(Elf64_Dyn); i++) {
    Elf64_Dyn y;
    const uint8_t *at = table.data + i * sizeof y;
    memcpy(&y, at, sizeof y);
    if (y.d_tag == DT_NULL) return;
    if (y.d_tag == DT_NEEDED) shorten(x, &strings, y.d_un.d_val, at + offsetof(Elf64_Dyn, d_un), sizeof y.d_un.d_val);
  }
}

/* Whose versions of symbols are needed is said by name, too. */
static void shorten_versions(struct shortening *x) {
  struct elf_section table, strings;
  if (!find_with_strings(x->elf, SHT_GNU_verneed, &table, &strings)) return;
  Elf64_Verneed v = {.vn_next = 1};
  for (uint64_t at = 0; v.vn_next && at <= table.size && table.size - at >= sizeof v; at += v.vn_next) {
    memcpy(&v, table.data + at, sizeof v);
    shorten(x, &strings, v.vn_file, table.data + at + offsetof(Elf64_Verneed, vn_file), sizeof v.vn_file);
  }
}

enum err elf_shorten_needed(const char *path, bool (*wanted)(void *context, const char *needed), void *context, struct diag *d) {
  struct text content = {0};
  struct stat s;
  struct elf elf;
  struct shortening x = {.elf = &elf, .wanted = wanted, .context = context};
  enum err e = ERR_NONE;
  x.fd = open(path, O_RDWR | O_CLOEXEC);
  if (x.fd < 0 || fstat(x.fd, &s) != 0 || !read_all(x.fd, (size_t)s.st_size, &content))
    e = diag_set(d, ERR_FILE, "cannot read %s: %s", path, strerror(errno));
  if (!e) e = elf_read(&elf, path, content.data, content.count, d);
  if (!e) shorten_needed(&x), shorten_versions(&x);
  if (!e && x.failure) e = diag_set(d, ERR_FILE, "cannot write %s: %s", path, strerror(x.failure));
  if (x.fd >= 0) close(x.fd);
  text_release(&content);
  return e;
}

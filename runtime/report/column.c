#include "report/column.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "report/file.h"

/* Bytes that are read one after the other; behind the end there are zeroes. */
struct bytes {
  const unsigned char *at, *end;
};

static uint64_t fixed(struct bytes *b, unsigned size) {
  uint64_t value = 0;
  if ((size_t)(b->end - b->at) < size) return b->at = b->end, 0;
  rt_copy(&value, b->at, size); /* the processor's order of bytes is the file's */
  b->at += size;
  return value;
}

static uint64_t leb128(struct bytes *b, bool negative) {
  uint64_t value = 0;
  unsigned shift = 0;
  while (b->at < b->end) {
    unsigned char c = *b->at++;
    if (shift < 64) value |= (uint64_t)(c & 127) << shift;
    shift += 7;
    if (c & 128) continue;
    if (negative && (c & 64) && shift < 64) value |= ~0ull << shift;
    break;
  }
  return value;
}

static void skip(struct bytes *b, uint64_t n) { b->at = n < (uint64_t)(b->end - b->at) ? b->at + n : b->end; }

/* The line program of a unit (DWARF 5, section 6.2). Its rows go up within a sequence, whose last one says where it ends. */
struct program {
  struct bytes code;
  unsigned step, line_range, opcode_base;
  int line_base;
  unsigned char operands[256]; /* of standard opcodes */
  uintptr_t address;
  uint64_t line, column;
  bool over; /* the sequence ends */
};

static void begin_sequence(struct program *p) { p->address = 0, p->line = 1, p->column = 0, p->over = false; }

/* The unit that begins there. False if it is of a version that is not known; *section goes to the next in any case. */
static bool open_unit(struct bytes *section, struct program *p) {
  unsigned word = 4;
  uint64_t length = fixed(section, 4);
  if (length == 0xffffffff) word = 8, length = fixed(section, 8);
  struct bytes unit = *section;
  skip(section, length);
  unit.end = section->at;
  unsigned version = (unsigned)fixed(&unit, 2);
  if (version < 2 || version > 5) return false;
  if (version == 5) fixed(&unit, 2); /* sizes of addresses and segments */
  uint64_t header = fixed(&unit, word);
  struct bytes rest = unit;
  p->code = unit;
  skip(&p->code, header);
  p->step = (unsigned)fixed(&rest, 1);
  if (version >= 4) fixed(&rest, 1); /* operations of an instruction: one */
  fixed(&rest, 1);                   /* which rows are statements */
  p->line_base = (signed char)fixed(&rest, 1);
  p->line_range = (unsigned)fixed(&rest, 1);
  p->opcode_base = (unsigned)fixed(&rest, 1);
  for (unsigned i = 1; i < p->opcode_base; i++) p->operands[i] = (unsigned char)fixed(&rest, 1);
  begin_sequence(p);
  return p->line_range != 0;
}

/* True if it makes a row. */
static bool run_extended(struct program *p) {
  enum { END_SEQUENCE = 1, SET_ADDRESS = 2 };
  uint64_t length = leb128(&p->code, false);
  struct bytes rest = p->code;
  skip(&p->code, length);
  unsigned opcode = (unsigned)fixed(&rest, 1);
  if (opcode == SET_ADDRESS) p->address = (uintptr_t)fixed(&rest, 8);
  p->over = opcode == END_SEQUENCE;
  return p->over;
}

static bool run_standard(struct program *p, unsigned opcode) {
  enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, SET_COLUMN, CONST_ADD_PC = 8, FIXED_ADVANCE_PC };
  if (opcode == COPY) return true;
  if (opcode == ADVANCE_PC)
    p->address += p->step * leb128(&p->code, false);
  else if (opcode == ADVANCE_LINE)
    p->line += leb128(&p->code, true);
  else if (opcode == SET_COLUMN)
    p->column = leb128(&p->code, false);
  else if (opcode == CONST_ADD_PC)
    p->address += p->step * ((255 - p->opcode_base) / p->line_range);
  else if (opcode == FIXED_ADVANCE_PC)
    p->address += fixed(&p->code, 2);
  else
    for (unsigned i = 0; i < p->operands[opcode]; i++) leb128(&p->code, false);
  return false;
}

/* Goes to the next row. False if there is none. */
static bool next_row(struct program *p) {
  if (p->over) begin_sequence(p);
  while (p->code.at < p->code.end) {
    unsigned opcode = (unsigned)fixed(&p->code, 1);
    if (opcode >= p->opcode_base) {
      unsigned n = opcode - p->opcode_base;
      p->address += p->step * (n / p->line_range);
      p->line += (uint64_t)(int64_t)(p->line_base + (int)(n % p->line_range));
      return true;
    }
    if (opcode == 0 ? run_extended(p) : run_standard(p, opcode)) return true;
  }
  return false;
}

/* Rows of code that stands together. */
struct sequence {
  uintptr_t from, to;
  struct bytes unit; /* the first of the unit, to open it again */
  const unsigned char *code;
};

/* What is known of a file. */
struct lines {
  const char *path;
  struct bytes section;
  struct sequence *at;
  size_t count;
};

/* Goes through all sequences; they are kept if there is room for them. */
static void each_sequence(struct lines *l) {
  struct program p;
  struct bytes section = l->section;
  l->count = 0;
  while (section.at < section.end) {
    struct bytes unit = section;
    if (!open_unit(&section, &p)) continue;
    struct sequence s = {.unit = unit, .code = p.code.at};
    for (bool begun = false; next_row(&p); begun = !p.over) {
      if (!begun) s.from = p.address;
      if (!p.over) continue;
      s.to = p.address;
      if (s.from && l->at) l->at[l->count] = s;
      l->count += s.from != 0; /* others are of code that the linker has left out */
      s.code = p.code.at;
    }
  }
}

/* A part of the file, with a zero behind it; NULL if it cannot be read. It is a copy: who writes the file anew changes what is mapped of
 * it, or takes it away. */
static char *part_of(int fd, size_t offset, size_t size) {
  char *copy = size < SIZE_MAX / 2 ? rt_pages(size + 1) : NULL;
  size_t n = 0;
  for (long more; copy && n < size && (more = syscall(SYS_pread64, fd, copy + n, size - n, offset + n)) > 0;) n += (size_t)more;
  if (copy && n < size) return syscall(SYS_munmap, copy, size + 1), NULL;
  return copy;
}

/* Finds the section; a compressed one is left alone. */
static struct bytes read_section(int fd, size_t file_size) {
  ElfW(Ehdr) e;
  struct bytes section = {NULL, NULL};
  if (!module_read(fd, &e, sizeof e, 0) || e.e_shentsize != sizeof(ElfW(Shdr)) || e.e_shstrndx >= e.e_shnum) return section;
  size_t headers = e.e_shnum * sizeof(ElfW(Shdr));
  const ElfW(Shdr) *h = (const void *)part_of(fd, e.e_shoff, headers), *names = h ? &h[e.e_shstrndx] : NULL;
  char *name = h && names->sh_size < file_size ? part_of(fd, names->sh_offset, names->sh_size) : NULL;
  for (unsigned i = 0; name && i < e.e_shnum && !section.at; i++) {
    if (h[i].sh_name >= names->sh_size || !rt_equal(name + h[i].sh_name, ".debug_line")) continue;
    if (h[i].sh_flags & SHF_COMPRESSED || h[i].sh_size > file_size) break;
    const unsigned char *at = (const void *)part_of(fd, h[i].sh_offset, h[i].sh_size);
    if (at) section = (struct bytes){at, at + h[i].sh_size};
  }
  if (name) syscall(SYS_munmap, name, names->sh_size + 1);
  if (h) syscall(SYS_munmap, h, headers + 1);
  return section;
}

/* By where they begin: a heap of all that are not in their places yet, whose first is the last. */
static void sift(struct sequence *at, size_t i, size_t n) {
  for (size_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && at[child + 1].from > at[child].from) child++;
    if (at[child].from <= at[i].from) return;
    struct sequence s = at[i];
    at[i] = at[child], at[child] = s;
  }
}
static void sort(struct sequence *at, size_t n) {
  for (size_t i = n / 2; i-- > 0;) sift(at, i, n);
  while (n-- > 1) {
    struct sequence s = at[0];
    at[0] = at[n], at[n] = s;
    sift(at, 0, n);
  }
}

static void read_file(struct lines *l) {
  int fd = file_open(l->path);
  struct stat s;
  if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode)) l->section = read_section(fd, (size_t)s.st_size);
  if (fd >= 0) syscall(SYS_close, fd);
  each_sequence(l);
  l->at = l->count ? rt_pages(l->count * sizeof l->at[0]) : NULL;
  if (!l->at) return;
  each_sequence(l);
  sort(l->at, l->count);
}

/* Files are read once. */
static struct lines *lines_of(const char *path) {
  enum { FILES = 512 };
  static struct lines files[FILES];
  static unsigned count;
  for (unsigned i = 0; i < count; i++)
    if (rt_equal(files[i].path, path)) return &files[i];
  if (count == FILES) return NULL;
  struct lines *l = &files[count++];
  l->path = path;
  read_file(l);
  return l;
}

/* The column of the last row at or before the address, if it is that line's. */
static int column_in(const struct sequence *s, uintptr_t address, int line) {
  struct program p;
  struct bytes unit = s->unit;
  uint64_t row = 0, column = 0;
  if (!open_unit(&unit, &p)) return 0;
  p.code.at = s->code;
  while (next_row(&p) && p.address <= address && !p.over) row = p.line, column = p.column;
  return row == (uint64_t)line && column <= INT32_MAX ? (int)column : 0;
}

static int look_up(const struct module *m, uintptr_t pc, int line) {
  const struct lines *l = lines_of(m->path);
  uintptr_t address = pc - m->slide;
  size_t from = 0, to = l && l->at ? l->count : 0;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (l->at[middle].from <= address)
      from = middle + 1;
    else
      to = middle;
  }
  return from > 0 && address < l->at[from - 1].to ? column_in(&l->at[from - 1], address, line) : 0;
}

/* A function of thousands of rows is gone through for each question, and each finding asks for the same calls as many others. */
int column_of(const struct module *m, uintptr_t pc, int line) {
  enum { KNOWN = 4096 };
  static struct {
    const char *path;
    uintptr_t address;
    int line, column;
  } known[KNOWN];
  uintptr_t address = pc - m->slide;
  unsigned i = (unsigned)(address * 0x9e3779b97f4a7c15ull >> 52);
  if (known[i].path != m->path || known[i].address != address || known[i].line != line) {
    known[i].column = look_up(m, pc, line);
    known[i].path = m->path, known[i].address = address, known[i].line = line;
  }
  return known[i].column;
}

#include "program/bundle.h"

#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

static enum err read_section(struct bundle *b, size_t file, const struct elf_section *s, struct diag *d) {
  struct embed_record r;
  bool found = true;
  for (size_t at = 0; found;) {
    enum err e = embed_next(b->files.data[file].path, s->data, s->size, &at, &r, &found, d);
    if (e != ERR_NONE) return e;
    if (found) *vec_push(&b->records) = (struct bundle_record){file, r};
  }
  return ERR_NONE;
}

static bool is_embed_section(const char *name) { return strncmp(name, EMBED_SECTION_PREFIX, strlen(EMBED_SECTION_PREFIX)) == 0; }

/* Moves the records from `middle` on (sources compiled while linking) to their places among those of objects, from `first` on. */
static void interleave(struct bundle *b, size_t first, size_t middle) {
  struct bundle_record *all = b->records.data;
  for (size_t i = middle, placed = 0; i < b->records.count; i++) {
    struct bundle_record r = all[i];
    if (r.record.kind == EMBED_LINK) continue;
    size_t to = first + r.record.position + placed++;
    if (to >= i) continue;
    memmove(&all[to + 1], &all[to], (i - to) * sizeof *all);
    all[to] = r;
  }
}

/* All records of the file in the order of its link line, which is that of its global constructors. */
static enum err read_records(struct bundle *b, size_t file, struct diag *d) {
  const struct elf elf = b->files.data[file].elf;
  size_t first = b->records.count, middle = first;
  for (int linked = 0; linked < 2; linked++) {
    for (size_t i = 0; i < elf.nsections; i++) {
      struct elf_section s = elf_section(&elf, i);
      if (!is_embed_section(s.name) || (strcmp(s.name, EMBED_LINK_SECTION) == 0) != (linked == 1)) continue;
      enum err e = read_section(b, file, &s, d);
      if (e != ERR_NONE) return e;
    }
    if (!linked) middle = b->records.count;
  }
  interleave(b, first, middle);
  return ERR_NONE;
}

static enum err read_file(struct bundle *b, const char *path, struct diag *d) {
  struct bundle_file f = {0};
  size_t n = strlen(path) + 1;
  f.path = mem_alloc(n);
  memcpy(f.path, path, n);
  enum err e = file_read(path, FILE_PROGRAM, &f.content, d);
  if (e == ERR_NONE) e = elf_read(&f.elf, f.path, f.content.data, f.content.count, d);
  *vec_push(&b->files) = f;
  return e == ERR_NONE ? read_records(b, b->files.count - 1, d) : e;
}

static void drop_last_file(struct bundle *b) {
  struct bundle_file *f = &vec_pop(&b->files);
  text_release(&f->content);
  text_release(&f->name);
  mem_free(f->path, strlen(f->path) + 1);
}

struct needs {
  struct args libraries, folders;
  const char *origin; /* path of the file */
};

static void add_run_path(struct needs *n, const char *list) {
  while (*list) {
    size_t length = strcspn(list, ":");
    const char *slash = strrchr(n->origin, '/');
    size_t skip = strncmp(list, "$ORIGIN", 7) == 0 ? 7 : strncmp(list, "${ORIGIN}", 9) == 0 ? 9 : 0;
    if (skip && skip <= length) {
      args_addf(&n->folders, "%.*s%.*s", slash ? (int)(slash - n->origin) : 1, slash ? n->origin : ".", (int)(length - skip), list + skip);
    } else if (length) {
      args_addf(&n->folders, "%.*s", (int)length, list);
    }
    list += length + (list[length] == ':');
  }
}

static void collect_need(void *context, int64_t tag, const char *string) {
  struct needs *n = context;
  if (tag == DT_NEEDED && *string) args_add(&n->libraries, string);
  if (tag == DT_RUNPATH || tag == DT_RPATH) add_run_path(n, string);
}

static void add_folder(struct needs *n, const char *base, const char *folder, size_t length) {
  if (*folder == '/')
    args_addf(&n->folders, "%.*s", (int)length, folder);
  else
    args_addf(&n->folders, "%s/%.*s", base, (int)length, folder);
}

/* -L folders of the link line, and the folders of libraries named on it. */
static void add_link_line(struct needs *n, const struct embed_record *r) {
  for (size_t at = 0; at < r->nflags; at += strlen(r->flags + at) + 1) {
    const char *flag = r->flags + at, *slash = strrchr(flag, '/');
    if (strncmp(flag, "-L", 2) == 0 && flag[2])
      add_folder(n, r->folder, flag + 2, strlen(flag + 2));
    else if (*flag != '-' && strstr(flag, ".so"))
      add_folder(n, r->folder, slash ? flag : ".", slash ? (size_t)(slash - flag) : 1);
  }
}

static void add_search_path(struct bundle *b, size_t file, struct needs *n) {
  static const char *const system[] = {
      "/usr/local/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"};
  const char *path = getenv("LD_LIBRARY_PATH");
  if (path) add_run_path(n, path);
  for (size_t i = 0; i < b->records.count; i++)
    if (b->records.data[i].file == file && b->records.data[i].record.kind == EMBED_LINK) add_link_line(n, &b->records.data[i].record);
  args_append_argv(&n->folders, sizeof system / sizeof *system, system);
}

static bool is_read(const struct bundle *b, const char *path) {
  for (size_t i = 0; i < b->files.count; i++)
    if (strcmp(b->files.data[i].path, path) == 0) return true;
  return false;
}

/* Where the library is: a name with a slash is a path, from here or from the folder of the link line. */
static bool find_library(const struct bundle *b, size_t file, const char *name, const struct args *folders, char path[PATH_MAX]) {
  bool is_path = strchr(name, '/') != NULL;
  if (is_path && realpath(name, path)) return true;
  for (size_t i = 0; i < (is_path ? b->records.count : folders->list.count); i++) {
    const struct bundle_record *r = is_path ? &b->records.data[i] : NULL;
    if (r && (r->file != file || r->record.kind != EMBED_LINK)) continue;
    struct text candidate = {0};
    text_printf(&candidate, "%s/%s", r ? r->record.folder : folders->list.data[i], name);
    bool there = realpath(text_str(&candidate), path) && access(path, R_OK) == 0;
    text_release(&candidate);
    if (there) return true;
  }
  return false;
}

/* Finds the library and reads it; true if it carries records (or was read before). */
static bool read_library(struct bundle *b, size_t file, const char *name, const struct args *folders, enum err *e, struct diag *d) {
  char path[PATH_MAX];
  if (!find_library(b, file, name, folders, path)) return false;
  if (is_read(b, path)) return true;
  size_t before = b->records.count;
  *e = read_file(b, path, d);
  text_puts(&vec_last(&b->files).name, name);
  if (*e != ERR_NONE || b->records.count > before) return true;
  drop_last_file(b);
  return false;
}

static bool contains(const struct args *a, const char *word) {
  for (size_t i = 0; i < a->list.count; i++)
    if (strcmp(a->list.data[i], word) == 0) return true;
  return false;
}

static enum err read_libraries(struct bundle *b, size_t file, struct diag *d) {
  struct needs n = {.origin = b->files.data[file].path};
  enum err e = ERR_NONE;
  elf_dynamic(&b->files.data[file].elf, collect_need, &n);
  add_search_path(b, file, &n);
  for (size_t i = 0; e == ERR_NONE && i < n.libraries.list.count; i++) {
    const char *name = n.libraries.list.data[i];
    if (!read_library(b, file, name, &n.folders, &e, d) && !contains(&b->bare_libraries, name)) args_add(&b->bare_libraries, name);
  }
  args_release(&n.libraries);
  args_release(&n.folders);
  return e;
}

enum err bundle_read(struct bundle *b, const char *path, struct diag *d) {
  enum err e = read_file(b, path, d);
  for (size_t i = 0; e == ERR_NONE && i < b->files.count; i++) e = read_libraries(b, i, d);
  return e;
}

void bundle_release(struct bundle *b) {
  while (b->files.count) drop_last_file(b);
  vec_release(&b->files);
  vec_release(&b->records);
  args_release(&b->bare_libraries);
}

size_t bundle_modules(const struct bundle *b) {
  size_t n = 0;
  for (size_t i = 0; i < b->records.count; i++) n += b->records.data[i].record.kind == EMBED_MODULE;
  return n;
}

enum err bundle_is_bare(const struct bundle *b, struct diag *d) {
  diag_hint(d, "build it with heddle cc (or heddle c++) as the compiler and the linker, and do not strip it");
  return diag_set(
      d, ERR_UNSUPPORTED, "%s carries no bitcode: %s", b->files.data[0].path,
      b->records.count ? "none of its sources was compiled to bitcode by heddle cc" : "it was built by another compiler, or stripped");
}

/* The symbol table names the source of each object. Known: sources with a record, what every program starts with, and names of objects,
 * which are parts of the C library (they went through a relocatable link). */
static bool is_known_source(const struct bundle *b, const char *name) {
  static const char *const start_files[] = {"crtstuff.c", "abi-note.c", "init.c", "static-reloc.c", "crtbegin.c", "crtend.c", "<stdin>"};
  const char *dot = strrchr(name, '.');
  if (dot && strcmp(dot, ".o") == 0) return true;
  for (size_t i = 0; i < sizeof start_files / sizeof *start_files; i++)
    if (strcmp(name, start_files[i]) == 0) return true;
  for (size_t i = 0; i < b->records.count; i++) {
    const struct embed_record *r = &b->records.data[i].record;
    if (r->kind != EMBED_LINK && strcmp(file_last_part(r->name), file_last_part(name)) == 0) return true;
  }
  return false;
}

struct foreign {
  const struct bundle *bundle;
  struct args *missing;
};

static void collect_foreign(void *context, const struct elf_symbol *s) {
  struct foreign *f = context;
  if (s->type != STT_FILE || !*s->name || is_known_source(f->bundle, s->name)) return;
  args_addf(f->missing, "%s was built by another compiler", s->name);
}

static void add_lines(struct args *missing, const char *lines) {
  for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
    n = strcspn(lines, "\n");
    args_addf(missing, "%.*s was built by another compiler", (int)n, lines);
  }
}

void bundle_missing(const struct bundle *b, struct args *missing) {
  for (size_t i = 0; i < b->records.count; i++) {
    const struct embed_record *r = &b->records.data[i].record;
    if (r->kind == EMBED_ASSEMBLER) args_addf(missing, "%s is an assembler source", r->name);
    if (r->kind == EMBED_FAILED) args_addf(missing, "%s does not compile to bitcode: %s", r->name, r->note);
    if (r->kind == EMBED_LINK) add_lines(missing, r->note);
  }
  struct foreign f = {b, missing};
  for (size_t i = 0; i < b->files.count; i++) elf_symbols(&b->files.data[i].elf, ELF_ALL_SYMBOLS, collect_foreign, &f);
}

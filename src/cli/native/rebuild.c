#include "cli/native/rebuild.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "cli/cc/cc_line.h"
#include "cli/cc/sanitizers.h"
#include "program/elf_file.h"
#include "program/install.h"
#include "program/kept_bitcode.h"
#include "program/kept_module.h"
#include "program/process.h"

/* One file of the bundle that is built again. */
struct building {
  const struct bundle *bundle;
  size_t file;
  const char *clang, *clangxx, *calls;
  const struct cache *cache;
  struct cache_key key;
  const struct text *runtime; /* folder */
  struct args objects;        /* woven: temporary files; */
  struct args bitcode;        /* REBUILD_PATHS: and their bitcode */
  enum rebuild_for what;
  enum path_how how;
  bool strangers; /* something is linked in that is not woven */
};

static const struct embed_record *link_of(const struct bundle *b, size_t file) {
  const struct embed_record *link = NULL;
  for (size_t i = 0; i < b->records.count; i++)
    if (b->records.data[i].file == file && b->records.data[i].record.kind == EMBED_LINK) link = &b->records.data[i].record;
  return link;
}

static bool starts_with(const char *word, const char *prefix) { return strncmp(word, prefix, strlen(prefix)) == 0; }

/* --- compiling --- */

/* Of the options that a source was compiled with, those that make a difference to what becomes of its bitcode. */
static void add_code_options(const struct embed_record *r, struct args *out) {
  static const char *const prefixes[] = {"-O",
                                         "-m",
                                         "-fpic",
                                         "-fPIC",
                                         "-fpie",
                                         "-fPIE",
                                         "-fno-pic",
                                         "-fno-PIC",
                                         "-fno-pie",
                                         "-fno-PIE",
                                         "-fno-plt",
                                         "-ftls-model=",
                                         "-ffunction-sections",
                                         "-fdata-sections",
                                         "-ffast-math",
                                         "-ffp-contract"};
  for (const char *word = r->flags; word < r->flags + r->nflags; word += strlen(word) + 1)
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
      if (starts_with(word, prefixes[i])) {
        args_add(out, word);
        break;
      }
}

static bool records_paths(const struct building *b) { return b->what == REBUILD_PATHS || b->what == REBUILD_MODULES; }

/* Writes the bitcode to a file and starts clang. */
static enum err start_module(struct building *b, const struct embed_record *r, pid_t *pid, struct diag *d) {
  struct text bitcode = {0}, source = {0}, object = {0};
  struct args command = {0};
  cache_temporary(b->cache, b->key, "bc", &source);
  cache_temporary(b->cache, b->key, "o", &object);
  enum err e = embed_unpack(b->bundle->files.data[b->file].path, r, &bitcode, d);
  FILE *f = e ? NULL : fopen(text_str(&source), "wbe");
  bool wrote = f && fwrite(bitcode.data, 1, bitcode.count, f) == bitcode.count;
  if (f && fclose(f) != 0) wrote = false;
  if (!e && !wrote) e = diag_set(d, ERR_FILE, "cannot write %s: %s", text_str(&source), strerror(errno));
  args_add(&b->objects, text_str(&object));
  args_add(&command, b->clang);
  args_add(&command, "-fno-lto"), args_add(&command, "-w"), args_add(&command, "-Qunused-arguments");
  add_code_options(r, &command);
  args_addf(&command, "-fpass-plugin=%s/heddle-weave.so", text_str(b->runtime));
  args_add(&command, "-x"), args_add(&command, "ir"), args_add(&command, "-c"), args_add(&command, text_str(&source));
  args_add(&command, "-o"), args_add(&command, text_str(&object));
  if (records_paths(b)) {
    struct text woven = {0};
    text_printf(&woven, "%s.woven", text_str(&source));
    args_add(&b->bitcode, text_str(&woven));
    setenv(WEAVE_PATHS, text_str(&woven), true);
    setenv(WEAVE_PATHS_HOW, (char[]){(char)('0' + b->how), 0}, true);
    text_release(&woven);
  }
  if (!e && (*pid = process_start(&command, -1, -1, -1)) < 0) e = diag_set(d, ERR_TOOL, "cannot run %s: %s", b->clang, strerror(errno));
  args_release(&command);
  text_release(&bitcode);
  text_release(&source);
  text_release(&object);
  return e;
}

static bool ended_well(pid_t *pid) {
  bool well = *pid == 0 || process_wait(*pid) == 0;
  *pid = 0;
  return well;
}

/* As many at a time as there are processors, up to MOST. */
static enum err compile_modules(struct building *b, struct diag *d) {
  enum { MOST = 16 };
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t at_once = processors < 1 ? 1 : processors > MOST ? MOST : (size_t)processors, n = 0;
  pid_t running[MOST] = {0};
  enum err e = ERR_NONE;
  bool well = true;
  if (!records_paths(b)) setenv(WEAVE_RECORDING, b->what == REBUILD_ENFORCING ? WEAVE_ENFORCING : "1", true);
  setenv(WEAVE_CALLS, b->calls, true);
  if (b->strangers) setenv(WEAVE_STRANGERS, "1", true);
  for (size_t i = 0; !e && well && i < b->bundle->records.count; i++) {
    const struct bundle_record *r = &b->bundle->records.data[i];
    if (r->file != b->file || r->record.kind != EMBED_MODULE) continue;
    well = ended_well(&running[n % at_once]);
    if (well) e = start_module(b, &r->record, &running[n++ % at_once], d);
  }
  for (size_t i = 0; i < at_once; i++) well = ended_well(&running[i]) && well;
  unsetenv(WEAVE_RECORDING), unsetenv(WEAVE_CALLS), unsetenv(WEAVE_STRANGERS), unsetenv(WEAVE_PATHS), unsetenv(WEAVE_PATHS_HOW);
  if (e || well) return e;
  diag_hint(d, "its message stands above; the bitcode must be of the LLVM that Heddle was built for");
  return diag_set(d, ERR_TOOL, "clang cannot compile the bitcode of %s", b->bundle->files.data[b->file].path);
}

static void remove_temporaries(struct building *b) {
  for (size_t i = 0; i < b->objects.list.count; i++) unlink(b->objects.list.data[i]);
  for (size_t i = 0; i < b->bitcode.list.count; i++) unlink(b->bitcode.list.data[i]);
}

/* --- linking --- */

struct carries {
  bool object, any, all;
};

/* Is it an object file, and do its sources have bitcode, which the program then has, too? */
static void examine_object(const char *path, struct carries *c) {
  struct text bytes = {0};
  struct diag ignored = {0};
  struct elf elf;
  *c = (struct carries){.all = true};
  if (file_read(path, FILE_PROGRAM, &bytes, &ignored) == ERR_NONE && elf_is((const uint8_t *)bytes.data, bytes.count) &&
      elf_read(&elf, path, (const uint8_t *)bytes.data, bytes.count, &ignored) == ERR_NONE) {
    c->object = elf.type == ET_REL;
    for (size_t i = 0; i < elf.nsections; i++) {
      struct elf_section s = elf_section(&elf, i);
      struct embed_record r;
      bool found = starts_with(s.name, EMBED_SECTION_PREFIX);
      for (size_t at = 0; found && embed_next(path, s.data, s.size, &at, &r, &found, &ignored) == ERR_NONE;) {
        if (found && r.kind == EMBED_MODULE) c->any = true;
        if (found && r.kind != EMBED_MODULE) c->all = false;
      }
    }
  }
  text_release(&bytes);
  diag_release(&ignored);
}

static bool is_named_object(const char *path) {
  size_t n = strlen(path);
  return n > 2 && strcmp(path + n - 2, ".o") == 0;
}

/* An object that has bitcode is in the program's, whether its file is still there or not. (If it is not, its name has to say that it was
 * one.) */
static bool is_replaced(const struct building *b, const struct embed_record *link, const struct cc_input *input) {
  const struct bundle *all = b->bundle;
  if (input->kind == CC_SOURCE) {
    for (size_t i = 0; i < all->records.count; i++)
      if (all->records.data[i].file == b->file && all->records.data[i].record.kind == EMBED_FAILED &&
          strcmp(all->records.data[i].record.name, input->path) == 0)
        return false;
    return true;
  }
  if (input->kind != CC_LINKER) return false;
  size_t n = strlen(input->path);
  for (const char *line = link->note; *line; line += strcspn(line, "\n"), line += *line == '\n')
    if (strcspn(line, "\n") == n && strncmp(line, input->path, n) == 0) return false;
  struct text path = {0};
  struct carries c = {.object = is_named_object(input->path), .any = true, .all = true};
  text_printf(&path, "%s%s%s", *input->path == '/' ? "" : link->folder, *input->path == '/' || !*link->folder ? "" : "/", input->path);
  if (access(text_str(&path), R_OK) == 0) examine_object(text_str(&path), &c);
  text_release(&path);
  return c.object && c.any && c.all;
}

/* Words that say what is written, or how sources are compiled, with the next one if `*two`. */
static bool is_left_out(const char *word, bool *two) {
  static const char *const pairs[] = {"-o", "-x", "-MF", "-MT", "-MQ", "-arch"}, *const prefixes[] = {"-o", "-x", "-M", "--output",
                                                                                                      "--language"};
  *two = false;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (strcmp(word, pairs[i]) == 0) return *two = true;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (starts_with(word, prefixes[i])) return true;
  return strcmp(word, "--") == 0 || strcmp(word, "-s") == 0;
}

/* Without the inputs that the woven objects replace. */
static void link_words_of(struct building *b, const struct embed_record *link, const struct cc_line *line, struct args *out) {
  size_t next = 0;
  bool two;
  for (size_t i = 0; i < line->native.list.count; i++) {
    const char *word = line->native.list.data[i];
    const struct cc_input *input =
        next < line->inputs.count && strcmp(line->inputs.data[next].path, word) == 0 ? &line->inputs.data[next++] : NULL;
    if (input && is_replaced(b, link, input)) continue;
    if (input || !is_left_out(word, &two)) {
      args_add(out, word);
    } else if (two) {
      i++;
    }
  }
}

static enum err run_linker(const struct embed_record *link, struct args *command, struct diag *d) {
  struct text messages = {0};
  int status = 0, here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*link->folder && chdir(link->folder) != 0) {
    close(here);
    return diag_set(d, ERR_FILE, "the folder %s, where %s was linked, is not there any more", link->folder, link->name);
  }
  enum err e = process_run(command, PROCESS_ERRORS_KEEP, &messages, &status, d);
  if (here >= 0 && fchdir(here) != 0 && !e) e = diag_set(d, ERR_FILE, "cannot go back to the folder: %s", strerror(errno));
  if (here >= 0) close(here);
  if (!e && status != 0) {
    diag_hint(d, "it is linked as in %s; objects and libraries without bitcode must still be there", link->folder);
    e = diag_set(d, ERR_TOOL, "%s cannot be linked again: %s", link->name, text_str(&messages));
  }
  text_release(&messages);
  return e;
}

/* Parts of the C++ library that are woven (runtime/meson.build): only those that the program asks for. With a library that is a part of the
 * program they would be there twice. */
static void add_library_parts(const struct building *b, const struct embed_record *link, struct args *out) {
  struct text path = {0};
  bool inside = false;
  for (const char *word = link->flags; word < link->flags + link->nflags; word += strlen(word) + 1)
    inside |= strcmp(word, "-static-libstdc++") == 0 || strcmp(word, "-nostdlib++") == 0 || strcmp(word, "-nostdlib") == 0;
  text_printf(&path, "%s/libheddle-%s.a", text_str(b->runtime), b->what == REBUILD_ENFORCING ? "enforced" : "woven");
  if (!inside && access(text_str(&path), R_OK) == 0) args_add(out, text_str(&path));
  text_release(&path);
}

/* The recorder of paths is a part of the program, whole: nobody else asks for its pthread_create(). Libraries that are built again find it
 * there; the linker sees those that were not. */
static enum err paths_words(const struct building *b, const struct link_kind *kind, struct args *out, struct diag *d) {
  static const char *const exported[] = {
      "hd_paths",
      "hd_paths_alone",
      "__heddle_paths_next",
      "__heddle_path_bytes",
      "open",
      "open64",
      "openat",
      "openat64",
      "__open_2",
      "__open64_2",
      "creat",
      "creat64",
      "fopen",
      "fopen64",
      "freopen",
      "freopen64",
      "getenv",
      "secure_getenv",
  };
  if (kind->standalone && !kind->library) {
    diag_hint(d, "leave -static out");
    return diag_set(d, ERR_UNSUPPORTED,
                    "a program that is linked with -static cannot be recorded: the recorder stands before the C library");
  }
  if (kind->library) return ERR_NONE;
  args_addf(out, "-Wl,--whole-archive,%s/libheddle-paths.a,--no-whole-archive", text_str(b->runtime));
  for (size_t i = 0; i < sizeof exported / sizeof *exported; i++) args_addf(out, "-Wl,--export-dynamic-symbol=%s", exported[i]);
  return ERR_NONE;
}

static enum err link_again(struct building *b, const char *output, struct diag *d) {
  const struct embed_record *link = link_of(b->bundle, b->file);
  struct args words = {0}, command = {0}, ours = {0};
  struct cc_line line = {0};
  if (!link) {
    diag_hint(d, "link it with heddle cc or heddle c++");
    return diag_set(d, ERR_UNSUPPORTED, "%s does not say how it was linked", b->bundle->files.data[b->file].path);
  }
  for (const char *word = link->flags; word < link->flags + link->nflags; word += strlen(word) + 1) args_add(&words, word);
  enum err e = cc_line_read(&line, (int)words.list.count, (char **)(uintptr_t)args_argv(&words), d);
  line.kind.carried = false;
  if (!e) e = b->what == REBUILD_PATHS ? paths_words(b, &line.kind, &ours, d) : link_words(&line.kind, text_str(b->runtime), &ours, d);
  args_add(&command, b->clangxx);
  args_add(&command, "-w"), args_add(&command, "-Qunused-arguments");
  args_append(&command, &b->objects);
  if (b->what != REBUILD_PATHS) add_library_parts(b, link, &command); /* before the runtime, which has some of it, too */
  args_append(&command, &ours);
  if (!e) link_words_of(b, link, &line, &command);
  args_add(&command, "-Wl,--as-needed"); /* C++'s own libraries, which come behind, only if they are used */
  args_add(&command, "-o"), args_add(&command, output);
  if (!e) e = run_linker(link, &command, d);
  args_release(&words), args_release(&command), args_release(&ours);
  cc_line_release(&line);
  return e;
}

/* --- all of it --- */

static bool has_modules(const struct bundle *b, size_t file) {
  for (size_t i = 0; i < b->records.count; i++)
    if (b->records.data[i].file == file && b->records.data[i].record.kind == EMBED_MODULE) return true;
  return false;
}

static struct cache_key key_of(const struct building *b) {
  static const char *const parts[] = {"heddle-weave.so", "libtsan.so.2", "libheddle-woven.a", "libheddle-enforced.a", "libheddle-paths.a"};
  static const char *const kinds[] = {
      [REBUILD_RECORDING] = "", [REBUILD_ENFORCING] = WEAVE_ENFORCING, [REBUILD_PATHS] = WEAVE_PATHS, [REBUILD_MODULES] = WEAVE_PATHS};
  struct cache_key k = {0};
  cache_key_string(&k, b->calls);
  cache_key_string(&k, kinds[b->what]);
  if (records_paths(b)) cache_key_bytes(&k, &b->how, sizeof b->how);
  cache_key_string(&k, b->strangers ? WEAVE_STRANGERS : "");
  for (size_t i = 0; i < b->bundle->records.count; i++) {
    const struct bundle_record *r = &b->bundle->records.data[i];
    if (r->file != b->file) continue;
    cache_key_string(&k, r->record.name);
    cache_key_string(&k, r->record.folder);
    cache_key_string(&k, r->record.note);
    cache_key_bytes(&k, r->record.flags, r->record.nflags);
    cache_key_bytes(&k, r->record.packed, r->record.npacked);
  }
  for (size_t i = 1; i < b->bundle->files.count; i++) /* what it needs by other names then */
    if (has_modules(b->bundle, i)) cache_key_string(&k, file_last_part(text_str(&b->bundle->files.data[i].name)));
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    struct text path = {0};
    text_printf(&path, "%s/%s", text_str(b->runtime), parts[i]);
    cache_key_identity(&k, text_str(&path));
    text_release(&path);
  }
  return k;
}

/* Is the library built again? Then it is found by its name (rebuild_link()), and not where the link line had it. */
static bool is_built_again(void *bundle, const char *needed) {
  const struct bundle *b = bundle;
  for (size_t i = 1; i < b->files.count; i++)
    if (has_modules(b, i) && strcmp(file_last_part(text_str(&b->files.data[i].name)), file_last_part(needed)) == 0) return true;
  return false;
}

/* The names that the woven bitcode has in the cache. */
static void list_bitcode(struct building *b, struct args *to) {
  unsigned n = 0;
  for (size_t i = 0; records_paths(b) && i < b->bundle->records.count; i++) {
    if (b->bundle->records.data[i].file != b->file || b->bundle->records.data[i].record.kind != EMBED_MODULE) continue;
    struct text extension = {0}, path = {0};
    text_printf(&extension, "%u.bc", n++);
    cache_path(b->cache, b->key, text_str(&extension), &path);
    args_add(to, text_str(&path));
    text_release(&extension), text_release(&path);
  }
}

static bool are_whole(const struct args *bitcode, size_t from) {
  for (size_t i = from; i < bitcode->list.count; i++)
    if (!cache_has(bitcode->list.data[i]) || !kept_bitcode_is_whole(bitcode->list.data[i])) return false;
  return true;
}

/* In the order in which they were made. */
static enum err keep_bitcode(struct building *b, struct diag *d) {
  enum err e = ERR_NONE;
  for (size_t i = 0; !e && i < b->bitcode.list.count; i++) {
    struct text bytes = {0}, wrapped = {0}, extension = {0};
    e = file_read(b->bitcode.list.data[i], FILE_PROGRAM, &bytes, d);
    if (!e) kept_bitcode_write(&bytes, &wrapped);
    text_printf(&extension, "%zu.bc", i);
    if (!e) e = cache_put(b->cache, b->key, text_str(&extension), wrapped.data, wrapped.count, d);
    text_release(&bytes), text_release(&wrapped), text_release(&extension);
  }
  return e;
}

static enum err build(struct building *b, struct text *path, struct args *modules, struct diag *d) {
  struct text temporary = {0};
  size_t from = modules->list.count;
  b->key = key_of(b);
  list_bitcode(b, modules);
  cache_path(b->cache, b->key, "woven", path);
  bool linked = b->what != REBUILD_MODULES;
  if (are_whole(modules, from) && (!linked || cache_has(text_str(path)))) return ERR_NONE;
  cache_temporary(b->cache, b->key, "woven", &temporary);
  enum err e = compile_modules(b, d);
  if (!e && linked) e = link_again(b, text_str(&temporary), d);
  if (!e && linked) e = elf_shorten_needed(text_str(&temporary), is_built_again, (void *)(uintptr_t)b->bundle, d);
  if (!e) e = keep_bitcode(b, d);
  if (!e && linked) e = cache_commit(b->cache, text_str(&temporary), text_str(path), d);
  if (e) unlink(text_str(&temporary));
  remove_temporaries(b);
  args_release(&b->objects), args_release(&b->bitcode);
  text_release(&temporary);
  return e;
}

static enum err build_all(struct rebuild *r, struct building *b, struct diag *d) {
  enum err e = build(b, &r->program, &r->modules, d);
  for (b->file = 1; !e && b->file < r->bundle.files.count; b->file++) {
    const char *name = file_last_part(text_str(&r->bundle.files.data[b->file].name));
    struct text path = {0};
    if (!has_modules(&r->bundle, b->file)) continue;
    e = build(b, &path, &r->modules, d);
    args_addf(&r->libraries, "%s=%s", name, text_str(&path));
    text_release(&path);
  }
  return e;
}

/* What other runtimes see to cannot be recorded. */
static enum err check_sanitizers(const struct bundle *b, const char *path, struct diag *d) {
  const struct embed_record *link = link_of(b, 0);
  struct sanitizers s = {0};
  struct text rest = {0};
  for (const char *word = link ? link->flags : ""; link && word < link->flags + link->nflags; word += strlen(word) + 1)
    sanitizers_read(&s, word, &rest);
  text_release(&rest);
  enum err e = sanitizers_check(&s, d);
  if (e || !s.thread) return e;
  diag_hint(d, "build it without, or watch it as it is: heddle run");
  return diag_set(d, ERR_UNSUPPORTED, "%s has -fsanitize=thread, and cannot be recorded", path);
}

enum err rebuild_woven(struct rebuild *r, const char *path, enum rebuild_for what, const char *calls, struct diag *d) {
  struct install install = {0};
  struct cache cache = {0};
  struct text runtime = {0};
  struct building b = {.bundle = &r->bundle, .cache = &cache, .runtime = &runtime, .calls = calls, .what = what, .how = r->how};
  mode_t mask = umask(077);
  install_find_compilers(&install);
  b.clang = text_str(&install.clang), b.clangxx = text_str(&install.clangxx);
  enum err e = bundle_read(&r->bundle, path, d);
  if (!e && bundle_modules(&r->bundle) == 0) e = bundle_is_bare(&r->bundle, d);
  if (!e) e = check_sanitizers(&r->bundle, path, d);
  if (!e) e = install_find_runtime(&runtime, d);
  if (!e) e = cache_open(&cache, d);
  if (!e) bundle_missing(&r->bundle, &r->missing), b.strangers = r->missing.list.count > 0;
  if (!e) e = build_all(r, &b, d);
  umask(mask);
  cache_close(&cache);
  text_release(&runtime);
  install_release(&install);
  return e;
}

enum err rebuild_link(const struct args *libraries, struct text *folder, struct diag *d) {
  if (libraries->list.count == 0) return ERR_NONE;
  enum err e = file_make_folder("trace", folder, d);
  if (e != ERR_NONE) return e;
  for (size_t i = 0; i < libraries->list.count; i++) {
    const char *word = libraries->list.data[i], *equals = strchr(word, '=');
    struct text link = {0};
    text_printf(&link, "%s/%.*s", text_str(folder), (int)(equals - word), word);
    if (symlink(equals + 1, text_str(&link)) != 0) diag_set(d, ERR_FILE, "cannot make %s: %s", text_str(&link), strerror(errno));
    text_release(&link);
  }
  return ERR_NONE;
}

void rebuild_search(const struct text *folder) {
  const char *before = getenv("LD_LIBRARY_PATH");
  struct text value = {0};
  text_printf(&value, "%s%s%s", text_str(folder), before ? ":" : "", before ? before : "");
  setenv("LD_LIBRARY_PATH", text_str(&value), true);
  text_release(&value);
}

void rebuild_unlink(const struct args *libraries, const struct text *folder) {
  for (size_t i = 0; folder->count && i < libraries->list.count; i++) {
    struct text link = {0};
    text_printf(&link, "%s/%.*s", text_str(folder), (int)strcspn(libraries->list.data[i], "="), libraries->list.data[i]);
    unlink(text_str(&link));
    text_release(&link);
  }
  if (folder->count) rmdir(text_str(folder));
}

enum err rebuild_hash(const struct rebuild *r, uint64_t *hash, struct diag *d) {
  enum err e = ERR_NONE;
  *hash = 0;
  for (size_t i = 0; !e && i < r->modules.list.count; i++) {
    struct text bytes = {0};
    e = file_read(r->modules.list.data[i], FILE_PROGRAM, &bytes, d);
    *hash = hash_bytes(bytes.data, bytes.count, *hash);
    text_release(&bytes);
  }
  return e;
}

void rebuild_release(struct rebuild *r) {
  bundle_release(&r->bundle);
  text_release(&r->program);
  args_release(&r->modules);
  args_release(&r->libraries);
  args_release(&r->missing);
}

void rebuild_pad(struct text *value) {
  enum { UNIT = 8192 };
  while (value->count % UNIT != 0 || value->count == 0) text_putc(value, ' ');
}

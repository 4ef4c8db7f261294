#include "program/source.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "program/args.h"
#include "program/bundle.h"
#include "program/cache.h"
#include "program/compile.h"
#include "program/install.h"
#include "program/layout.h"
#include "program/lower/data/debug_file.h"
#include "program/process.h"

/* A small file can be made that unpacks to any size. */
#define UNPACKED_MOST (2048ull << 20)

/* A module inside an ELF file, to be written to `path` when the loader is to read it. */
struct carried {
  const char *origin; /* the ELF file */
  struct embed_record record;
  char *path;
};

struct opening {
  struct install install;
  struct cache cache;
  struct cache_key key; /* of all that goes into the image */
  struct args modules;  /* files for heddle-load, in the order of the inputs, */
  struct args names;    /* and what people call each of them */
  struct args command;  /* heddle-load with all but the modules and what it writes */
  VEC(struct bundle) bundles;
  VEC(struct carried) carried; /* points into bundles and modules */
};

static bool is_bitcode(const struct text *content) {
  static const char raw[4] = {'B', 'C', (char)0xc0, (char)0xde}, wrapped[4] = {(char)0xde, (char)0xc0, 0x17, 0x0b};
  return content->count >= 4 && (memcmp(content->data, raw, 4) == 0 || memcmp(content->data, wrapped, 4) == 0);
}

static bool has_suffix(const char *path, const char *suffix) {
  size_t n = strlen(path), m = strlen(suffix);
  return n > m && strcmp(path + n - m, suffix) == 0;
}

static bool is_elf_file(const char *path) {
  char head[4];
  size_t n;
  struct diag ignored = {0};
  bool elf = file_start(path, FILE_PROGRAM, head, sizeof head, &n, &ignored) == ERR_NONE && elf_is(head, n);
  diag_release(&ignored);
  return elf;
}

/* A module that is there as a file already. */
static enum err add_module(struct opening *o, const char *name, const char *path, struct diag *d) {
  struct text content = {0};
  enum err e = file_read(path, FILE_PROGRAM, &content, d);
  if (e == ERR_NONE && content.count == 0) e = diag_set(d, ERR_FORMAT, "%s is empty", name);
  if (e == ERR_NONE && !is_bitcode(&content) && !has_suffix(path, ".ll")) {
    e = diag_set(d, ERR_FORMAT, "%s is neither a C or C++ source, nor LLVM bitcode, nor a program built with heddle cc", name);
    diag_hint(d, "build it with: heddle cc (or heddle c++) in place of the compiler");
  }
  cache_key_string(&o->key, name);
  cache_key_bytes(&o->key, text_str(&content), content.count);
  args_add_file(&o->modules, path);
  args_add(&o->names, name);
  text_release(&content);
  return e;
}

/* The entry `i` is carried by a library too: an object linked into both a program and a library. */
static bool is_repeated(const struct bundle *b, size_t i) {
  const struct bundle_record *r = &b->records.data[i];
  for (size_t k = 0; k < b->records.count; k++) {
    const struct bundle_record *q = &b->records.data[k];
    if (q->file > r->file && q->record.kind == EMBED_MODULE && q->record.npacked == r->record.npacked &&
        memcmp(q->record.packed, r->record.packed, r->record.npacked) == 0)
      return true;
  }
  return false;
}

static void carry(struct opening *o, const struct bundle *b, const struct bundle_record *r) {
  struct text path = {0};
  cache_key_string(&o->key, r->record.name);
  cache_key_bytes(&o->key, r->record.packed, r->record.npacked);
  cache_temporary(&o->cache, o->key, "bc", &path);
  args_add(&o->modules, text_str(&path));
  args_addf(&o->names, "%s (%s)", b->files.data[r->file].path, r->record.name);
  *vec_push(&o->carried) = (struct carried){b->files.data[r->file].path, r->record, vec_last(&o->modules.list)};
  text_release(&path);
}

static enum err add_elf(struct opening *o, const char *path, struct diag *d) {
  struct bundle b = {0};
  enum err e = bundle_read(&b, path, d);
  if (e == ERR_NONE && bundle_modules(&b) == 0) e = bundle_is_bare(&b, d);
  /* Libraries first: what needs them is initialised after them. */
  for (size_t file = b.files.count; e == ERR_NONE && file-- > 0;)
    for (size_t i = 0; i < b.records.count; i++)
      if (b.records.data[i].file == file && b.records.data[i].record.kind == EMBED_MODULE && !is_repeated(&b, i))
        carry(o, &b, &b.records.data[i]);
  *vec_push(&o->bundles) = b;
  return e;
}

static enum err unpack(const struct carried *c, struct diag *d) {
  struct text bitcode = {0};
  enum err e = embed_unpack(c->origin, &c->record, &bitcode, d);
  if (e == ERR_NONE) {
    FILE *f = fopen(c->path, "wbe"); /* short-lived: not worth file_write()'s sync */
    bool ok = f && fwrite(bitcode.data, 1, bitcode.count, f) == bitcode.count;
    if (f && fclose(f) != 0) ok = false;
    if (!ok) e = diag_set(d, ERR_FILE, "cannot write %s: %s", c->path, strerror(errno));
  }
  text_release(&bitcode);
  return e;
}

static enum err add_source(struct opening *o, const struct program_inputs *in, const char *path, struct diag *d) {
  struct text bitcode = {0};
  const struct compile_request request = {&o->install, &o->cache, path, in->flags, in->nflags};
  enum err e = compile_source(&request, &bitcode, d);
  if (e == ERR_NONE) e = add_module(o, path, text_str(&bitcode), d);
  text_release(&bitcode);
  return e;
}

static enum err add_input(struct opening *o, const struct program_inputs *in, const char *path, struct diag *d) {
  bool source = compile_is_source(path);
  enum err e = file_check(path, source ? FILE_TEXT : FILE_PROGRAM, d);
  if (e != ERR_NONE) return e;
  if (source && access(path, R_OK) == 0) return add_source(o, in, path, d);
  return is_elf_file(path) ? add_elf(o, path, d) : add_module(o, path, path, d);
}

/* What dlopen() calls a library that was given without a name. */
static void library_name(const char *path, struct text *name) {
  const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path, *dot = strrchr(last, '.');
  bool shared = strstr(last, ".so") != NULL || !dot;
  text_printf(name, "%.*s%s", shared ? (int)strlen(last) : (int)(dot - last), last, shared ? "" : ".so");
}

/* "[NAME=]FILE": what comes of FILE goes behind "--library NAME". */
static enum err add_library(struct opening *o, const struct program_inputs *in, const char *spec, struct diag *d) {
  const char *equals = strchr(spec, '='), *path = equals ? equals + 1 : spec;
  struct text name = {0};
  if (equals)
    text_printf(&name, "%.*s", (int)(equals - spec), spec);
  else
    library_name(spec, &name);
  const char *const words[] = {"--library", text_str(&name)};
  for (int i = 0; i < 2; i++) {
    args_add(&o->modules, words[i]);
    args_add(&o->names, words[i]);
    cache_key_string(&o->key, words[i]);
  }
  text_release(&name);
  return add_input(o, in, path, d);
}

static void add_models(struct opening *o, const struct program_inputs *in, struct args *command) {
  const struct text none = {0};
  /* Of a function that two define the last one's counts: tasks come behind what does without them. */
  const struct text *const models[] = {&o->install.libc, &o->install.libcxx, &o->install.openmp, &o->install.openmp_tasks,
                                       in->operations ? &o->install.objects : &none};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    if (models[i]->count == 0) continue;
    args_add(command, "--models"), args_add(command, text_str(models[i]));
    cache_key_identity(&o->key, text_str(models[i]));
  }
}

/* Modules go to the loader by the names of files in the cache: people know them by others. */
static void put_names(const struct opening *o, const char *from, size_t n, struct text *to) {
  for (const char *end = from + n; from < end;) {
    size_t i = 0, length = 0;
    for (; i < o->modules.list.count; i++) {
      length = strlen(o->modules.list.data[i]);
      if (length <= (size_t)(end - from) && memcmp(from, o->modules.list.data[i], length) == 0) break;
    }
    if (i == o->modules.list.count)
      text_putc(to, *from++);
    else
      text_puts(to, o->names.list.data[i]), from += length;
  }
}

/* The loader's own line among what LLVM says. */
static const char *own_message(const char *text) {
  static const char prefix[] = "heddle-load: ";
  for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL)
    if (strncmp(line, prefix, sizeof prefix - 1) == 0) return line + sizeof prefix - 1;
  return text;
}

/* heddle-load's messages: "heddle-load: MESSAGE" and then "hint: WHAT TO DO". */
static enum err loader_failed(const struct opening *o, const struct text *messages, int status, struct diag *d) {
  const char *text = own_message(text_str(messages)), *hint = strstr(text, "hint: ");
  struct text message = {0};
  size_t n = hint ? (size_t)(hint - text) : strlen(text);
  while (n > 0 && text[n - 1] == '\n') n--;
  put_names(o, text, n, &message);
  if (hint) diag_hint(d, "%.*s", (int)strcspn(hint + 6, "\n"), hint + 6);
  enum err e = ERR_UNSUPPORTED;
  if (n > 0)
    diag_set(d, e, "%s", text_str(&message));
  else
    e = diag_set(d, ERR_TOOL, "heddle-load ended without a message (exit code %d)", process_exit_code(status));
  text_release(&message);
  return e;
}

/* Runs the loader, which writes an image to `image`, and with `debug` an object file there. */
static enum err run_loader(struct opening *o, const char *image, const char *debug, struct diag *d) {
  struct args command = {0};
  struct text messages = {0};
  int status = 0;
  args_append(&command, &o->command);
  args_add(&command, "-o"), args_add(&command, image);
  if (debug) args_add(&command, "--debug-file"), args_add(&command, debug);
  args_append(&command, &o->modules);
  uint64_t unpacked = 0;
  enum err e = ERR_NONE;
  for (size_t i = 0; i < o->carried.count; i++) unpacked += o->carried.data[i].record.nraw;
  if (unpacked > UNPACKED_MOST) e = diag_set(d, ERR_FILE, "the program has more than %llu MB of bitcode", UNPACKED_MOST >> 20);
  for (size_t i = 0; e == ERR_NONE && i < o->carried.count; i++) e = unpack(&o->carried.data[i], d);
  if (e == ERR_NONE) e = process_run(&command, PROCESS_ERRORS_KEEP, &messages, &status, d);
  if (e == ERR_NONE && status != 0) e = loader_failed(o, &messages, status, d);
  for (size_t i = 0; i < o->carried.count; i++) unlink(o->carried.data[i].path);
  text_release(&messages);
  args_release(&command);
  return e;
}

static enum err load(struct opening *o, const char *path, struct diag *d) {
  struct text temporary = {0};
  cache_temporary(&o->cache, o->key, "hdi", &temporary);
  enum err e = run_loader(o, text_str(&temporary), NULL, d);
  if (e == ERR_NONE) e = cache_commit(&o->cache, text_str(&temporary), path, d);
  if (e != ERR_NONE) unlink(text_str(&temporary));
  text_release(&temporary);
  return e;
}

static void set_command(struct opening *o, const struct program_inputs *in) {
  args_add(&o->command, text_str(&o->install.loader));
  if (in->calls) {
    args_add(&o->command, "--calls"), args_add(&o->command, in->calls);
    if (in->locks) args_add(&o->command, "--locks");
    cache_key_string(&o->key, in->locks ? "--locks" : "--calls"), cache_key_string(&o->key, in->calls);
  }
  if (in->coverage) args_add(&o->command, "--coverage"), cache_key_string(&o->key, "--coverage");
  cache_key_identity(&o->key, text_str(&o->install.loader));
  if (in->operations) args_add(&o->command, "--operations"), cache_key_string(&o->key, "--operations");
  add_models(o, in, &o->command);
}

/* The image from the cache, or made now. An entry that cannot be opened (removed meanwhile, damaged) is made again once. */
static enum err open_image(struct opening *o, struct image *image, struct diag *d) {
  struct text path = {0};
  cache_path(&o->cache, o->key, "hdi", &path);
  enum err e = ERR_FILE;
  if (cache_has(text_str(&path))) e = image_open(image, text_str(&path), d);
  if (e == ERR_NONE) goto out;
  e = load(o, text_str(&path), d);
  if (e == ERR_NONE) e = image_open(image, text_str(&path), d);
out:
  text_release(&path);
  return e;
}

/* --- the file for debuggers --- */

/* Where its code is: away from all that the machine has (layout.h). */
#define DEBUG_TEXT "0x140000000000"

static enum err link_debug(struct opening *o, const char *object, const char *to, struct diag *d) {
  static const char *const words[] = {"-nostdlib", "-static", "-Wl,-Ttext-segment=" DEBUG_TEXT, "-Wl,--build-id=none", "-Wl,-e,0"};
  struct args command = {0};
  struct text messages = {0};
  int status = 0;
  args_add(&command, text_str(&o->install.clang));
  args_append_argv(&command, sizeof words / sizeof *words, words);
  args_addf(&command, "-Wl,--section-start=" DEBUG_FILE_GLOBALS "=0x%llx", (unsigned long long)GLOBALS_BASE);
  args_add(&command, "-o");
  args_add_file(&command, to);
  args_add_file(&command, object);
  enum err e = process_run(&command, PROCESS_ERRORS_KEEP, &messages, &status, d);
  if (e == ERR_NONE && status != 0)
    e = diag_set(d, ERR_TOOL, "%s cannot link a file for the debugger: %s", text_str(&o->install.clang), text_str(&messages));
  text_release(&messages);
  args_release(&command);
  return e;
}

static enum err make_debug(struct opening *o, const char *path, struct diag *d) {
  struct text image = {0}, object = {0}, linked = {0};
  cache_temporary(&o->cache, o->key, "hdi", &image);
  cache_temporary(&o->cache, o->key, "o", &object);
  cache_temporary(&o->cache, o->key, "debug", &linked);
  enum err e = run_loader(o, text_str(&image), text_str(&object), d);
  if (e == ERR_NONE) e = link_debug(o, text_str(&object), text_str(&linked), d);
  if (e == ERR_NONE) e = cache_commit(&o->cache, text_str(&linked), path, d);
  unlink(text_str(&image)), unlink(text_str(&object));
  if (e != ERR_NONE) unlink(text_str(&linked));
  text_release(&image);
  text_release(&object);
  text_release(&linked);
  return e;
}

static enum err open_debug(struct opening *o, struct text *path, struct diag *d) {
  struct text at = {0};
  cache_path(&o->cache, o->key, "debug", &at);
  enum err e = cache_has(text_str(&at)) ? ERR_NONE : make_debug(o, text_str(&at), d);
  if (e == ERR_NONE) text_puts(path, text_str(&at));
  text_release(&at);
  return e;
}

struct lack {
  const struct image *image;
  struct text names;
  size_t count;
};

static void note_lack(void *context, const struct elf_symbol *y) {
  struct lack *l = context;
  if (!y->defined || y->type != STT_FUNC) return;
  for (uint32_t i = 0; i < l->image->nexterns; i++) {
    if (strcmp(image_string(l->image, l->image->externs[i].name), y->name) != 0) continue;
    if (l->count < 3) text_printf(&l->names, "%s%s", l->count ? ", " : "", y->name);
    l->count++;
  }
}

/* Functions of the program that only its native code has: said in advance, since what calls them cannot run. Not in a static program, which
 * has the C library's too. */
static void warn_of_lacks(const struct bundle *b, const struct image *image, struct diag *d) {
  struct lack l = {.image = image};
  struct args missing = {0};
  if (!elf_is_dynamic(&b->files.data[0].elf)) return;
  elf_symbols(&b->files.data[0].elf, ELF_ALL_SYMBOLS, note_lack, &l);
  if (l.count > 0) {
    bundle_missing(b, &missing);
    diag_set(d, ERR_NONE, "%s has native code, but no bitcode, for %s%s: %s", b->files.data[0].path, text_str(&l.names),
             l.count > 3 ? " and others" : "", missing.list.count ? missing.list.data[0] : "it comes from a library of another compiler");
    diag_hint(d, "build all of it with heddle cc; heddle show %s lists what is missing", b->files.data[0].path);
  }
  text_release(&l.names);
  args_release(&missing);
}

enum err program_open(const struct program_inputs *in, struct image *image, struct diag *d) {
  struct opening o = {0};
  mode_t mask = umask(077); /* of what goes into the cache, by us, the compiler and the loader */
  enum err e = in->npaths ? install_find(&o.install, d) : diag_set(d, ERR_USAGE, "no program named");
  if (e == ERR_NONE) e = cache_open(&o.cache, d);
  for (size_t i = 0; e == ERR_NONE && i < in->npaths; i++) e = add_input(&o, in, in->paths[i], d);
  for (size_t i = 0; e == ERR_NONE && i < in->nloads; i++) e = add_library(&o, in, in->loads[i], d);
  if (e == ERR_NONE) set_command(&o, in);
  if (e == ERR_NONE && in->debug) e = open_debug(&o, in->debug, d);
  if (e == ERR_NONE) e = open_image(&o, image, d);
  if (e == ERR_NONE) text_clear(&d->message), text_clear(&d->hint);
  for (size_t i = 0; e == ERR_NONE && i < o.bundles.count; i++) warn_of_lacks(&o.bundles.data[i], image, d);
  for (size_t i = 0; i < o.bundles.count; i++) bundle_release(&o.bundles.data[i]);
  vec_release(&o.bundles);
  umask(mask);
  vec_release(&o.carried);
  args_release(&o.modules);
  args_release(&o.names);
  args_release(&o.command);
  cache_close(&o.cache);
  install_release(&o.install);
  return e;
}

#include "cli/cc/wrap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/spec.h"
#include "program/process.h"

/* An archive under way: GNU's format, with its index in front. */
struct archive {
  struct text members, names;
  VEC(size_t) offsets; /* of the members, from the first one on */
};

static void put_header(struct text *out, const char *name, size_t size) {
  text_printf(out, "%-16s%-12d%-6d%-6d%-8s%-10zu`\n", name, 0, 0, 0, "100644", size);
}
static void put_even(struct text *out) {
  if (out->count % 2) text_putc(out, '\n');
}
static void put_number(struct text *out, size_t n) {
  for (int shift = 24; shift >= 0; shift -= 8) text_putc(out, (char)(n >> shift));
}

static void archive_text(struct archive *a, struct text *out) {
  static const char magic[] = "!<arch>\n";
  enum { HEADER = 60 };
  size_t index = 4 + 4 * a->offsets.count + a->names.count, first = strlen(magic) + HEADER + index + index % 2;
  text_puts(out, magic);
  put_header(out, "/", index);
  put_number(out, a->offsets.count);
  for (size_t i = 0; i < a->offsets.count; i++) put_number(out, first + a->offsets.data[i]);
  text_append(out, text_str(&a->names), a->names.count);
  put_even(out);
  text_append(out, text_str(&a->members), a->members.count);
}

/* Of a file in memory: it lasts as long as this process. */
static void add_path(struct args *out, int fd) { args_addf(out, "/proc/%ld/fd/%d", (long)getpid(), fd); }

/* Returns the object, as a file in memory; -1 if that fails. */
static int assemble(const struct text *source, const char *compiler) {
  struct args command = {0};
  int in = file_in_memory("source", source->data, source->count), object = file_in_memory("object", NULL, 0), status = -1;
  const char *const words[] = {compiler, "-c", "-x", "assembler", "-", "-o", "-"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) args_add(&command, words[i]);
  pid_t pid = in < 0 || object < 0 ? -1 : process_start(&command, in, object, -1);
  if (pid > 0) status = process_wait(pid);
  args_release(&command);
  if (in >= 0) close(in);
  if (status == 0) return object;
  if (object >= 0) close(object);
  return -1;
}

static const char end[] = ".section .note.GNU-stack, \"\", @progbits\n";

static bool add_wrapper(struct archive *a, const char *name, const char *compiler) {
  struct text source = {0}, object = {0};
  text_printf(&source,
              ".text\n.globl __wrap_%s\n.type __wrap_%s, @function\n__wrap_%s:\n  endbr64\n"
              "  lea 0f(%%rip), %%r11\n  jmp *hd_action_call@GOTPCREL(%%rip)\n.size __wrap_%s, . - __wrap_%s\n"
              ".data\n.balign 8\n0:\n  .quad __real_%s, 1f, 0\n1:\n  .asciz \"%s\"\n%s",
              name, name, name, name, name, name, name, end);
  int fd = assemble(&source, compiler);
  bool ok = fd >= 0 && file_read_from(fd, &object);
  if (fd >= 0) close(fd);
  if (ok) {
    *vec_push(&a->offsets) = a->members.count;
    text_printf(&a->names, "__wrap_%s", name);
    text_putc(&a->names, 0);
    put_header(&a->members, "wrapper.o/", object.count);
    text_append(&a->members, text_str(&object), object.count);
    put_even(&a->members);
  }
  text_release(&source);
  text_release(&object);
  return ok;
}

static void put_string(struct text *out, const char *s) {
  text_puts(out, "  .byte ");
  for (; *s; s++) text_printf(out, "%u, ", (unsigned char)*s);
  text_puts(out, "0\n");
}

/* The object that hands the text to the runtime when the program starts. */
static int embed(const char *text, const char *file, const char *compiler) {
  struct text source = {0};
  text_puts(&source,
            ".text\n0:\n  lea 1f(%rip), %rdi\n  lea 2f(%rip), %rsi\n  jmp *hd_action_specify@GOTPCREL(%rip)\n"
            ".section .init_array, \"aw\"\n.balign 8\n  .quad 0b\n.section .rodata\n1:\n");
  put_string(&source, text);
  text_puts(&source, "2:\n");
  put_string(&source, file);
  text_puts(&source, end);
  int fd = assemble(&source, compiler);
  text_release(&source);
  return fd;
}

static enum err failed(struct diag *d) { return diag_set(d, ERR_TOOL, "cannot make the wrappers of -fheddle-spec: %s", strerror(errno)); }

/* The specification points into the texts. */
static enum err read_all(struct spec *spec, struct args *texts, const struct args *files, const char *compiler, struct args *out,
                         struct diag *d) {
  char error[SPEC_ERROR];
  for (size_t i = 0; i < files->list.count; i++) {
    const char *file = files->list.data[i];
    struct text text = {0};
    enum err e = file_read(file, FILE_TEXT, &text, d);
    if (e) return e;
    args_add(texts, text_str(&text));
    bool whole = strlen(text_str(&text)) == text.count;
    text_release(&text);
    if (!whole) return diag_set(d, ERR_FORMAT, "%s is not text: it has a zero byte", file);
    const char *kept = texts->list.data[i];
    if (!spec_read(spec, kept, file, error)) return diag_set(d, ERR_FORMAT, "%s", error);
    int fd = embed(kept, file, compiler);
    if (fd < 0) return failed(d);
    add_path(out, fd);
  }
  return ERR_NONE;
}

enum err wrap_calls(const struct args *files, const struct args *again, const char *compiler, struct args *out, struct diag *d) {
  static struct spec spec;
  struct archive a = {0};
  struct text bytes = {0};
  struct args texts = {0};
  enum err e = read_all(&spec, &texts, files, compiler, out, d);
  for (size_t i = 0; !e && i < spec.nactions; i++) {
    char name[SPEC_NAME + 1];
    snprintf(name, sizeof name, "%.*s", (int)spec.actions[i].name.length, spec.actions[i].name.at);
    args_addf(out, "-Wl,--wrap=%s", name);
    if (!add_wrapper(&a, name, compiler)) e = failed(d);
  }
  if (!e) archive_text(&a, &bytes);
  int fd = e ? -1 : file_in_memory("wrappers", bytes.data, bytes.count);
  if (!e && fd < 0) e = failed(d);
  for (int twice = 0; !e && twice < 2; twice++) { /* libraries may call each other's methods */
    add_path(out, fd);
    args_append(out, again);
  }
  text_release(&a.members);
  text_release(&a.names);
  vec_release(&a.offsets);
  text_release(&bytes);
  args_release(&texts);
  return e;
}

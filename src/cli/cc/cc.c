#include "cli/cc/cc.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/cc/cc_line.h"
#include "cli/cc/wrap.h"
#include "program/elf_file.h"
#include "program/embed.h"
#include "program/install.h"
#include "program/kept_module.h"
#include "program/process.h"

/* A compilation under way. Temporary files live in memory: an interrupt leaves nothing behind. */
struct job {
  struct cc_line line;
  struct install install;
  const char *compiler;
  bool foreign;         /* the compiler is not the one that src/weave was built for */
  struct text runtime;  /* folder of the library for -fheddle=run */
  struct args linking;  /* what the linker needs for that */
  struct args wrappers; /* and, behind the inputs, for -fheddle-spec */
  char folder[PATH_MAX];
  int input;         /* the text of standard input, or -1 */
  int kept;          /* where the native compilation keeps its module as bitcode, or -1 */
  pid_t native;      /* running, or 0 */
  int native_code;   /* its exit code once it has ended */
  VEC(int) outputs;  /* bitcode of each input, or -1: see compile_all() */
  struct args notes; /* why there is none, for each input */
  struct timespec started;
};

/* Keeps standard input: two compilers will read it. */
static int keep_input(void) {
  char chunk[65536];
  ssize_t n;
  int fd = file_in_memory("stdin", NULL, 0);
  while (fd >= 0 && (n = read(STDIN_FILENO, chunk, sizeof chunk)) > 0)
    if (write(fd, chunk, (size_t)n) != n) break;
  return fd;
}

/* The descriptor to give to one reader: its own position, from the start. */
static int reopen(int fd) {
  char path[64];
  if (fd < 0) return -1;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return open(path, O_RDONLY | O_CLOEXEC);
}

/* Command lines too long for the system go through a response file, as they came. */
static void shorten(struct args *a) {
  enum { LONG = 100000 };
  size_t total = 0;
  for (size_t i = 0; i < a->list.count; i++) total += strlen(a->list.data[i]) + 1;
  int fd = total > LONG ? file_in_memory("arguments", NULL, 0) : -1;
  if (fd < 0) return;
  struct text words = {0};
  for (size_t i = 1; i < a->list.count; i++) {
    text_putc(&words, '"');
    for (const char *p = a->list.data[i]; *p; p++) {
      if (*p == '"' || *p == '\\') text_putc(&words, '\\');
      text_putc(&words, *p);
    }
    text_puts(&words, "\"\n");
  }
  if (write(fd, words.data, words.count) == (ssize_t)words.count) {
    struct args shorter = {0};
    args_add(&shorter, a->list.data[0]);
    args_addf(&shorter, "@/proc/%ld/fd/%d", (long)getpid(), fd);
    args_release(a);
    *a = shorter;
  }
  text_release(&words);
}

static pid_t start(struct job *job, struct args *command, int out, int errors) {
  int in = reopen(job->input);
  shorten(command);
  pid_t pid = process_start(command, in, out, errors);
  if (in >= 0) close(in);
  return pid;
}

static int cannot_run(const char *compiler) {
  fprintf(stderr, "heddle: cannot run %s: %s\n", compiler, strerror(errno));
  return 2;
}

static void native_ended(struct job *job, int status) { job->native = 0, job->native_code = process_exit_code(status); }

/* Waits for the bitcode compiler; if clang fails meanwhile, ends it. True if it did its work. */
static bool await_bitcode(struct job *job, pid_t pid) {
  int status;
  for (;;) {
    pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno != EINTR) return false;
    if (ended == pid) return status == 0;
    if (ended == job->native && ended > 0) {
      native_ended(job, status);
      if (job->native_code != 0) kill(pid, SIGTERM);
    }
  }
}

static void first_error(int fd, struct text *note) {
  struct text messages = {0};
  (void)!file_read_from(fd, &messages);
  const char *error = strstr(text_str(&messages), "error: ");
  error = error ? error + strlen("error: ") : "the compiler failed";
  text_append(note, error, strcspn(error, "\n"));
  text_release(&messages);
}

static int try_bitcode(struct job *job, const struct cc_input *input, struct text *note) {
  struct args command = {0};
  int out = file_in_memory("bitcode", NULL, 0), errors = file_in_memory("messages", NULL, 0);
  cc_line_bitcode(&job->line, input, job->compiler, &command);
  pid_t pid = out < 0 || errors < 0 ? -1 : start(job, &command, out, errors);
  bool ok = pid > 0 && await_bitcode(job, pid);
  if (!ok) {
    if (errors >= 0) first_error(errors, note);
    if (out >= 0) close(out);
    out = -1;
  }
  if (errors >= 0) close(errors);
  args_release(&command);
  return out;
}

/* Compiles one source to bitcode in memory; -1 with a note if it cannot be done. A precompiled header made with other flags, found only now
 * because clang looks for one beside each header, is accepted at the second try. */
static int compile_bitcode(struct job *job, const struct cc_input *input, struct text *note) {
  int out = try_bitcode(job, input, note);
  if (out >= 0 || job->line.uses_pch ||
      (!strstr(text_str(note), "PCH") && !strstr(text_str(note), "AST file") && !strstr(text_str(note), "precompiled")))
    return out;
  text_clear(note);
  job->line.uses_pch = true;
  return try_bitcode(job, input, note);
}

/* The bitcode that the native compilation has kept, or -1: it may find out that its module is not the right one. */
static int take_kept(struct job *job) {
  struct stat s;
  if (job->kept < 0) return -1;
  native_ended(job, process_wait(job->native));
  return fstat(job->kept, &s) == 0 && s.st_size > 0 ? fcntl(job->kept, F_DUPFD_CLOEXEC, 0) : -1;
}

static int bitcode_of(struct job *job, const struct cc_input *input, struct text *note) {
  if (input->kind != CC_SOURCE) return -1;
  int kept = take_kept(job);
  return kept >= 0 || job->native_code != 0 ? kept : compile_bitcode(job, input, note);
}

/* Compiles all sources to bitcode, beside the native compilation. */
static void compile_all(struct job *job) {
  for (size_t i = 0; i < job->line.inputs.count && job->native_code == 0; i++) {
    const struct cc_input *input = &job->line.inputs.data[i];
    struct text note = {0};
    *vec_push(&job->outputs) = bitcode_of(job, input, &note);
    args_add(&job->notes, text_str(&note));
    text_release(&note);
  }
  if (job->native) native_ended(job, process_wait(job->native));
}

static void join_words(const struct args *words, struct text *out) {
  for (size_t i = 0; i < words->list.count; i++) text_append(out, words->list.data[i], strlen(words->list.data[i]) + 1);
}

/* Appends the record of one compiled input; nothing for what only the linker reads. */
static void put_input(struct job *job, size_t i, const struct text *flags, uint32_t position, struct text *out) {
  const struct cc_input *input = &job->line.inputs.data[i];
  struct embed_record r = {.name = strcmp(input->path, "-") ? input->path : "<stdin>",
                           .folder = job->folder,
                           .flags = text_str(flags),
                           .nflags = flags->count,
                           .note = "",
                           .position = position};
  struct text raw = {0};
  if (input->kind == CC_LINKER) return;
  if (input->kind == CC_ASSEMBLER)
    r.kind = EMBED_ASSEMBLER;
  else if (job->outputs.data[i] < 0)
    r.kind = EMBED_FAILED, r.note = job->notes.list.data[i];
  else if (!file_read_from(job->outputs.data[i], &raw))
    r.kind = EMBED_FAILED, r.note = "its bitcode cannot be read back";
  else
    r.kind = EMBED_MODULE;
  embed_write(&r, text_str(&raw), r.kind == EMBED_MODULE ? raw.count : 0, out);
  text_release(&raw);
}

/* True if clang wrote the file just now and it can carry a section. */
static bool is_product(const struct job *job, const char *path) {
  unsigned char head[EI_NIDENT] = {0};
  struct stat s;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  bool regular = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && pread(fd, head, sizeof head, 0) == sizeof head;
  close(fd);
  /* The file system's clock may be coarse: up to a tick behind. */
  bool fresh = s.st_ctim.tv_sec > job->started.tv_sec ||
               (s.st_ctim.tv_sec == job->started.tv_sec && s.st_ctim.tv_nsec + 20000000 >= job->started.tv_nsec);
  return regular && fresh && elf_is(head, sizeof head) && head[EI_CLASS] == ELFCLASS64 && head[EI_DATA] == ELFDATA2LSB;
}

static int add_section(const char *path, const char *section, const struct text *records) {
  struct diag d = {0};
  int code = 0;
  if (records->count && elf_add_section(path, section, records->data, records->count, &d) != ERR_NONE) {
    fprintf(stderr, "heddle: cannot add bitcode: %s\n", text_str(&d.message));
    unlink(path); /* as a compiler that fails: no half-made product for make to find */
    code = 2;
  }
  diag_release(&d);
  return code;
}

static int finish_objects(struct job *job, const struct text *flags) {
  int code = 0;
  for (size_t i = 0; i < job->line.inputs.count && code == 0; i++) {
    struct text path = {0}, records = {0};
    cc_line_object(&job->line, &job->line.inputs.data[i], &path);
    put_input(job, i, flags, 0, &records);
    if (records.count && is_product(job, text_str(&path))) code = add_section(text_str(&path), EMBED_OBJECT_SECTION, &records);
    text_release(&path);
    text_release(&records);
  }
  return code;
}

static uint32_t count_records(const struct elf *elf) {
  struct diag d = {0};
  struct embed_record r;
  uint32_t count = 0;
  for (size_t i = 0; i < elf->nsections; i++) {
    struct elf_section s = elf_section(elf, i);
    if (strncmp(s.name, EMBED_SECTION_PREFIX, strlen(EMBED_SECTION_PREFIX)) != 0) continue;
    bool found = true;
    for (size_t at = 0; found && embed_next(elf->path, s.data, s.size, &at, &r, &found, &d) == ERR_NONE;) count += found;
  }
  diag_release(&d);
  return count;
}

/* How many records an object file has; one without any is added to `bare`. Nothing for other files. */
static uint32_t examine_object(const char *path, struct text *bare) {
  struct stat s;
  struct elf elf;
  struct diag d = {0};
  uint32_t count = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  void *bytes = MAP_FAILED;
  if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > 0)
    bytes = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (fd >= 0) close(fd);
  if (bytes == MAP_FAILED) return 0;
  if (elf_is(bytes, (size_t)s.st_size) && elf_read(&elf, path, bytes, (size_t)s.st_size, &d) == ERR_NONE && elf.type == ET_REL) {
    count = count_records(&elf);
    if (count == 0) text_printf(bare, "%s\n", path);
  }
  munmap(bytes, (size_t)s.st_size);
  diag_release(&d);
  return count;
}

static int finish_program(struct job *job, const struct text *flags) {
  const char *program = cc_line_program(&job->line);
  struct text records = {0}, bare = {0};
  uint32_t position = 0;
  if (!is_product(job, program)) return 0;
  for (size_t i = 0; i < job->line.inputs.count; i++) {
    put_input(job, i, flags, position, &records);
    if (job->line.inputs.data[i].kind == CC_LINKER) position += examine_object(job->line.inputs.data[i].path, &bare);
  }
  const struct embed_record link = {.kind = EMBED_LINK,
                                    .name = program,
                                    .folder = job->folder,
                                    .flags = text_str(flags),
                                    .nflags = flags->count,
                                    .note = text_str(&bare)};
  embed_write(&link, "", 0, &records);
  int code = add_section(program, EMBED_LINK_SECTION, &records);
  text_release(&records);
  text_release(&bare);
  return code;
}

/* What clang needs to build a program for `heddle run`: the runtime's calls, but not clang's own runtime. It prepares the code as for
 * ThreadSanitizer, whose pass then has nothing to do; src/weave does that, as a library that clang loads. */
static void add_watching(const struct job *job, struct args *native) {
  static const char *const idle[] = {"-tsan-instrument-memory-accesses=false", "-tsan-instrument-func-entry-exit=false",
                                     "-tsan-instrument-atomics=false", "-tsan-instrument-memintrinsics=false"};
  if (!job->line.watched) return;
  args_add(native, "-Xclang"), args_add(native, "-fsanitize=thread");
  if (!job->foreign) {
    args_add(native, "-Xclang"), args_addf(native, "-fpass-plugin=%s/heddle-weave.so", text_str(&job->runtime));
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
      args_add(native, "-Xclang"), args_add(native, "-mllvm"), args_add(native, "-Xclang"), args_add(native, idle[i]);
  }
  /* Else clang changes what is said of variables before any pass can keep the module. */
  if (job->kept >= 0) args_add(native, "-Xclang"), args_add(native, "-fexperimental-assignment-tracking=disabled");
  if (job->line.mode == CC_LINK) args_append(native, &job->linking);
}

static pid_t start_native(struct job *job) {
  struct args native = {0};
  args_add(&native, job->compiler);
  add_watching(job, &native);
  /* Objects carry bitcode, too; so what only the linker reads is compressed, and unpacked as it links. */
  if (job->line.mode == CC_OBJECT) args_add(&native, "-gz");
  args_append(&native, &job->line.native);
  args_append(&native, &job->wrappers);
  unsetenv(KEPT_MODULE);
  if (job->kept >= 0) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), job->kept);
    setenv(KEPT_MODULE, path, true);
  }
  pid_t pid = start(job, &native, -1, -1);
  unsetenv(KEPT_MODULE);
  args_release(&native);
  return pid;
}

static bool is_library(const char *path) {
  size_t n = strlen(path);
  return strncmp(path, "-l", 2) == 0 ? n > 2 : n > 2 && strcmp(path + n - 2, ".a") == 0;
}

/* What the linker needs for calls of methods to be seen. */
static bool find_wrappers(struct job *job) {
  struct args libraries = {0};
  struct diag d = {0};
  if (!job->line.watched || job->line.mode != CC_LINK || job->line.specs.list.count == 0) return true;
  for (size_t i = 0; i < job->line.inputs.count; i++)
    if (job->line.inputs.data[i].kind == CC_LINKER && is_library(job->line.inputs.data[i].path))
      args_add(&libraries, job->line.inputs.data[i].path);
  enum err e = wrap_calls(&job->line.specs, &libraries, job->compiler, &job->wrappers, &d);
  if (e) fprintf(stderr, "heddle: %s\n", text_str(&d.message));
  args_release(&libraries);
  diag_release(&d);
  return !e;
}

static int run(struct job *job) {
  struct text flags = {0};
  job->input = job->line.reads_stdin ? keep_input() : -1;
  job->kept = !job->foreign && cc_line_shares_module(&job->line) ? file_in_memory("module", NULL, 0) : -1;
  if (!getcwd(job->folder, sizeof job->folder)) job->folder[0] = 0;
  clock_gettime(CLOCK_REALTIME, &job->started);
  int code = 2;
  if (!find_wrappers(job)) goto out;
  job->native = start_native(job);
  if (job->native < 0) {
    code = cannot_run(job->compiler);
    goto out;
  }
  compile_all(job);
  code = job->native_code;
  join_words(&job->line.words, &flags);
  if (code == 0) code = job->line.mode == CC_OBJECT ? finish_objects(job, &flags) : finish_program(job, &flags);
out:
  text_release(&flags);
  for (size_t i = 0; i < job->outputs.count; i++)
    if (job->outputs.data[i] >= 0) close(job->outputs.data[i]);
  vec_release(&job->outputs);
  args_release(&job->notes);
  if (job->input >= 0) close(job->input);
  if (job->kept >= 0) close(job->kept);
  return code;
}

/* Clang alone, with the arguments as they came. */
static int become_compiler(const struct job *job, int argc, char **argv) {
  struct args a = {0};
  args_add(&a, job->compiler);
  add_watching(job, &a);
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "-fheddle", strlen("-fheddle")) != 0) args_add(&a, argv[i]);
  execvp(job->compiler, args_argv(&a));
  args_release(&a);
  return cannot_run(job->compiler);
}

/* A library for one LLVM cannot be loaded by another: then the checks are calls that clang's own pass makes. */
static bool is_foreign(const char *compiler) {
  struct args command = {0};
  struct text version = {0};
  if (!getenv("HEDDLE_CLANG") && !getenv("HEDDLE_CLANGXX")) return false;
  int out = file_in_memory("version", NULL, 0);
  args_add(&command, compiler), args_add(&command, "-dumpversion");
  pid_t pid = out < 0 ? -1 : process_start(&command, -1, out, -1);
  bool known = pid > 0 && process_wait(pid) == 0 && file_read_from(out, &version);
  bool foreign = known && atoi(text_str(&version)) != HEDDLE_LLVM;
  if (out >= 0) close(out);
  text_release(&version);
  args_release(&command);
  return foreign;
}

static enum err find_watching(struct job *job, struct diag *d) {
  job->foreign = is_foreign(job->compiler);
  enum err e = sanitizers_check(&job->line.sanitizers, d);
  if (e == ERR_NONE) e = install_find_runtime(&job->runtime, d);
  return e != ERR_NONE || job->line.mode != CC_LINK ? e : link_words(&job->line.kind, text_str(&job->runtime), &job->linking, d);
}

int cli_cc(int argc, char **argv, bool cxx) {
  struct job job = {.input = -1, .kept = -1};
  struct diag d = {0};
  install_find_compilers(&job.install);
  job.compiler = text_str(cxx ? &job.install.clangxx : &job.install.clang);
  int code = 2;
  enum err e = install_check_compiler(job.compiler, &d);
  if (e != ERR_NONE) {
    fprintf(stderr, "heddle: %s\nheddle: hint: %s\n", text_str(&d.message), text_str(&d.hint));
    goto out;
  }
  e = cc_line_read(&job.line, argc - 1, argv + 1, &d);
  if (e == ERR_NONE && cc_line_has_openmp(&job.line)) {
    install_find_openmp_header(&job.install);
    if (job.install.openmp_include.count) cc_line_add_folder(&job.line, text_str(&job.install.openmp_include));
  }
  enum err watching = e == ERR_NONE && job.line.watched ? find_watching(&job, &d) : ERR_NONE;
  if (watching != ERR_NONE) {
    fprintf(stderr, "heddle: -fheddle=run: %s\n", text_str(&d.message));
    if (d.hint.count) fprintf(stderr, "heddle: hint: %s\n", text_str(&d.hint));
  } else {
    code = e != ERR_NONE || job.line.mode == CC_PASS ? become_compiler(&job, argc, argv) : run(&job);
  }
out:
  args_release(&job.linking);
  args_release(&job.wrappers);
  text_release(&job.runtime);
  cc_line_release(&job.line);
  install_release(&job.install);
  diag_release(&d);
  return code;
}

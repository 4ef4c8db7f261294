#include "batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library's models are linked under all but the classic programs, which need only those of waits with a time. */
static const char *load_options(unsigned features) {
  if (features & GENERATE_CXX) return "--models " LIBC_BC " --models " LIBCXX_BC " -o";
  return features & GENERATE_ALL ? "--models " LIBC_BC " -o" : TIMED_MODELS " -o";
}

static int run_command(const char *program, const char *options, const char *to, const char *from) {
  struct text command = {0};
  text_printf(&command, "%s %s %s %s", program, options, to, from);
  int code = system(text_str(&command));
  text_release(&command);
  return code;
}

static bool write_text(const char *path, const struct text *t) {
  FILE *f = fopen(path, "w");
  if (!f) return false;
  bool ok = fwrite(t->data, 1, t->count, f) == t->count;
  return fclose(f) == 0 && ok;
}

/* Every second seed is compiled with optimisation. */
static const char *compile_options(uint64_t seed, unsigned features) {
  if (features & GENERATE_CXX)
    return seed % 2 ? "-x c++ -std=gnu++17 -O1 -g -w -emit-llvm -c -o"
                    : "-x c++ -std=gnu++17 -O0 -Xclang -disable-O0-optnone -g -w -emit-llvm -c -o";
  return seed % 2 ? "-std=gnu17 -O1 -g -w -emit-llvm -c -o" : "-std=gnu17 -O0 -Xclang -disable-O0-optnone -g -w -emit-llvm -c -o";
}

static bool open_as(struct image *opened, const char *path, uint64_t seed, unsigned features, const char *flags) {
  char folder[] = "/tmp/heddle-differential-XXXXXX", bc[64], image[64];
  if (!mkdtemp(folder)) return false;
  snprintf(bc, sizeof bc, "%s/p.bc", folder);
  snprintf(image, sizeof image, "%s/p.hdi", folder);
  struct diag d = {0};
  bool ok = run_command(CLANG, flags, bc, path) == 0 && run_command(HEDDLE_LOAD, load_options(features), image, bc) == 0 &&
            image_open(opened, image, &d) == ERR_NONE;
  if (!ok) fprintf(stderr, "batch %llu: %s\n", (unsigned long long)seed, text_str(&d.message));
  unlink(bc), unlink(image), rmdir(folder);
  diag_release(&d);
  return ok;
}

bool batch_open_file(struct image *opened, const char *path, uint64_t seed, unsigned features) {
  return open_as(opened, path, seed, features, compile_options(seed, features));
}

bool batch_open_as(struct image *opened, uint64_t seed, unsigned count, unsigned features, const char *flags) {
  char c[] = "/tmp/heddle-differential-XXXXXX.c";
  struct text source = {0};
  int fd = mkstemps(c, 2);
  if (fd < 0) return false;
  close(fd);
  generate(seed, count, features, &source);
  bool ok = write_text(c, &source) && open_as(opened, c, seed, features, flags);
  unlink(c);
  text_release(&source);
  return ok;
}

bool batch_open(struct image *opened, uint64_t seed, unsigned count, unsigned features) {
  return batch_open_as(opened, seed, count, features, compile_options(seed, features));
}

struct machine *batch_machine(const struct image *image, unsigned index, enum machine_memory memory, bool see_alone) {
  static char number[16];
  static const char *arguments[] = {"p", number, NULL};
  snprintf(number, sizeof number, "%u", index);
  struct machine_options options = {.arguments = arguments, .memory = memory, .see_alone = see_alone, .outputs = true};
  struct machine *m = NULL;
  struct diag d = {0};
  if (machine_new(&m, image, &options, &d) != ERR_NONE) fprintf(stderr, "machine: %s\n", text_str(&d.message));
  diag_release(&d);
  return m;
}

bool batch_memory(const char *name, enum machine_memory *memory) {
  static const char *const names[] = {[MEMORY_SC] = "sc", [MEMORY_TSO] = "tso", [MEMORY_PSO] = "pso"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(name, names[i])) continue;
    *memory = (enum machine_memory)i;
    return true;
  }
  return false;
}

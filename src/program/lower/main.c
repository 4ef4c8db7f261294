/* heddle-load: bitcode in, image out. A program of its own because libLLVM costs time and memory that nobody else needs to pay. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "program/image.h"
#include "program/lower/crash.h"
#include "program/lower/load.h"

/* Loading takes a second for some megabytes: this is a hundred times as long. */
enum { SECONDS_LEAST = 100, BYTES_A_SECOND = 50000 };

static int usage(void) {
  fputs(
      "usage: heddle-load -o OUT.hdi [--models FILE.bc]... [--calls NAMES] [--locks] [--coverage] [--operations] [--debug-file OUT.o] "
      "INPUT.bc... "
      "[--library NAME "
      "INPUT.bc...]...\n"
      "       heddle-load --print IMAGE.hdi\n",
      stderr);
  return 2;
}

static int report(struct diag *d) {
  fprintf(stderr, "heddle-load: %s\n", text_str(&d->message));
  if (d->hint.count) fprintf(stderr, "hint: %s\n", text_str(&d->hint));
  diag_release(d);
  return 2;
}

static int print_image(const char *path) {
  struct image image;
  struct diag d = {0};
  if (image_open(&image, path, &d) != ERR_NONE) return report(&d);
  struct text out = {0};
  image_disassemble(&image, &out);
  bool written = fputs(text_str(&out), stdout) >= 0 && fflush(stdout) == 0;
  text_release(&out);
  image_close(&image);
  return written ? 0 : 2;
}

/* The process ends behind one program. AddressSanitizer is shown all the same that nothing is lost. */
#ifdef __SANITIZE_ADDRESS__
static const bool ends = false;
#else
static const bool ends = true;
#endif

int main(int argc, char **argv) {
  VEC(const char *) inputs = {0}, models = {0};
  VEC(struct load_library) libraries = {0};
  struct load_options o = {.ends = ends};
  if (argc == 3 && strcmp(argv[1], "--print") == 0) return print_image(argv[2]);
  for (int i = 1; i < argc; i++) {
    bool has_value = i + 1 < argc;
    if (strcmp(argv[i], "-o") == 0 && has_value)
      o.output = argv[++i];
    else if (strcmp(argv[i], "--models") == 0 && has_value)
      *vec_push(&models) = argv[++i];
    else if (strcmp(argv[i], "--debug-file") == 0 && has_value)
      o.debug_file = argv[++i];
    else if (strcmp(argv[i], "--calls") == 0 && has_value)
      o.calls = argv[++i];
    else if (strcmp(argv[i], "--locks") == 0)
      o.locks = true;
    else if (strcmp(argv[i], "--operations") == 0)
      o.operations = true;
    else if (strcmp(argv[i], "--coverage") == 0)
      o.coverage = true;
    else if (strcmp(argv[i], "--library") == 0 && has_value)
      *vec_push(&libraries) = (struct load_library){argv[++i], inputs.count, 0};
    else if (argv[i][0] == '-' && argv[i][1])
      return usage();
    else
      *vec_push(&inputs) = argv[i];
    if (libraries.count) vec_last(&libraries).count = inputs.count - vec_last(&libraries).first;
  }
  if (!o.output || inputs.count == 0) return usage();
  o.inputs = inputs.data, o.ninputs = inputs.count, o.models = models.data, o.nmodels = models.count;
  o.libraries = libraries.data, o.nlibraries = libraries.count;
  struct text all = {0};
  uint64_t size = 0;
  for (size_t i = 0; i < o.ninputs; i++) {
    struct stat s;
    text_printf(&all, "%s%s", i ? " or " : "", o.inputs[i]);
    if (stat(o.inputs[i], &s) == 0) size += (uint64_t)s.st_size;
  }
  crash_catch(text_str(&all), SECONDS_LEAST + (unsigned)(size / BYTES_A_SECOND));
  struct diag d = {0};
  enum err e = load_program(&o, &d);
  vec_release(&inputs);
  vec_release(&models);
  vec_release(&libraries);
  return e == ERR_NONE ? 0 : report(&d);
}

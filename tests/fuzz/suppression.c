/* Suppressions: runtime/report/suppression.c and what it shares with the tools (src/base/suppress.c), whose list is forgotten after each text. What it needs of the runtime stands in here: memory
 * that is given back at once, and an end of the process that comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/report/suppression.c"
#include "../../src/base/suppress.c"
#include "target.h"

static jmp_buf ended;
static void *blocks[1 << 16];
static size_t nblocks;

void *rt_alloc(size_t bytes) { return nblocks < sizeof blocks / sizeof *blocks ? blocks[nblocks++] = calloc(1, bytes) : NULL; }
void rt_copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
size_t rt_length(const char *s) { return strlen(s); }
bool rt_equal(const char *a, const char *b) { return strcmp(a, b) == 0; }
bool rt_text_read(struct rt_text *t, const char *file) { return t && file && false; }
void rt_die(const char *format, ...) {
  char line[512];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  MUST(n > 0);
  longjmp(ended, 1);
}

const char *finding_suppression(enum finding_kind kind) { return kind == FINDING_DEADLOCK ? "deadlock" : "race"; }
struct location location_of(uintptr_t address, const struct origin *then) {
  (void)address, (void)then;
  return (struct location){0};
}
void stack_each(uint32_t site, bool (*each)(const struct frame_name *n, void *data), void *data) { (void)site, (void)each, (void)data; }
unsigned finding_threads(const struct finding *f, const struct thread_info **to, unsigned most) {
  (void)f, (void)to, (void)most;
  return 0;
}

static void try_patterns(const struct suppression *s, void *data) {
  static const char *const names[] = {"", "f", "namespace::function(int)", "/usr/lib/x86_64-linux-gnu/libc.so.6", "aaaaaaaaaaaaaaaaaaab"};
  (void)data;
  MUST(is_type(s->type, strlen(s->type)) && *s->pattern);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) (void)suppress_matches(s->pattern, names[i]);
  if (!strpbrk(s->pattern, "*^$")) MUST(suppress_matches(s->pattern, s->pattern));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  char *text = malloc(n + 1);
  memcpy(text, data, n);
  text[n] = 0;
  if (setjmp(ended) == 0) {
    suppressions_add(text, "F");
    suppressions_each(try_patterns, NULL);
  }
  first = NULL, last = &first;
  while (nblocks) free(blocks[--nblocks]);
  free(text);
  return 0;
}

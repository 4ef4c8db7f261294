/* The machine's primitives, natively, for tests of the library models: the models' symbols carry the prefix m_, so that a test compares
 * m_strlen with the C library's strlen. */
#pragma once
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

enum { SHIM_OUTPUT = 1 << 16, SHIM_FILES = 8 };
enum shim_end { SHIM_RUNNING, SHIM_EXITED, SHIM_FAILED, SHIM_UNSUPPORTED };

struct shim_file {
  const char *path, *bytes;
  size_t size;
};

/* What the models under test have done to the outside world. */
struct shim {
  char output[3][SHIM_OUTPUT]; /* of descriptors 1 and 2 */
  size_t output_length[3];
  unsigned output_calls;
  enum shim_end ended; /* by which primitive the "process" ended; control is then at `out` */
  int code;
  char kind[64], message[600]; /* of __hd_fail; or name and reason of __hd_unsupported */
  struct shim_file files[SHIM_FILES];
  uint64_t time;
  jmp_buf out;
};
extern struct shim shim;

/* The program's destructor functions, up to NULL; none at first, and left alone by shim_reset(). */
extern void (*shim_destructors[4])(void);

void shim_reset(void);

/* Runs a statement that may end the process; then shim.ended says how. */
#define SHIM_RUN(statement)  \
  do {                       \
    shim_reset();            \
    if (!setjmp(shim.out)) { \
      statement;             \
    }                        \
  } while (0)

/* A rig for tests: a C program from a string, run in the machine under every schedule or a given one.
 *
 * The program sees no library model, only what the machine provides. */
#pragma once
#include "machine/machine.h"

/* Starts of programs, and a main that starts threads f and g, joins them, and ends with the statements `end`. */
#define HEAD                                                                                                   \
  "#define _GNU_SOURCE\n#include <pthread.h>\n#include <semaphore.h>\n#include <errno.h>\n#include <time.h>\n" \
  "#include <sched.h>\nint x, y, r;\nstruct timespec soon, bad = {0, 1000000000};\n"
#define MUTEX        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
#define THREAD(name) "void *" name "(void *argument) "
#define RUN_F_AND_G(end)                                                                                            \
  "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); " \
  "pthread_join(b, 0); " end " }\n"
#define RUN_F(end) "int main(void) { pthread_t a; pthread_create(&a, 0, f, 0); pthread_join(a, 0); " end " }\n"

struct rig {
  struct machine *machine;
  struct image image;
};

/* Compiles and loads; the test fails if it cannot. `options` may be NULL. One rig at a time. */
void rig_open(struct rig *r, const char *source, const struct machine_options *options);
void rig_close(struct rig *r);

/* What all executions came to. */
struct outcomes {
  uint32_t executions;
  uint32_t status[16];                 /* by enum machine_status */
  uint32_t findings[FINDING_COUNT];    /* by kind */
  struct text messages[FINDING_COUNT]; /* the first of each kind */
  uint64_t exit_codes;                 /* bit set of exit codes below 64 */
};
/* Every schedule, depth first, up to `limit` executions; the test fails if there are more. Release with outcomes_release(). */
struct outcomes rig_explore(struct rig *r, uint32_t limit);
void outcomes_release(struct outcomes *o);

/* Explores `source` whole and checks that it always ends well, giving every exit code of `codes` and no other. */
void expect_codes(const char *source, uint64_t codes);
/* Explores `source` whole and checks that some execution finds `kind` with a message that contains `text`, and that no execution
 * finds another kind. */
void expect_finding(const char *source, enum finding_kind kind, const char *text);
/* The same, and every execution finds it. */
void expect_only_finding(const char *source, enum finding_kind kind, const char *text);

/* One step of the thread with this name; the test fails if it is not enabled. */
void rig_step(struct rig *r, const char *thread, uint32_t choice);
/* Steps this thread until its pending event has this operation. */
void rig_run_to(struct rig *r, const char *thread, enum event_op op);
bool rig_is_enabled(struct rig *r, const char *thread);
enum event_op rig_pending(struct rig *r, const char *thread);

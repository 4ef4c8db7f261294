/* Functions of the C library that a row of a table describes: what a call reads and writes of the program's memory, and what it orders.
 * What a call reads is noted before it, what it writes behind it, and only if it succeeded.
 *
 *   ROW(readlink, PLAIN, COUNT, R(0, TEXT), W(1, RESULT))
 *
 * says that readlink() reads its first argument, a string, and writes as many bytes of its second one as it returns, if that is not
 * negative. A function of the table has any number of integers and pointers as its arguments, of which up to 8 are passed on, and an
 * integer, a pointer or nothing as its result. Those with arguments in other registers have a function of their own. */
#pragma once
#include "intercept/intercept.h"

enum { LIBRARY_ARGUMENTS = 8, LIBRARY_EFFECTS = 6 };

/* When a call was successful, by its result: */
enum success {
  ALWAYS,
  NUMBER, /* an int that is not negative */
  ZERO,   /* the int 0 */
  TRUTH,  /* an int above 0 */
  COUNT,  /* a size that is not negative */
  POINTER /* not NULL, or a size above 0 */
};

/* How many bytes: .by is the number of another argument, .size a number of bytes. */
enum length {
  LENGTH_SIZE,        /* .size */
  LENGTH_ARGUMENT,    /* argument .by, times .size */
  LENGTH_PRODUCT,     /* arguments .by and .size */
  LENGTH_RESULT,      /* the result, times .size */
  LENGTH_RESULT_IN,   /* the result, but at most argument .by */
  LENGTH_RESULTS,     /* the result, times argument .by */
  LENGTH_RESULT_END,  /* the result and one more */
  LENGTH_TEXT,        /* a string with its end */
  LENGTH_TEXT_LIMIT,  /* the same, but at most as many as argument .by */
  LENGTH_WIDE,        /* a wide string with its end */
  LENGTH_WIDE_LIMIT,  /* the same, but at most as many characters as argument .by */
  LENGTH_FOUND,       /* up to the place that is the result; without one, all of the string */
  LENGTH_FOUND_BYTES, /* the same; without one, argument .by */
  LENGTH_ALIKE,       /* as far as it is the same as argument .by but for capitals, and one more */
  LENGTH_ALIKE_LIMIT, /* the same, but at most as many as argument .size */
  LENGTH_ROOM,        /* what argument .by points to, a socklen_t, but not more than before the call */
  LENGTH_ADDRESS,     /* of an internet address of the family that is argument .by */
  LENGTH_MESSAGE_OF,  /* a message of System V with its type: argument .by, or of what is written the result, is the length of its text */
  LENGTH_FIELD,       /* a short at that many bytes behind its begin: .size */
  /* more than bytes one behind the other: */
  LENGTH_VECTOR,   /* argument .by blocks: itself, and of the blocks as many bytes as the result */
  LENGTH_MESSAGE,  /* of sendmsg(), in the same way */
  LENGTH_MESSAGES, /* of sendmmsg(): argument .by of them, or the result */
  LENGTH_POLLS     /* argument .by descriptors to poll: what the program says of each, or what it is told */
};

struct effect {
  uint8_t kind;     /* SITE_READ, SITE_WRITE; 0: there are no more effects */
  uint8_t argument; /* the pointer, */
  bool indirect;    /* or what the pointer points to */
  uint8_t length;   /* enum length */
  uint8_t by;
  uint32_t size;
};

#define RETURNED LIBRARY_ARGUMENTS /* as a number of an argument: the result */

#define R(i, ...) \
  { .kind = SITE_READ, .argument = i, __VA_ARGS__ }
#define W(i, ...) \
  { .kind = SITE_WRITE, .argument = i, __VA_ARGS__ }
#define W_AT(i, ...) \
  { .kind = SITE_WRITE, .argument = i, .indirect = true, __VA_ARGS__ }

#define OF(type)          .length = LENGTH_SIZE, .size = sizeof(type)
#define BYTES(i)          .length = LENGTH_ARGUMENT, .by = i, .size = 1
#define EACH(i, type)     .length = LENGTH_ARGUMENT, .by = i, .size = sizeof(type)
#define PRODUCT(i, k)     .length = LENGTH_PRODUCT, .by = i, .size = k
#define RESULT            .length = LENGTH_RESULT, .size = 1
#define RESULT_OF(type)   .length = LENGTH_RESULT, .size = sizeof(type)
#define RESULT_IN(i)      .length = LENGTH_RESULT_IN, .by = i
#define RESULTS(i)        .length = LENGTH_RESULTS, .by = i
#define RESULT_END        .length = LENGTH_RESULT_END
#define TEXT              .length = LENGTH_TEXT
#define TEXT_LIMIT(i)     .length = LENGTH_TEXT_LIMIT, .by = i
#define WIDE              .length = LENGTH_WIDE
#define WIDE_LIMIT(i)     .length = LENGTH_WIDE_LIMIT, .by = i
#define ROOM(i)           .length = LENGTH_ROOM, .by = i
#define FOUND             .length = LENGTH_FOUND
#define FOUND_BYTES(i)    .length = LENGTH_FOUND_BYTES, .by = i
#define ALIKE(i)          .length = LENGTH_ALIKE, .by = i
#define ALIKE_LIMIT(i, k) .length = LENGTH_ALIKE_LIMIT, .by = i, .size = k
#define ADDRESS(i)        .length = LENGTH_ADDRESS, .by = i
#define FIELD(offset)     .length = LENGTH_FIELD, .size = offset
#define MESSAGE_OF(i)     .length = LENGTH_MESSAGE_OF, .by = i
#define MESSAGE_GOT       .length = LENGTH_MESSAGE_OF
#define VECTOR(i)         .length = LENGTH_VECTOR, .by = i
#define MESSAGE           .length = LENGTH_MESSAGE
#define MESSAGES(i)       .length = LENGTH_MESSAGES, .by = i
#define POLLS(i)          .length = LENGTH_POLLS, .by = i

struct library_function;
/* What functions do beside reading and writing memory: called before what a call reads is noted, and before what it wrote is. NULL:
 * nothing. result: as library_result() has it. */
struct role {
  void (*before)(struct thread *t, const struct library_function *f, const uintptr_t *arguments, uintptr_t pc);
  void (*after)(struct thread *t, const struct library_function *f, const uintptr_t *arguments, intptr_t result, uintptr_t pc);
};

struct spec_action;
struct library_function {
  void *next;
  const char *name;
  const struct role *role;
  uint8_t success; /* enum success */
  uint8_t system;  /* what of the system it uses (record/system.h) */
  struct effect effects[LIBRARY_EFFECTS];
  const struct spec_action *action; /* of streams (stream.c) */
};
extern const struct role PLAIN; /* nothing */
extern const struct role SENDS, WAKES, WATCHES, RECEIVES, LOOKS, POLLS_ALL, SELECTS, READY, SPLICES, SENDS_OR_RECEIVES, ACCEPTS, CLOSES,
    REPLACES;                                                                     /* descriptors (io.c) */
extern const struct role LOCKS_FILE;                                              /* flock() (io.c) */
extern const struct role PUTS, TAKES, PASSES;                                     /* the same without a descriptor */
extern const struct role OPENS, OPENS_TWO, OPENS_SIGNALS;                         /* (open.c) */
extern const struct role STREAM, STREAM_READ, STANDARD, STANDARD_READ, DIRECTORY; /* (stream.c) */
extern const struct role TIMER, MASK;                                             /* (signal.c) */
extern const struct role KEEPS_PLACE;                                             /* strtok(), in a variable of its own */
extern const struct role SLEEPS;                                                  /* (sleep.c) */
extern const struct role CALLS;                                                   /* syscall(): what it begins (confined.c) */

/* All that have a row. */
extern struct library_function *const __start_library_functions[] __attribute__((visibility("hidden")));
extern struct library_function *const __stop_library_functions[] __attribute__((visibility("hidden")));
/* NULL: the function has no row. */
struct library_function *library_row(const char *name);

/* The result as a number: an int has 32 bits, and the others of its register say nothing. */
HOT intptr_t library_result(const struct library_function *f, uintptr_t result) {
  return f->success >= NUMBER && f->success <= TRUTH ? (int)result : (intptr_t)result;
}

/* Around the call of a function, for those that call it in a way of their own. The rooms are for library_ends(). */
struct library_rooms {
  uint32_t at[LIBRARY_EFFECTS];
};
void library_begins(struct thread *t, const struct library_function *f, const uintptr_t *arguments, struct library_rooms *rooms,
                    uintptr_t pc);
void library_ends(struct thread *t, const struct library_function *f, const uintptr_t *arguments, const struct library_rooms *rooms,
                  uintptr_t result, uintptr_t pc);
/* The whole call by a thread that is watched. */
uintptr_t library_call(struct thread *t, struct library_function *f, const uintptr_t *arguments, uintptr_t pc);

HOT void *library_next(struct library_function *f) {
  if (UNLIKELY(!f->next)) f->next = next_function(f->name, NULL);
  return f->next;
}

typedef uintptr_t library_type(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);

/* A row without a function: library_NAME. */
#define ROW_ALONE(f, role_, success_, ...)                                                                                  \
  static struct library_function library_##f = {.name = #f, .role = &role_, .success = success_, .effects = {__VA_ARGS__}}; \
  static struct library_function *const row_of_##f __attribute__((section("library_functions"), used)) = &library_##f;      \
  static const struct next_function next_##f = {&library_##f.next, #f, NULL};                                               \
  static const struct next_function *const listed_##f __attribute__((section("next_functions"), used)) = &next_##f

/* The arguments that are on the stack lie there whether the function has them or not. */
#define ROW(f, role_, success_, ...)                                                                                             \
  ROW_ALONE(f, role_, success_, __VA_ARGS__);                                                                                    \
  PUBLIC uintptr_t call_##f(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t) __asm__(#f); \
  uintptr_t call_##f(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t g, uintptr_t h, uintptr_t i) {   \
    struct thread *t = watched();                                                                                                \
    if (!t) return ((library_type *)library_next(&library_##f))(a, b, c, d, e, g, h, i);                                         \
    return library_call(t, &library_##f, (const uintptr_t[LIBRARY_ARGUMENTS]){a, b, c, d, e, g, h, i}, CALLER);                  \
  }

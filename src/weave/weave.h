/* Weaving: calls of a runtime's functions, put into a module of LLVM around what the program does in it.
 *
 * Who weaves says by a table of names what is to be called; what has no name in it is left alone. The functions need not be in the module:
 * they are declared as they are first called. So one weaver serves the checks of `heddle run`, and whoever logs accesses or control flow.
 *
 *   int f(int *p) {            f:  %frame = call ptr @ENTER(ptr %return_address)
 *     *p = 1;                      call void @WRITE4(ptr %p)
 *                                  store i32 1, ptr %p
 *     return g();                  %r = call i32 @g()
 *   }                              call void @LEAVE(ptr %frame)
 *
 * Left out is only what no other thread can reach: locals whose address goes nowhere (local.h), constants, and what the compiler adds for
 * its own use (counters of profiles). Also left out are accesses that say nothing new, as the same thread has done the same a moment
 * before, with nothing between that could order it against others (covered.h).
 *
 * With `value_read`, a module is woven to be recorded (recording.h): all functions, and other hooks.
 *
 * Functions are woven that have the attribute `sanitize_thread`, which clang sets under -fsanitize=thread; of others, only frames, so that
 * stacks are whole, and atomic operations, which order what others do. */
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>

/* What inline assembler does with an operand. WAITS: perhaps not before another thread has done something; SEVERAL: it has others. */
enum weave_how { WEAVE_READS = 1, WEAVE_WRITES = 2, WEAVE_WAITS = 4, WEAVE_SEVERAL = 8 };

/* So many arguments of a call are looked at (outside.h). With a size: the object is a variable, which is there as long as the call lasts.
 * The number stands before each function that is woven and that others may call. */
enum { WEAVE_OUTSIDE_MOST = 6, WEAVE_GUESSED = 64 /* bytes that are looked at, if nobody knows better */ };
#define WEAVE_VARIABLE (1ull << 63)
#define WEAVE_WOVEN    0x6e65766f77484564ull

/* Names of functions; NULL: nothing is called. SIZE is 1, 2, 4, 8 or 16 and stands behind the name, in bytes. */
struct weave_hooks {
  const char *enter;  /* (return address) -> frame: first in a function that calls others, or is woven otherwise */
  const char *leave;  /* (frame): before it returns or hands an exception on */
  const char *caught; /* (frame): where an exception comes to that a function called has thrown */

  const char *read, *write;                     /* SIZE(address): before a plain or volatile access that lies in one word */
  const char *looped_read, *looped_write;       /* the same in a loop; NULL: as elsewhere. Up to 8 bytes */
  const char *unaligned_read, *unaligned_write; /* SIZE(address): before one that may not */
  const char *range_read, *range_write;         /* (address, size): before one of another size */
  const char *vptr_read;                        /* (address): before a pointer to a table of virtual functions is read */
  const char *vptr_write;                       /* (address, value): before it is written */

  /* SIZE(address, length): before a loop that accesses `length` bytes from there on, SIZE at a time (runs.h). NULL: each by itself. */
  const char *run_read, *run_write;
  /* In place of memcpy(), memmove(), memset() of more than a few bytes, with their parameters. NULL: ranges. */
  const char *copy, *move, *fill;

  /* In place of atomic operations; operands, then memory orders as C numbers them. Names of two parts around SIZE, in bits:
   * PREFIX SIZE "_load", "_store", "_exchange", "_fetch_add", ..., "_compare_exchange_val". */
  const char *atomic;
  const char *thread_fence, *signal_fence; /* (order) */

  /* For recording. The last parameter of each is the number of its place (sites.h), an int. */
  const char *value_read, *value_write;       /* SIZE(address, value: 64 bits, place), up to 8 bytes: behind a read, before a write */
  const char *value_if_read, *value_if_write; /* the same, with a truth before the place: is it one? */
  const char *access_done; /* (): behind each; then `value_read` stands before a read, and its value is 0. NULL: not so */
  const char *branch;      /* (direction or target: 64 bits, place): see recording.h; NULL: not called */
  const char *use; /* (pointer, address: 64 bits, place where the pointer was read, place): so is this, for an access; NULL: not called */
  const char *copied_read, *copied_write; /* (address, where else the values are, size): behind a copy, in place of ranges. NULL: those */
  const char *leaves;                     /* (place): before a call of what may not be woven, a range, an atomic operation */
  /* (function, list: addresses and sizes by turns, how many): before a call of what may not be woven; (list): behind it (outside.h). NULL:
   * neither */
  const char *outside_calls, *outside_returns;
  /* (return address, address of an int): first in a function that may be called through pointers; (that address): before it returns */
  const char *entered, *left;
  bool strangers;      /* one that other files know may be called by code that is not woven, too */
  const char *resumes; /* (is it so?, place): where a thread goes on that has left what it called: by a jump, an exception, cancelled */
  const char *update_begins; /* (address, size, place): before an atomic operation that has no hook; */
  const char *update_ends;   /* (address, size, value that was there: 64 bits, place): behind it */
  const char
      *assembler_begins; /* (address, size, how: bits of enum weave_how, place): before inline assembler, for each operand in memory; */
  const char *assembler_ends; /* the same: behind it, in the same order */
  const char *sites;          /* (names, their size, how many places) -> number of the first: before all else (sites.h) */
};

/* What LLVM knows of a function: its FunctionAnalysisManager. */
struct weave_analyses;

/* `analyses`: for run_read and run_write; NULL: without them. */
void weave_module(LLVMModuleRef module, const struct weave_hooks *hooks, struct weave_analyses *analyses);

/* Images: a program ready to run, in one mappable block with no LLVM object behind it.
 *
 * The loader (heddle-load, src/program/lower) writes them, everything else maps them read-only. All references are indices or
 * addresses of the program's own address space (layout.h), so an image can be mapped anywhere.
 *
 * Invariants of a checked image (image_open verifies them, so that a corrupt file is an error and never a crash):
 *   1. every section lies inside the file, 16-byte aligned, and its entries are in range of what they index;
 *   2. strings are NUL-terminated offsets into the strings section; offset 0 is "";
 *   3. each function's code ends in an instruction that does not fall through.
 * Images are kept for long, so a byte may change on the way: the header has a checksum of itself and one of the rest. They keep nobody from
 * writing another image; the cache's folder does (cache.h). */
#pragma once

/* Begins the name of an extern that nobody calls: the rest is a function or mark that a property names, and the program has
 * (named_calls.h). */
#define IMAGE_KNOWN_PREFIX "__hd_known."
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "program/opcode.h"

#define IMAGE_MAGIC   0x31474d4944454548ull /* "HEEDIMG1" */
#define IMAGE_VERSION 6u

#define IMAGE_SECTIONS(X)                                                                                                              \
  X(functions, struct image_function) /* defined functions; function i has address text_address(i) */                                  \
  X(externs, struct image_extern)     /* undefined ones; extern i has address text_address(nfunctions + i) */                          \
  X(code, union insn)                                                                                                                  \
  X(code_sites, uint32_t) /* for each word of code: its site */                                                                        \
  X(constants, uint64_t)  /* constant slots of all functions */                                                                        \
  X(cases, struct image_case)                                                                                                          \
  X(targets, uint32_t)                                                                                                                 \
  X(layouts, struct image_layout)                                                                                                      \
  X(leaves, struct image_leaf)                                                                                                         \
  X(pads, struct image_pad)                                                                                                            \
  X(clauses, struct image_clause)                                                                                                      \
  X(sites, struct image_site)                                                                                                          \
  X(globals, struct image_global) /* sorted by address */                                                                              \
  X(ctors, struct image_ctor)     /* in the order to run */                                                                            \
  X(dtors, struct image_ctor)     /* llvm.global_dtors, in the order to run */                                                         \
  X(types, struct image_type)     /* of globals, from debug information; entry 0 is "unknown" */                                       \
  X(members, struct image_member)                                                                                                      \
  X(locals, struct image_local)        /* source names of frame slots, sorted by function */                                           \
  X(depend_sites, struct image_depend) /* of each site, or none at all */                                                              \
  X(depend_first, uint32_t)            /* by node: its first edge; then their number */                                                \
  X(depend_edges, uint32_t)            /* to nodes */                                                                                  \
  X(data, uint8_t) /* initial bytes of [GLOBALS_BASE, GLOBALS_BASE + header.data_size), relocated; missing ones at the end are zero */ \
  X(tls, uint8_t)  /* initial bytes of the TLS block */                                                                                \
  X(strings, char)

struct image_function {
  uint32_t name, link_name; /* source (demangled where known) and symbol name */
  uint32_t code, ncode;     /* words */
  uint32_t params, results; /* slots */
  uint32_t slots;           /* parameters and values; constants follow at this slot */
  uint32_t constants, nconstants;
  uint32_t file, line;
  uint32_t flags; /* enum image_function_flag */
};
enum image_function_flag { FUNCTION_VARIADIC = 1, FUNCTION_MODEL = 2 /* from Heddle's own library models */ };

struct image_extern {
  uint32_t name;
  uint32_t site; /* a place that uses it, for messages */
};

struct image_case {
  uint64_t value;
  uint32_t target, zero;
};

/* How a value of several leaves lies in memory. */
struct image_layout {
  uint32_t first, count; /* leaves, in slot order */
  uint32_t size, align;  /* bytes of the access */
};
enum leaf_kind { LEAF_INT, LEAF_WIDE /* two slots */, LEAF_BIT /* one bit of a packed vector of i1: offset in bits */ };
struct image_leaf {
  uint32_t offset; /* bytes */
  uint8_t kind, bytes, zero[2];
};

/* Where unwinding continues in a frame that stopped at a call with a pad. */
struct image_pad {
  uint32_t target;       /* code index */
  uint32_t first, count; /* clauses, in the order of the landingpad */
  uint32_t cleanup;      /* 1: enter even if no clause matches (selector 0) */
};
enum clause_kind { CLAUSE_CATCH, CLAUSE_FILTER };
/* A filter of n types is n consecutive CLAUSE_FILTER entries with the same selector; an empty one is one entry with type UINT64_MAX. */
struct image_clause {
  uint64_t type; /* address of the type_info; 0 catches everything */
  int32_t selector;
  uint32_t kind;
};

struct image_site {
  uint32_t function; /* index of the image function */
  uint32_t file;     /* string; path as the compiler wrote it, made absolute with its folder */
  uint32_t line;
  uint16_t column;
  uint16_t flags; /* enum site_flag */
  uint32_t insn;  /* number of the LLVM instruction in its function */
};
/* SITE_LOOP: the instruction lies in a loop. SITE_HEADER: in a header of the system, which is not what its users look for. */
enum site_flag { SITE_LOOP = 1, SITE_HEADER = 4 };

/* What the event of a site depends on (program/lower/analysis/dependence.h), as nodes of a graph: what decides about it, what the value
 * that it writes is computed from, and the node that it is to others as a read. Whatever a node's edges lead to, it depends on. */
struct image_depend {
  uint32_t control, value, read;
};
/* NONE: nothing. ALL: everything. MODEL: reads in library models, and this is such a read. RESULT: what a thread returns. */
enum depend_node { DEPEND_NONE, DEPEND_ALL, DEPEND_MODEL, DEPEND_RESULT, DEPEND_NODES };

struct image_global {
  uint64_t address, size; /* TLS variables: address is the offset in the TLS block */
  uint32_t name;
  uint32_t flags; /* enum global_flag */
  uint32_t type;
  uint32_t file, line, align;
};
/* GLOBAL_MISSING: nobody defines it. It has an address of its own, and no memory: an access is refused. */
enum global_flag { GLOBAL_CONST = 1, GLOBAL_TLS = 2, GLOBAL_MODEL = 4, GLOBAL_MISSING = 8 };

struct image_ctor {
  uint32_t function;
  int32_t priority;
};

enum type_kind {
  TYPE_UNKNOWN,
  TYPE_SIGNED,
  TYPE_UNSIGNED,
  TYPE_BOOL,
  TYPE_CHAR,
  TYPE_FLOAT,
  TYPE_POINTER,
  TYPE_STRUCT,
  TYPE_UNION,
  TYPE_ARRAY,
  TYPE_ENUM
};
struct image_type {
  uint32_t name, kind;
  uint64_t size;    /* bytes */
  uint32_t element; /* of arrays and pointers */
  uint32_t count;   /* elements */
  uint32_t first, nmembers;
};
struct image_member {
  uint32_t name, type;
  uint64_t offset; /* bytes */
};
struct image_local {
  uint32_t function, name, type, line;
  uint32_t slot; /* of the value, or of the variable's address if in_memory */
  uint32_t in_memory;
  uint32_t from, to; /* code indices between which it holds */
};

struct image_header {
  uint64_t magic;
  uint32_t version, main; /* index of main, UINT32_MAX if there is none */
  uint64_t bytes;         /* of the file */
  uint64_t check;         /* hash of the header, with 0 in this place */
  uint64_t content;       /* hash of everything behind the header */
  uint64_t data_size, tls_size;
  uint32_t tls_align, flags;
#define X(name, type) uint64_t name##_offset, name##_count;
  IMAGE_SECTIONS(X)
#undef X
};

/* A mapped image. The pointers hold until image_close(). */
struct image {
  const struct image_header *header;
#define X(name, type) \
  const type *name;   \
  uint32_t n##name;
  IMAGE_SECTIONS(X)
#undef X
  size_t mapped;
};

/* Maps and checks the image at `path`. ERR_FILE or ERR_FORMAT with a message that names the file. */
[[nodiscard]] enum err image_open(struct image *image, const char *path, struct diag *d);
void image_close(struct image *image);
/* Sets the checksums of an image of `n` bytes, which begins at `header`. */
void image_sign(struct image_header *header, size_t n);

static inline const char *image_string(const struct image *image, uint32_t offset) { return image->strings + offset; }
/* Appends "file:line:column" (or the function's name if there is no debug information). */
void image_site_text(const struct image *image, uint32_t site, struct text *out);
/* Appends the path to `size` bytes at `offset` within a value of a type: ".list[3].next", "+4"; nothing if they are all of it. */
void image_path_text(const struct image *image, uint32_t type, uint64_t offset, uint64_t size, struct text *out);
/* Appends a name for an address among the globals ("counter", "account[2].balance", "buf+24"); false if no global covers it. */
bool image_address_text(const struct image *image, uint64_t address, uint64_t size, struct text *out);
/* Where the global variable begins that the address is in; the address itself if there is none. */
uint64_t image_variable_at(const struct image *image, uint64_t address);
/* Of a condition variable of a library model, which is named by what is waited for: appends "data in a pipe" for data_in_a_pipe. False: it
 * is the program's own, or none. */
bool image_library_condition(const struct image *image, uint64_t address, struct text *out);
/* Appends the image's functions as text, one instruction a line. */
void image_disassemble(const struct image *image, struct text *out);

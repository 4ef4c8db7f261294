/* A woven module is loaded. Each of its files asks for numbers of its places, before all constructors (src/weave/sites.cc). The first time
 * events say what the module's variables hold. */
#include "record/module.h"

#include <link.h>

#include "base/hash.h"
#include "enforce/enforce.h"
#include "enforce/place.h"
#include "intercept/intercept.h"
#include "record/file.h"
#include "record/record.h"
#include "record/system.h"

enum {
  WORDS_MOST = 1 << 15,  /* of a module, that are not zero */
  BYTES_MOST = 64 << 20, /* of a part that are looked at; what is behind them is not known */
  MODULES_MOST = 1024
};

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

#define WOVEN 0x6e65766f77484564ull /* WEAVE_WOVEN (src/weave/weave.h) */

struct module {
  uintptr_t inside; /* an address in it */
  uintptr_t first;  /* of its parts that can be written: how we know it again */
  unsigned words;
  struct thread *t;
};

void record_initial(struct thread *t, uintptr_t address, size_t size, uint64_t value) {
  record_event(t, &(struct trace_event){.op = TRACE_RECORDED_INITIAL, .object = address, .size = size, .value = value});
}

static uintptr_t up(uintptr_t address) { return (address + 7) & ~(uintptr_t)7; }

/* Zeros in a row are one event. */
static void part(struct module *m, uintptr_t from, uintptr_t to) {
  uintptr_t zeros = from = up(from);
  if (to > from && to - from > BYTES_MOST) to = from + BYTES_MOST;
  for (; from + 8 <= to && m->words < WORDS_MOST; from += 8) {
    uint64_t word = *(const uint64_t *)from;
    if (word == 0) continue;
    if (from > zeros) record_initial(m->t, zeros, from - zeros, 0);
    record_initial(m->t, from, 8, word);
    zeros = from + 8;
    m->words++;
  }
  if (from > zeros) record_initial(m->t, zeros, from - zeros, 0);
}

static bool is_new(uintptr_t first) {
  static uintptr_t known[MODULES_MOST];
  static unsigned n;
  for (unsigned i = 0; i < n; i++)
    if (known[i] == first) return false;
  if (n == MODULES_MOST) return false;
  known[n++] = first;
  return true;
}

/* What is made read-only when it is loaded does not change. */
static int look_at(struct dl_phdr_info *info, size_t size, void *data) {
  struct module *m = data;
  uintptr_t fixed = 0, fixed_end = 0;
  bool it = false;
  (void)size;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    uintptr_t at = info->dlpi_addr + h->p_vaddr;
    if (h->p_type == PT_GNU_RELRO) fixed = at, fixed_end = at + h->p_memsz;
    if (h->p_type == PT_LOAD && m->inside >= at && m->inside - at < h->p_memsz) it = true;
    if (h->p_type == PT_LOAD && (h->p_flags & PF_W) && !m->first) m->first = at;
  }
  if (!it) m->first = 0;
  if (!it) return 0;
  if (!m->first || !is_new(m->first)) return 1;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    uintptr_t at = info->dlpi_addr + h->p_vaddr, end = at + h->p_memsz;
    if (h->p_type == PT_LOAD && (h->p_flags & PF_W)) part(m, at >= fixed && at < fixed_end ? fixed_end : at, end);
  }
  return 1;
}

static void tell_variables(struct thread *t, uintptr_t inside) {
  struct module m = {.inside = inside, .t = t};
  NEXT(dl_iterate_phdr)(look_at, &m);
}

struct named {
  const void *names;
  size_t size;
  uint32_t first;
  struct named *next;
};
static struct named *all_named;

/* Its numbers are the same in children. */
static uint32_t write_names(const void *names, size_t size, uint32_t sites) {
  struct named *n = rt_alloc(sizeof *n);
  uint32_t first = file_take_sites(sites);
  file_write_names(names, size, first, 0);
  if (!n) return first;
  *n = (struct named){names, size, first, __atomic_load_n(&all_named, __ATOMIC_RELAXED)};
  while (!__atomic_compare_exchange_n(&all_named, &n->next, n, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) continue;
  return first;
}

/* Addresses in woven modules. */
static uintptr_t woven[MODULES_MOST];
static unsigned nwoven;

static void add_woven(uintptr_t inside) {
  unsigned i = __atomic_fetch_add(&nwoven, 1, __ATOMIC_RELAXED);
  if (i < MODULES_MOST) __atomic_store_n(&woven[i], inside, __ATOMIC_RELEASE);
  modules_change();
}

static bool has_woven(uintptr_t from, uintptr_t to) {
  unsigned n = __atomic_load_n(&nwoven, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < n && i < MODULES_MOST; i++) {
    uintptr_t inside = __atomic_load_n(&woven[i], __ATOMIC_ACQUIRE);
    if (inside >= from && inside < to) return true;
  }
  return false;
}

static bool is_library(const char *path) {
  static const char *const names[] = {"libc.so", "libc++",  "libstdc++", "libgcc_s", "libpthread",
                                      "libm.so", "libmvec", "libdl",     "librt",    "ld-linux"};
  const char *name = path;
  for (const char *c = path; *c; c++)
    if (*c == '/') name = c + 1;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (__builtin_strncmp(name, names[i], __builtin_strlen(names[i])) == 0) return true;
  return false;
}

struct asked {
  uintptr_t code, from;             /* where its module begins */
  bool marked, own, woven, library; /* the function; its module */
  bool inside;                      /* `code` is no function, but somewhere in one */
};

/* A woven function has a mark before it; in the same module there may be assembler code, and libraries that are not woven. */
static bool has_mark(const ElfW(Phdr) * part, uintptr_t at, uintptr_t function) {
  enum { MARK = 8 };
  uint64_t mark = 0;
  if (part->p_type != PT_LOAD || !(part->p_flags & PF_R) || function - at < MARK || function - at >= part->p_memsz) return false;
  __builtin_memcpy(&mark, (const void *)(function - MARK), MARK);
  return mark == WOVEN;
}

static bool strangers;
void modules_have_strangers(void) { strangers = true; }

/* Where the function begins that the code is in, by what is there for exceptions (DWARF's .eh_frame_hdr, with a sorted table of two numbers
 * each that count from its own begin, as linkers make it); 0: nothing says so. */
static uintptr_t function_of(uintptr_t code) {
  enum { SORTED = 0x3b /* datarel, sdata4 */, COUNT = 0x03 /* udata4 */, POINTER = 0x1b /* pcrel, sdata4 */ };
  struct header {
    unsigned char version, pointer, count, table;
    int32_t frames;
    uint32_t n;
    struct {
      int32_t function, frame;
    } sorted[];
  };
  struct dl_find_object found;
  if (_dl_find_object((void *)code, &found) != 0 || !found.dlfo_eh_frame) return 0;
  const struct header *h = found.dlfo_eh_frame;
  uint32_t low = 0, high = h->n;
  if (h->version != 1 || h->pointer != POINTER || h->count != COUNT || h->table != SORTED) return 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if ((uintptr_t)h + (uintptr_t)(intptr_t)h->sorted[middle].function <= code)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? (uintptr_t)h + (uintptr_t)(intptr_t)h->sorted[low - 1].function : 0;
}

static int is_in(struct dl_phdr_info *info, size_t size, void *data) {
  struct asked *x = data;
  uintptr_t from = UINTPTR_MAX, to = 0;
  uintptr_t function = x->inside ? function_of(x->code - 1) : x->code; /* the call may be the last thing in it */
  bool marked = function == 0;
  (void)size;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    uintptr_t at = info->dlpi_addr + h->p_vaddr;
    if (h->p_type != PT_LOAD) continue;
    if (at < from) from = at;
    if (at + h->p_memsz > to) to = at + h->p_memsz;
    marked |= has_mark(h, at, function);
  }
  if (x->code < from || x->code >= to) return 0;
  x->from = from, x->marked = marked, x->own = (uintptr_t)__ehdr_start >= from && (uintptr_t)__ehdr_start < to;
  x->woven = has_woven(from, to), x->library = is_library(info->dlpi_name ? info->dlpi_name : "");
  return 1;
}

static uint32_t number_of(const struct asked *x) {
  enum { PAGE_BYTES = 4096 };
  return MODULE_FIRST + (uint32_t)(hash_mix(x->from / PAGE_BYTES) % (MODULE_LAST - MODULE_FIRST + 1));
}

uint32_t module_of_function(uintptr_t function) {
  struct asked x = {.code = function};
  if (is_understood(function)) return MODULE_LIBRARY;
  NEXT(dl_iterate_phdr)(is_in, &x);
  uint32_t asks = x.own || x.library ? system_function(function) : MODULE_LIBRARY;
  if (asks != MODULE_LIBRARY) return asks;
  return x.marked || x.own ? MODULE_WOVEN : x.library ? MODULE_LIBRARY : number_of(&x);
}

/* Modules are looked for once for each page, or each place, if what is in a page may be of several: its number, and the answer. */
enum { PAGES = 1024, PAGE_BITS = 12, ANSWER_BITS = 8 };
static uint64_t pages[PAGES];
_Static_assert(MODULE_LAST < 1 << ANSWER_BITS, "answers");

uint32_t module_of_code(uintptr_t code) {
  if (is_understood(code)) return MODULE_UNKNOWN;
  uint64_t page = strangers ? code : code >> PAGE_BITS, *at = &pages[page % PAGES], was = __atomic_load_n(at, __ATOMIC_RELAXED);
  if (was && was >> ANSWER_BITS == page) return (uint32_t)(was & ((1u << ANSWER_BITS) - 1)) - 1;
  struct asked x = {.code = code, .inside = strangers};
  NEXT(dl_iterate_phdr)(is_in, &x);
  uint32_t answer = x.own || x.library || (x.woven && (x.marked || !strangers)) ? MODULE_UNKNOWN : number_of(&x);
  __atomic_store_n(at, page << ANSWER_BITS | (answer + 1), __ATOMIC_RELAXED);
  return answer;
}
bool module_is_known(uintptr_t code) { return module_of_code(code) == MODULE_UNKNOWN; }

bool module_has(uintptr_t code, uint32_t module) {
  struct asked x = {.code = code};
  NEXT(dl_iterate_phdr)(is_in, &x);
  return number_of(&x) == module;
}

void modules_change(void) {
  for (unsigned i = 0; i < PAGES; i++) __atomic_store_n(&pages[i], 0, __ATOMIC_RELAXED);
}

void modules_after_fork(void) {
  for (const struct named *n = all_named; n; n = n->next) file_write_names(n->names, n->size, n->first, 0);
}

PUBLIC uint32_t __heddle_recorder_names(const void *names, size_t size, uint32_t sites);
uint32_t __heddle_recorder_names(const void *names, size_t size, uint32_t sites) {
  static uint32_t numbers = 1;
  add_woven((uintptr_t)names);
  if (UNLIKELY(enforcing)) {
    uint32_t from = __atomic_fetch_add(&numbers, sites, __ATOMIC_RELAXED); /* as the recorder gives them */
    places_of_module(names, size, from);
    return from;
  }
  struct thread *t = recording ? watched() : NULL;
  if (t) tell_variables(t, (uintptr_t)names);
  if (t) thread_enter(t);
  uint32_t first = recording ? write_names(names, size, sites) : 0;
  if (t) thread_leave(t);
  return first;
}

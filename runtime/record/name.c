#include "record/name.h"

#include <sys/mman.h>

#include "trace/format.h"

enum { THREADS = 1 << 24 };

struct name {
  uint32_t children;
  char text[];
};
static struct name **names; /* [THREADS], by number */

void names_start(void) {
  names = rt_pages(THREADS * sizeof names[0]);
  if (!names) rt_die("heddle: there is no memory for the names of threads\n");
}

static void put(uint32_t number, const char *parent, uint32_t nth) {
  struct rt_text text = {0};
  if (number >= THREADS) return;
  if (parent)
    rt_printf(&text, "%s.%u", parent, nth);
  else
    rt_printf(&text, "0");
  size_t n = text.count < TRACE_NAME_MOST ? text.count : TRACE_NAME_MOST - 1;
  struct name *name = rt_alloc(sizeof *name + n + 1);
  if (!name) return;
  name->children = 0;
  rt_copy(name->text, text.data, n);
  name->text[n] = 0;
  names[number] = name;
  munmap(text.data, text.cap);
}

void names_begin_anew(uint32_t number) { put(number, NULL, 0); }

const char *name_of(uint32_t number) { return number < THREADS && names[number] ? names[number]->text : ""; }

void name_child(const struct thread_info *parent, const struct thread_info *child) {
  struct name *of = names[parent ? parent->number : 0];
  if (of)
    put(child->number, of->text, __atomic_add_fetch(&of->children, 1, __ATOMIC_RELAXED));
  else if (!parent)
    put(child->number, NULL, 0);
}

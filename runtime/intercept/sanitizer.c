#include "intercept/sanitizer.h"

#include <malloc.h>

#include "intercept/intercept.h"
#include "report/ask.h"
#include "report/location.h"
#include "report/module.h"
#include "report/report.h"
#include "report/symbol.h"

/* --- reports --- */

static void (*at_death)(void);

PUBLIC void __sanitizer_set_death_callback(void (*f)(void));
PUBLIC void __sanitizer_set_report_path(const char *path);
PUBLIC void __sanitizer_set_report_fd(void *fd);
PUBLIC const char *__sanitizer_get_report_path(void);
PUBLIC void __sanitizer_sandbox_on_notify(void *arguments);
PUBLIC int __sanitizer_acquire_crash_state(void);
PUBLIC void __sanitizer_print_stack_trace(void);

void __sanitizer_set_death_callback(void (*f)(void)) { at_death = f; }
void sanitizer_ends(void) {
  if (at_death) at_death();
}

static void set_path(void *path) { options_log_path(path); }
static void set_descriptor(void *fd) { options_log_descriptor((int)(intptr_t)fd); }
static void get_path(void *path) { *(const char **)path = options_log_file(); }
void __sanitizer_set_report_path(const char *path) { ask_names(set_path, (void *)(uintptr_t)(path ? path : "stderr")); }
void __sanitizer_set_report_fd(void *fd) { ask_names(set_descriptor, fd); }
const char *__sanitizer_get_report_path(void) {
  const char *path = NULL;
  ask_names(get_path, &path);
  return path;
}

void __sanitizer_sandbox_on_notify(void *arguments) {
  (void)arguments;
  struct thread *t = watched();
  if (t) reports_keep_files(t);
}

int __sanitizer_acquire_crash_state(void) {
  static bool taken;
  return !__atomic_exchange_n(&taken, true, __ATOMIC_RELAXED);
}

static void print_stack(void *data) {
  static struct rt_text out;
  symbols_renew();
  stack_as_text(&out, *(uint32_t *)data);
  rt_text_write(&out, options_log());
}
void __sanitizer_print_stack_trace(void) {
  struct thread *t = watched();
  if (!t) return;
  thread_enter(t);
  uint32_t site = thread_site(t, CALLER, SITE_THREAD, 0);
  thread_leave(t);
  ask_names(print_stack, &site);
}

/* --- names --- */

PUBLIC void __sanitizer_symbolize_pc(void *pc, const char *format, char *out, size_t n);
PUBLIC void __sanitizer_symbolize_global(void *data, const char *format, char *out, size_t n);
PUBLIC int __sanitizer_get_module_and_offset_for_pc(void *pc, char *path, size_t n, void **offset);

struct naming {
  uintptr_t address;
  const char *format;
  struct rt_text out;
  unsigned number;
};

static void put(struct rt_text *out, const char *s) { rt_printf(out, "%s", s ? s : "??"); }

static void put_line(struct rt_text *out, const struct frame_name *n, bool or_module) {
  if (n->file || !or_module || !n->module) {
    put(out, n->file);
    if (n->line) rt_printf(out, ":%d", n->line);
    if (n->line && n->column) rt_printf(out, ":%d", n->column);
  } else {
    rt_printf(out, "(%s+0x%lx)", n->module, (unsigned long)n->offset);
  }
}

/* As sanitizers write frames: %p address, %m module, %o offset in it, %f function, %s file, %l line, %c column, and what is made of these.
 */
static void put_frame(const struct frame_name *n, void *data) {
  struct naming *w = data;
  struct rt_text *out = &w->out;
  if (w->number++) rt_printf(out, "%c", 0);
  for (const char *p = w->format; *p; p++) {
    if (*p != '%' || !p[1]) {
      rt_printf(out, "%c", *p);
      continue;
    }
    switch (*++p) {
      case 'n':
        rt_printf(out, "%u", w->number - 1);
        break;
      case 'p':
        rt_printf(out, "0x%lx", (unsigned long)w->address);
        break;
      case 'm':
        put(out, n->module);
        break;
      case 'o':
        rt_printf(out, "0x%lx", (unsigned long)n->offset);
        break;
      case 'F':
        rt_printf(out, "in %s", n->function ? n->function : "??");
        break;
      case 'f':
        put(out, n->function);
        break;
      case 's':
        put(out, n->file);
        break;
      case 'l':
        rt_printf(out, "%d", n->line);
        break;
      case 'c':
        rt_printf(out, "%d", n->column);
        break;
      case 'S':
      case 'L':
        put_line(out, n, *p == 'L');
        break;
      case 'M':
        if (n->module) rt_printf(out, "(%s+0x%lx)", n->module, (unsigned long)n->offset);
        break;
      default:
        rt_printf(out, "%c", *p);
        break;
    }
  }
}

/* Whole in `out`, which has room for n bytes, or cut off; behind it two zeros, as there may be several texts with one each. */
static void give(struct naming *w, char *out, size_t n) {
  size_t count = n < 2 ? 0 : w->out.count < n - 2 ? w->out.count : n - 2;
  rt_copy(out, w->out.data, count);
  for (size_t i = count; i < count + 2 && i < n; i++) out[i] = 0;
  w->out.count = 0;
}

struct symbolizing {
  uintptr_t address;
  const char *format;
  char *out;
  size_t n;
};

static void symbolize_code(void *data) {
  static struct naming w;
  const struct symbolizing *s = data;
  symbols_renew();
  w.address = s->address, w.format = s->format, w.number = 0;
  if (module_at(s->address - 1))
    symbol_of_code(s->address - 1, put_frame, &w);
  else
    rt_printf(&w.out, "<can't symbolize>");
  give(&w, s->out, s->n);
}
void __sanitizer_symbolize_pc(void *pc, const char *format, char *out, size_t n) {
  if (n) out[0] = 0, ask_names(symbolize_code, &(struct symbolizing){(uintptr_t)pc, format, out, n});
}

/* %g name, %s file, %l line: of variables files and lines are not looked for. */
static void symbolize_data(void *data) {
  static struct naming w;
  const struct symbolizing *s = data;
  const char *name, *module;
  uintptr_t start;
  size_t size;
  symbols_renew();
  bool found = symbol_of_data(s->address, &name, &start, &size, &module);
  for (const char *p = s->format; found && *p; p++) {
    if (*p != '%' || !p[1])
      rt_printf(&w.out, "%c", *p);
    else if (*++p == 'g')
      put(&w.out, name);
    else if (*p == 's' || *p == 'l')
      put(&w.out, *p == 's' ? "??" : "0");
    else
      rt_printf(&w.out, "%c", *p);
  }
  give(&w, s->out, s->n);
}
void __sanitizer_symbolize_global(void *data, const char *format, char *out, size_t n) {
  if (n) out[0] = 0, ask_names(symbolize_data, &(struct symbolizing){(uintptr_t)data, format, out, n});
}

struct module_asked {
  uintptr_t pc;
  const struct module *found;
};
static void ask_module(void *data) {
  struct module_asked *m = data;
  modules_renew();
  m->found = module_at(m->pc);
}
int __sanitizer_get_module_and_offset_for_pc(void *pc, char *path, size_t n, void **offset) {
  struct module_asked m = {.pc = (uintptr_t)pc};
  ask_names(ask_module, &m);
  if (!m.found) return 0;
  size_t length = rt_length(m.found->path) + 1;
  if (path && n) rt_copy(path, m.found->path, length < n ? length : n), path[n - 1] = 0;
  if (offset) *offset = (void *)(m.pc - m.found->start);
  return 1;
}

/* --- memory --- */

PUBLIC size_t __sanitizer_get_estimated_allocated_size(size_t size);
PUBLIC int __sanitizer_get_ownership(const void *p);
PUBLIC const void *__sanitizer_get_allocated_begin(const void *p);
PUBLIC size_t __sanitizer_get_allocated_size(const void *p);
PUBLIC size_t __sanitizer_get_allocated_size_fast(const void *p);
PUBLIC size_t __sanitizer_get_current_allocated_bytes(void);
PUBLIC size_t __sanitizer_get_heap_size(void);
PUBLIC size_t __sanitizer_get_free_bytes(void);
PUBLIC size_t __sanitizer_get_unmapped_bytes(void);
PUBLIC void __sanitizer_purge_allocator(void);

static struct origin block_with(const void *p) {
  return runtime_on && p && descriptor_of((uintptr_t)p) < 0 ? origin_of((uintptr_t)p, ORIGIN_FAR) : (struct origin){0};
}
size_t __sanitizer_get_estimated_allocated_size(size_t size) { return size; }
const void *__sanitizer_get_allocated_begin(const void *p) { return (const void *)block_with(p).start; }
int __sanitizer_get_ownership(const void *p) { return p && __sanitizer_get_allocated_begin(p) == p; }
size_t __sanitizer_get_allocated_size(const void *p) { return __sanitizer_get_ownership(p) ? block_with(p).size : 0; }
size_t __sanitizer_get_allocated_size_fast(const void *p) { return __sanitizer_get_allocated_size(p); }
size_t __sanitizer_get_current_allocated_bytes(void) {
  struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}
size_t __sanitizer_get_heap_size(void) {
  struct mallinfo2 m = mallinfo2();
  return m.arena + m.hblkhd;
}
size_t __sanitizer_get_free_bytes(void) { return mallinfo2().fordblks; }
size_t __sanitizer_get_unmapped_bytes(void) { return 0; }
void __sanitizer_purge_allocator(void) { malloc_trim(0); }

/* --- hooks --- */

enum { HOOKS = 5 };
static struct {
  void (*allocated)(const volatile void *, size_t);
  void (*freed)(const volatile void *);
} hooks[HOOKS];
static int hooks_count;
bool hooks_installed;

/* The program may have them. */
extern void __sanitizer_malloc_hook(const volatile void *block, size_t size) __attribute__((weak, visibility("default")));
extern void __sanitizer_free_hook(const volatile void *block) __attribute__((weak, visibility("default")));
extern int __sanitizer_ignore_free_hook(const volatile void *block) __attribute__((weak, visibility("default")));
PUBLIC int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                                     void (*freed)(const volatile void *));

void sanitizer_start(void) { hooks_installed = __sanitizer_malloc_hook || __sanitizer_free_hook || __sanitizer_ignore_free_hook; }

/* How many there are, or 0 if there is no room. */
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t), void (*freed)(const volatile void *)) {
  if (!allocated || !freed || hooks_count == HOOKS) return 0;
  hooks[hooks_count].allocated = allocated, hooks[hooks_count].freed = freed;
  hooks_installed = true;
  return ++hooks_count;
}

void hooks_allocated(const void *block, size_t size) {
  if (__sanitizer_malloc_hook) __sanitizer_malloc_hook(block, size);
  for (int i = 0; i < hooks_count; i++) hooks[i].allocated(block, size);
}
bool hooks_freed(const void *block) {
  if (__sanitizer_ignore_free_hook && __sanitizer_ignore_free_hook(block)) return true;
  if (__sanitizer_free_hook) __sanitizer_free_hook(block);
  for (int i = 0; i < hooks_count; i++) hooks[i].freed(block);
  return false;
}

#include "openmp/library.h"

struct span understood;
bool openmp_tells;

/* One that a plugin has brought along is not where symbols are looked for. */
static void *look_up(const char *name) {
  static const char *const libraries[] = {"libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so"};
  void *f = dlsym(RTLD_NEXT, name);
  for (size_t i = 0; !f && i < sizeof libraries / sizeof libraries[0]; i++) {
    void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
    f = library ? dlsym(library, name) : NULL;
  }
  return f;
}

void *openmp_function(const char *name) {
  struct thread *t = thread_enter_self();
  void *f = look_up(name);
  thread_leave_self(t);
  if (!f) rt_die("heddle: there is no %s: the program was linked without an OpenMP library (-fopenmp)\n", name);
  return f;
}

void openmp_understands(const void *code) {
  struct dl_find_object found;
  if (understood.size || _dl_find_object((void *)(uintptr_t)code, &found) != 0) return;
  understood = (struct span){(uintptr_t)found.dlfo_map_start, (uintptr_t)found.dlfo_map_end - (uintptr_t)found.dlfo_map_start};
}

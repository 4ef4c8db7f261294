#include "machine/remark.h"

#include <string.h>
#include <sys/mman.h>

static size_t remarks_size(const struct machine *m) { return (m->image->nsites + 1) * sizeof *m->remarks; }

bool remarks_new(struct machine *m) {
  size_t size = remarks_size(m);
  uint16_t *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return false;
  m->remarks = p;
  return true;
}

void remarks_free(struct machine *m) {
  if (m->remarks) munmap(m->remarks, remarks_size(m));
  m->remarks = NULL;
}

/* Other processes may add other bits at the same time. */
static void put(struct machine *m, uint32_t site, enum machine_remark what) {
  if (!machine_remarked(m, site, what)) __atomic_fetch_or(&m->remarks[site], (uint16_t)(1u << what), __ATOMIC_RELAXED);
}

static bool is_own(const struct machine *m, const struct frame *frame, uint32_t site) {
  return !(frame->tag & FRAME_MODEL) && !(m->image->sites[site].flags & SITE_HEADER);
}

void remark(struct machine *m, const struct thread *t, enum machine_remark what) {
  uint32_t site = m->site;
  for (size_t i = t->frames.count; i-- > 0;) {
    uint32_t at = m->image->code_sites[t->frames.data[i].pc];
    if (!is_own(m, &t->frames.data[i], at)) continue;
    site = at;
    break;
  }
  m->draws += what == REMARK_SAMPLED;
  put(m, site, what);
}

/* A header of std::atomic: whoever calls its functions has chosen the order. */
static bool is_atomic_header(const struct machine *m, uint32_t file) {
  static const char *const names[] = {"/atomic", "/atomic_base.h"};
  const char *path = image_string(m->image, file), *slash = strrchr(path, '/');
  for (size_t i = 0; slash && i < sizeof names / sizeof *names; i++)
    if (strcmp(slash, names[i]) == 0) return true;
  return false;
}

/* The place where the program has chosen the order: in its own code, or where that calls std::atomic (which may be inlined there, or come
 * from the models' copy of the header). UINT32_MAX: a library model or another header of the system has, the counts of std::shared_ptr
 * for one: that libraries do right is taken for granted. */
static uint32_t chosen_at(const struct machine *m, const struct thread *t) {
  for (size_t i = t->frames.count; i-- > 0;) {
    const struct frame *frame = &t->frames.data[i];
    uint32_t at = m->image->code_sites[frame->pc];
    const struct image_site *site = &m->image->sites[at];
    if (is_atomic_header(m, m->image->functions[frame->function].file)) continue;
    if (frame->tag & FRAME_MODEL) return UINT32_MAX;
    return !(site->flags & SITE_HEADER) || is_atomic_header(m, site->file) ? at : UINT32_MAX;
  }
  return UINT32_MAX;
}

void remark_order_slow(struct machine *m, const struct thread *t, enum machine_remark what) {
  uint32_t site = chosen_at(m, t);
  bool model = t->frames.count && vec_last(&t->frames).tag & FRAME_MODEL;
  if (site != UINT32_MAX)
    put(m, site, what);
  else if (!model) /* else m->site is the program's, whatever else happens there */
    put(m, m->site, REMARK_NOT_OWN);
}

bool machine_remarked(const struct machine *m, uint32_t site, enum machine_remark what) {
  return __atomic_load_n(&m->remarks[site], __ATOMIC_RELAXED) >> what & 1;
}

void machine_remark(struct machine *m, uint32_t site, enum machine_remark what) {
  if (site < m->image->nsites) put(m, site, what);
}

uint64_t machine_draws(const struct machine *m) { return m->draws; }

void machine_remark_thread(struct machine *m, uint32_t thread, enum machine_remark what) {
  uint32_t now = m->site;
  m->site = machine_pending(m, thread)->site;
  remark(m, m->threads[thread], what);
  m->site = now;
}

bool machine_remarked_anywhere(const struct machine *m, enum machine_remark what) {
  for (uint32_t i = 0; i < m->image->nsites; i++)
    if (machine_remarked(m, i, what)) return true;
  return false;
}

bool machine_reads_arguments(struct machine *m) {
  const struct image *image = m->image;
  uint32_t count, main = image->header->main;
  const uint16_t *live = liveness_at(&m->liveness, main, image->functions[main].code, false, &count);
  return count > 0 && live[0] < 2 && live[0] < image->functions[main].params;
}

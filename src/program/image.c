#include "program/image.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "program/image_check.h"
#include "program/layout.h"

/* Maps the whole file. */
static enum err map_file(const char *path, const struct image_header **header, size_t *mapped, struct diag *d) {
  int fd;
  enum err e = file_open(path, FILE_PROGRAM, &fd, mapped, d);
  if (e != ERR_NONE) return e;
  void *p = MAP_FAILED;
  if (*mapped < sizeof(struct image_header))
    e = diag_set(d, ERR_FORMAT, "%s is not an image: too short", path);
  else if ((p = mmap(NULL, *mapped, PROT_READ, MAP_PRIVATE, fd, 0)) == MAP_FAILED)
    e = diag_set(d, ERR_FILE, "cannot map %s: %s", path, strerror(errno));
  close(fd);
  if (e == ERR_NONE) *header = p;
  return e;
}

static uint64_t content_of(const struct image_header *h, size_t n) { return hash_bytes(h + 1, n - sizeof *h, 0); }

static uint64_t check_of(const struct image_header *h) {
  struct image_header copy = *h;
  copy.check = 0;
  return hash_bytes(&copy, sizeof copy, IMAGE_MAGIC);
}

void image_sign(struct image_header *header, size_t n) {
  header->content = content_of(header, n);
  header->check = check_of(header);
}

static const char *header_problem(const struct image_header *h, size_t mapped) {
  if (h->magic != IMAGE_MAGIC) return "it does not begin as one";
  if (h->version != IMAGE_VERSION) return "made by another version of Heddle";
  if (h->bytes != mapped) return "it was cut short or has grown";
  if (h->check != check_of(h) || h->content != content_of(h, mapped)) return "it is damaged";
  return NULL;
}

static const char *place_sections(struct image *image) {
  const struct image_header *h = image->header;
  const char *base = (const char *)h;
#define X(member, type)                                                                             \
  if (h->member##_offset % 16 || h->member##_offset > h->bytes || h->member##_count > UINT32_MAX || \
      h->member##_count * sizeof(type) > h->bytes - h->member##_offset)                             \
    return "section " #member " lies outside the file";                                             \
  image->member = (const type *)(const void *)(base + h->member##_offset), image->n##member = (uint32_t)h->member##_count;
  IMAGE_SECTIONS(X)
#undef X
  return NULL;
}

enum err image_open(struct image *image, const char *path, struct diag *d) {
  *image = (struct image){0};
  enum err e = map_file(path, &image->header, &image->mapped, d);
  if (e != ERR_NONE) return e;
  struct text why = {0};
  const char *problem = header_problem(image->header, image->mapped);
  if (!problem) problem = place_sections(image);
  if (problem)
    text_puts(&why, problem);
  else
    image_check(image, &why);
  if (why.count == 0) return ERR_NONE;
  e = diag_set(d, ERR_FORMAT, "%s is not a usable image: %s", path, text_str(&why));
  text_release(&why);
  image_close(image);
  return e;
}

void image_close(struct image *image) {
  if (image->header) munmap((void *)(uintptr_t)image->header, image->mapped);
  *image = (struct image){0};
}

void image_site_text(const struct image *image, uint32_t site, struct text *out) {
  if (site >= image->nsites) {
    text_puts(out, "?");
    return;
  }
  const struct image_site *s = &image->sites[site];
  if (s->line)
    text_printf(out, "%s:%u:%u", image_string(image, s->file), s->line, s->column);
  else
    text_puts(out, image_string(image, image->functions[s->function].name));
}

static const struct image_global *global_at(const struct image *image, uint64_t address) {
  uint32_t low = 0, high = image->nglobals;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (image->globals[mid].address <= address)
      low = mid + 1;
    else
      high = mid;
  }
  if (low == 0) return NULL;
  const struct image_global *g = &image->globals[low - 1];
  return !(g->flags & GLOBAL_TLS) && address - g->address < (g->size ? g->size : 1) ? g : NULL;
}

/* The member of `t` that covers [offset, offset + size), or NULL. */
static const struct image_member *member_at(const struct image *image, const struct image_type *t, uint64_t offset, uint64_t size) {
  for (uint32_t i = 0; i < t->nmembers; i++) {
    const struct image_member *m = &image->members[t->first + i];
    uint64_t bytes = image->types[m->type].size;
    if (m->offset <= offset && offset - m->offset < bytes && size <= bytes - (offset - m->offset)) return m;
  }
  return NULL;
}

/* Each step goes to a smaller type or a bounded number of times. */
void image_path_text(const struct image *image, uint32_t type, uint64_t offset, uint64_t size, struct text *out) {
  for (unsigned depth = 0; depth < 64; depth++) {
    const struct image_type *t = &image->types[type];
    const struct image_member *m;
    if (t->kind == TYPE_ARRAY && t->element && image->types[t->element].size) {
      uint64_t each = image->types[t->element].size;
      if (size > each - offset % each) break;
      text_printf(out, "[%llu]", (unsigned long long)(offset / each));
      offset %= each, type = t->element;
    } else if ((t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) && size < t->size && (m = member_at(image, t, offset, size))) {
      if (m->name) text_printf(out, ".%s", image_string(image, m->name));
      offset -= m->offset, type = m->type;
    } else {
      break;
    }
  }
  if (offset) text_printf(out, "+%llu", (unsigned long long)offset);
}

uint64_t image_variable_at(const struct image *image, uint64_t address) {
  const struct image_global *g = global_at(image, address);
  return g ? g->address : address;
}

bool image_library_condition(const struct image *image, uint64_t address, struct text *out) {
  const struct image_global *g = global_at(image, address);
  if (!g || !(g->flags & GLOBAL_MODEL)) return false;
  for (const char *c = image_string(image, g->name); *c; c++) text_putc(out, *c == '_' ? ' ' : *c);
  return true;
}

bool image_address_text(const struct image *image, uint64_t address, uint64_t size, struct text *out) {
  const struct image_global *g = global_at(image, address);
  if (!g) return false;
  text_puts(out, image_string(image, g->name));
  image_path_text(image, g->type, address - g->address, size, out);
  return true;
}

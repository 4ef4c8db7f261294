#include "report/value.h"

#include <inttypes.h>
#include <string.h>

#include "machine/machine.h"
#include "program/image.h"
#include "program/layout.h"
#include "report/names.h"

#define ELEMENTS_SHOWN 16
#define DEPTH_SHOWN    4

static const struct image_type *type_at(const struct image *image, uint32_t type) { return &image->types[type < image->ntypes ? type : 0]; }

/* The part of `*type` that holds `offset`, made relative to it; false if there is none. */
static bool descend(const struct image *image, uint32_t *type, uint64_t *offset) {
  const struct image_type *t = type_at(image, *type);
  if (t->kind == TYPE_ARRAY) {
    uint64_t each = type_at(image, t->element)->size;
    if (each == 0 || *offset >= each * t->count) return false;
    *type = t->element, *offset %= each;
    return true;
  }
  if (t->kind != TYPE_STRUCT) return false; /* of a union's members nobody knows which one is meant */
  for (uint32_t i = 0; i < t->nmembers && t->first + i < image->nmembers; i++) {
    const struct image_member *member = &image->members[t->first + i];
    if (*offset < member->offset || *offset >= member->offset + type_at(image, member->type)->size) continue;
    *type = member->type, *offset -= member->offset;
    return true;
  }
  return false;
}

static const struct image_global *global_at(const struct image *image, uint64_t address) {
  for (uint32_t i = 0; i < image->nglobals; i++) {
    const struct image_global *g = &image->globals[i];
    if (!(g->flags & GLOBAL_TLS) && address >= g->address && address < g->address + g->size) return g;
  }
  return NULL;
}

uint32_t value_type_at(const struct image *image, uint64_t address, uint64_t size) {
  const struct image_global *g = image->ntypes ? global_at(image, address) : NULL;
  if (!g) return 0;
  uint32_t type = g->type;
  uint64_t offset = address - g->address;
  for (int depth = 0; depth < 64; depth++) {
    const struct image_type *t = type_at(image, type);
    if (offset == 0 && t->size == size && t->kind != TYPE_STRUCT && t->kind != TYPE_ARRAY) return type;
    if (!descend(image, &type, &offset)) return 0;
  }
  return 0;
}

static int64_t extend(uint64_t value, uint64_t size) {
  if (size == 0 || size >= 8) return (int64_t)value;
  unsigned shift = (unsigned)(64 - 8 * size);
  return (int64_t)(value << shift) >> shift;
}

/* `size`: of what it points at. */
static void pointer_text(struct names *names, const struct image *image, const struct machine *m, uint64_t value, uint64_t size,
                         struct text *out) {
  uint64_t function = value >= TEXT_BASE ? (value - TEXT_BASE) / 16 : UINT64_MAX;
  if (value == 0) {
    text_puts(out, "NULL");
  } else if (function < image->nfunctions) {
    text_printf(out, "&%s", image_string(image, image->functions[function].name));
  } else {
    text_puts(out, "&");
    names_object_text(names, m, value, size ? size : 1, out);
  }
}

static bool points_somewhere(const struct image *image, const struct machine *m, uint64_t value) {
  uint64_t ignored;
  if (value >= TEXT_BASE && (value - TEXT_BASE) / 16 < image->nfunctions && value % 16 == 0) return true;
  return value >= ARENA_BASE && value < ARENA_BASE + ARENA_SIZE && machine_peek(m, value, 1, &ignored);
}

static void char_text(uint64_t value, struct text *out) {
  unsigned char c = (unsigned char)value;
  if (c >= 0x20 && c < 0x7f && c != '\'' && c != '\\')
    text_printf(out, "'%c'", c);
  else if (c == 0)
    text_puts(out, "'\\0'");
  else if (c == '\n')
    text_puts(out, "'\\n'");
  else
    text_printf(out, "'\\x%02x'", c);
}

static void float_text(uint64_t size, uint64_t value, struct text *out) {
  if (size == 4) {
    float f;
    uint32_t bits = (uint32_t)value;
    memcpy(&f, &bits, sizeof f);
    text_printf(out, "%.9g", (double)f);
  } else {
    double f;
    memcpy(&f, &value, sizeof f);
    text_printf(out, "%.17g", f);
  }
}

void value_text(struct names *names, const struct image *image, const struct machine *m, uint32_t type, uint64_t size, uint64_t value,
                struct text *out) {
  if (size > 8) {
    text_printf(out, "(%" PRIu64 " bytes)", size);
    return;
  }
  if (size < 8) value &= (1ull << 8 * size) - 1;
  enum type_kind kind = image->ntypes ? (enum type_kind)type_at(image, type)->kind : TYPE_UNKNOWN;
  switch (kind) {
    case TYPE_BOOL:
      if (value <= 1)
        text_puts(out, value ? "true" : "false");
      else
        text_printf(out, "%" PRIu64, value);
      return;
    case TYPE_CHAR:
      char_text(value, out);
      return;
    case TYPE_FLOAT:
      float_text(size, value, out);
      return;
    case TYPE_POINTER:
      pointer_text(names, image, m, value, type_at(image, type_at(image, type)->element)->size, out);
      return;
    case TYPE_UNSIGNED:
      text_printf(out, "%" PRIu64, value);
      return;
    case TYPE_UNKNOWN:
    case TYPE_STRUCT:
    case TYPE_UNION:
    case TYPE_ARRAY:
      if (size == 8 && points_somewhere(image, m, value)) {
        pointer_text(names, image, m, value, 1, out);
        return;
      }
      break;
    case TYPE_SIGNED:
    case TYPE_ENUM:
      break;
  }
  text_printf(out, "%" PRId64, extend(value, size));
}

static void memory_text(struct names *names, const struct image *image, const struct machine *m, uint32_t type, uint64_t address, int depth,
                        struct text *out);

static void array_text(struct names *names, const struct image *image, const struct machine *m, const struct image_type *t,
                       uint64_t address, int depth, struct text *out) {
  uint64_t each = type_at(image, t->element)->size;
  text_puts(out, "{");
  for (uint32_t i = 0; i < t->count && i < ELEMENTS_SHOWN; i++) {
    if (i) text_puts(out, ", ");
    memory_text(names, image, m, t->element, address + i * each, depth + 1, out);
  }
  text_puts(out, t->count > ELEMENTS_SHOWN ? ", ..}" : "}");
}

/* A type of the C library whose members are nobody's business. */
static bool is_reserved(const struct image *image, const struct image_type *t) {
  for (uint32_t i = 0; i < t->nmembers && t->first + i < image->nmembers; i++)
    if (strncmp(image_string(image, image->members[t->first + i].name), "__", 2) != 0) return false;
  return true;
}

static void members_text(struct names *names, const struct image *image, const struct machine *m, const struct image_type *t,
                         uint64_t address, int depth, struct text *out) {
  if (is_reserved(image, t)) {
    text_puts(out, "{..}");
    return;
  }
  text_puts(out, "{");
  for (uint32_t i = 0; i < t->nmembers && t->first + i < image->nmembers; i++) {
    const struct image_member *member = &image->members[t->first + i];
    text_printf(out, "%s%s = ", i ? ", " : "", image_string(image, member->name));
    memory_text(names, image, m, member->type, address + member->offset, depth + 1, out);
  }
  text_puts(out, "}");
}

static void memory_text(struct names *names, const struct image *image, const struct machine *m, uint32_t type, uint64_t address, int depth,
                        struct text *out) {
  const struct image_type *t = type_at(image, type);
  uint64_t value;
  if (depth > DEPTH_SHOWN)
    text_puts(out, "..");
  else if (t->kind == TYPE_ARRAY)
    array_text(names, image, m, t, address, depth, out);
  else if ((t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) && t->nmembers)
    members_text(names, image, m, t, address, depth, out);
  else if (t->size == 0 || t->size > 8)
    text_printf(out, "(%" PRIu64 " bytes)", t->size);
  else if (machine_peek(m, address, (uint32_t)t->size, &value))
    value_text(names, image, m, type, t->size, value, out);
  else
    text_puts(out, "(not accessible)");
}

void value_memory_text(struct names *names, const struct image *image, const struct machine *m, uint32_t type, uint64_t address,
                       struct text *out) {
  memory_text(names, image, m, type, address, 0, out);
}

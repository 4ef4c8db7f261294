#include "report/variable.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "program/image.h"
#include "report/value.h"

/* Something that has a type and lies in memory, or a scalar that lies in a register. */
struct thing {
  uint32_t type;
  bool in_memory;
  uint64_t address, value;
};

struct evaluation {
  const struct image *image;
  const struct machine *m;
  uint32_t thread;
  const char *at;
  struct diag *d;
};

static const struct image_type *type_of(const struct evaluation *v, uint32_t type) {
  return &v->image->types[type < v->image->ntypes ? type : 0];
}

static bool named(const struct image *image, uint32_t string, const char *name, size_t n) {
  const char *s = image_string(image, string);
  return strlen(s) == n && memcmp(s, name, n) == 0;
}

static bool find_global(struct evaluation *v, const char *name, size_t n, struct thing *thing) {
  for (uint32_t i = 0; i < v->image->nglobals; i++) {
    const struct image_global *g = &v->image->globals[i];
    if ((g->flags & (GLOBAL_MODEL | GLOBAL_TLS)) || !named(v->image, g->name, name, n)) continue;
    *thing = (struct thing){.type = g->type, .in_memory = true, .address = g->address};
    return true;
  }
  return false;
}

/* The depth of the innermost frame that is the program's own. */
static bool own_frame(const struct evaluation *v, uint32_t *depth, uint32_t *function, uint32_t *code) {
  for (*depth = 0; machine_frame(v->m, v->thread, *depth, function, code); ++*depth)
    if (!(v->image->functions[*function].flags & FUNCTION_MODEL)) return true;
  return false;
}

/* Of several variables of the name the last one declared before here is meant: it is in the innermost block. */
static bool find_local(struct evaluation *v, const char *name, size_t n, struct thing *thing) {
  uint32_t depth, function, code;
  const struct image_local *best = NULL;
  if (!own_frame(v, &depth, &function, &code)) return false;
  for (uint32_t i = 0; i < v->image->nlocals; i++) {
    const struct image_local *local = &v->image->locals[i];
    if (local->function != function || code < local->from || code >= local->to || !named(v->image, local->name, name, n)) continue;
    if (!best || local->line >= best->line) best = local;
  }
  uint64_t value;
  if (!best || !machine_slot(v->m, v->thread, depth, best->slot, &value)) return false;
  *thing = (struct thing){.type = best->type, .in_memory = best->in_memory, .address = value, .value = value};
  return true;
}

static enum err variable(struct evaluation *v, struct thing *thing) {
  size_t n = 0;
  while (isalnum((unsigned char)v->at[n]) || v->at[n] == '_' || (n > 0 && v->at[n] == ':')) n++;
  const char *name = v->at;
  v->at += n;
  if (n == 0) return diag_set(v->d, ERR_USAGE, "a variable's name is expected at \"%s\"", name);
  if (find_local(v, name, n, thing) || find_global(v, name, n, thing)) {
    if (type_of(v, thing->type)->kind != TYPE_UNKNOWN) return ERR_NONE;
    return diag_set(v->d, ERR_USAGE, "the type of %.*s is not known: compile with -g", (int)n, name);
  }
  return diag_set(v->d, ERR_USAGE, "there is no variable \"%.*s\" here", (int)n, name);
}

/* The pointer's value, and what it points at. */
static enum err dereference(struct evaluation *v, struct thing *thing) {
  const struct image_type *type = type_of(v, thing->type);
  if (type->kind != TYPE_POINTER) return diag_set(v->d, ERR_USAGE, "this is no pointer, before \"%s\"", v->at);
  uint64_t address = thing->value, ignored;
  if (thing->in_memory && !machine_peek(v->m, thing->address, 8, &address)) return diag_set(v->d, ERR_USAGE, "the pointer cannot be read");
  if (!machine_peek(v->m, address, 1, &ignored))
    return diag_set(v->d, ERR_USAGE, address ? "the pointer points nowhere" : "the pointer is NULL");
  *thing = (struct thing){.type = type->element, .in_memory = true, .address = address};
  return ERR_NONE;
}

static enum err need_memory(struct evaluation *v, const struct thing *thing) {
  return thing->in_memory ? ERR_NONE : diag_set(v->d, ERR_USAGE, "this is in a register, and only as a whole, before \"%s\"", v->at);
}

static enum err member(struct evaluation *v, struct thing *thing) {
  enum err e = need_memory(v, thing);
  if (e) return e;
  size_t n = 0;
  while (isalnum((unsigned char)v->at[n]) || v->at[n] == '_') n++;
  const struct image_type *type = type_of(v, thing->type);
  bool has_members = type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
  for (uint32_t i = 0; has_members && i < type->nmembers; i++) {
    const struct image_member *candidate = &v->image->members[type->first + i];
    if (!named(v->image, candidate->name, v->at, n)) continue;
    thing->type = candidate->type;
    thing->address += candidate->offset;
    v->at += n;
    return ERR_NONE;
  }
  return diag_set(v->d, ERR_USAGE, "there is no member \"%.*s\"", (int)n, v->at);
}

static enum err element(struct evaluation *v, struct thing *thing) {
  char *end;
  uint64_t index = strtoull(v->at, &end, 10);
  if (end == v->at || *end != ']' || *v->at == '-') return diag_set(v->d, ERR_USAGE, "a number and ] are expected at \"%s\"", v->at);
  v->at = end + 1;
  const struct image_type *type = type_of(v, thing->type);
  if (type->kind == TYPE_POINTER) {
    enum err e = dereference(v, thing);
    if (e) return e;
  } else if (type->kind == TYPE_ARRAY) {
    enum err e = need_memory(v, thing);
    if (e) return e;
    if (index >= type->count) return diag_set(v->d, ERR_USAGE, "the array has %u elements", type->count);
    thing->type = type->element;
  } else {
    return diag_set(v->d, ERR_USAGE, "this has no elements, before \"[%s\"", v->at);
  }
  thing->address += index * type_of(v, thing->type)->size;
  return ERR_NONE;
}

static enum err postfix(struct evaluation *v, struct thing *thing) {
  enum err e = ERR_NONE;
  while (!e && *v->at) {
    if (v->at[0] == '-' && v->at[1] == '>') {
      v->at += 2;
      e = dereference(v, thing);
      if (!e) e = member(v, thing);
    } else if (v->at[0] == '.') {
      v->at++;
      e = member(v, thing);
    } else if (v->at[0] == '[') {
      v->at++;
      e = element(v, thing);
    } else {
      e = diag_set(v->d, ERR_USAGE, "not understood: \"%s\"", v->at);
    }
  }
  return e;
}

enum err variable_text(const struct image *image, const struct machine *m, uint32_t thread, const char *expression, struct text *out,
                       struct diag *d) {
  struct evaluation v = {.image = image, .m = m, .thread = thread, .at = expression, .d = d};
  size_t stars = strspn(expression, "*");
  v.at += stars;
  struct thing thing;
  enum err e = variable(&v, &thing);
  if (!e) e = postfix(&v, &thing);
  for (; !e && stars > 0; stars--) e = dereference(&v, &thing);
  if (e) return e;
  text_printf(out, "  %s = ", expression);
  if (thing.in_memory)
    value_memory_text(NULL, image, m, thing.type, thing.address, out);
  else
    value_text(NULL, image, m, thing.type, type_of(&v, thing.type)->size, thing.value, out);
  return ERR_NONE;
}

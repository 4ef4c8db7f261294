#include "value/path.h"

#include <assert.h>

#include "value/conjuncts.h"

struct path *path_keep(struct path *path) {
  if (path) path->references++;
  return path;
}

void path_release(struct path *path) {
  while (path && --path->references == 0) {
    struct path *before = path->before;
    mem_free(path, sizeof *path);
    path = before;
  }
}

/* Takes the caller's reference to `before` over. */
static struct path *add(struct path *before, struct expr condition) {
  struct path *path = mem_alloc(sizeof *path);
  *path = (struct path){.before = before,
                        .condition = condition,
                        .reduced = PATH_NOT_REDUCED,
                        .fixed = PATH_NOT_REDUCED,
                        .length = path_length(before) + 1,
                        .references = 1,
                        .known = path_is_impossible(before) ? PATH_IMPOSSIBLE : PATH_UNASKED};
  return path;
}

/* It ends with `false`. */
static bool has_ended(const struct value_pool *p, const struct path *path) {
  bits128 value;
  return path && expr_is_constant(p, path->condition, &value);
}

struct path *path_extend(struct value_pool *p, struct path *before, struct expr condition) {
  assert(expr_width(p, condition) == 1);
  struct conjuncts list = {0};
  struct path *path = path_keep(before);
  bits128 value;
  conjuncts_add(&list, p, condition);
  for (size_t i = 0; i < list.ids.count && !has_ended(p, path); i++) {
    struct expr c = {list.ids.data[i]};
    bool constant = expr_is_constant(p, c, &value);
    if (constant && value) continue;
    path = add(path, c);
    if (constant) path->known = PATH_IMPOSSIBLE;
  }
  conjuncts_release(&list);
  return path;
}

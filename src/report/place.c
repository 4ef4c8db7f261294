#include "report/place.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "program/image.h"

struct place place_of_site(const struct image *image, uint32_t site) {
  if (site >= image->nsites) return (struct place){.file = "", .function = ""};
  const struct image_site *s = &image->sites[site];
  return (struct place){.file = image_string(image, s->file),
                        .function = image_string(image, image->functions[s->function].name),
                        .line = s->line,
                        .column = s->column,
                        .model = image->functions[s->function].flags & FUNCTION_MODEL};
}

static bool is_own(const struct image *image, uint32_t site) {
  if (site >= image->nsites) return false;
  const struct image_site *s = &image->sites[site];
  if (image->functions[s->function].flags & FUNCTION_MODEL) return false;
  return s->line != 0 && !(s->flags & SITE_HEADER);
}

bool place_is_model(const struct image *image, uint32_t site) {
  return site < image->nsites && (image->functions[image->sites[site].function].flags & FUNCTION_MODEL);
}

struct place place_of_stack(const struct image *image, const uint32_t *sites, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (is_own(image, sites[i])) return place_of_site(image, sites[i]);
  for (uint32_t i = 0; i < n; i++)
    if (!place_is_model(image, sites[i])) return place_of_site(image, sites[i]);
  return place_of_site(image, n > 0 ? sites[0] : UINT32_MAX);
}

bool place_is_driver(const struct place *p) {
  static const char name[] = "models/objects/main.c";
  size_t n = strlen(p->file), own = sizeof name - 1;
  return p->model && n >= own && strcmp(p->file + n - own, name) == 0;
}

bool place_same_line(const struct place *a, const struct place *b) {
  return a->line == b->line && strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0;
}

const char *place_here(size_t *n) {
  static char here[PATH_MAX];
  static bool known;
  if (!known && !getcwd(here, sizeof here)) here[0] = 0;
  known = true;
  *n = strlen(here);
  return here;
}

void place_file_text(const char *file, struct text *out) {
  size_t n;
  const char *here = place_here(&n);
  bool below = n > 1 && strncmp(file, here, n) == 0 && file[n] == '/';
  text_puts(out, below ? file + n + 1 : file);
}

void place_text(const struct place *place, struct text *out) {
  if (place->line == 0) {
    text_puts(out, place->function[0] ? place->function : "unknown place");
    return;
  }
  place_file_text(place->file, out);
  text_printf(out, ":%u", place->line);
  if (place->column) text_printf(out, ":%u", place->column);
}

void place_short_text(const struct place *place, struct text *out) {
  if (place->line == 0) {
    text_puts(out, place->function[0] ? place->function : "?");
    return;
  }
  const char *slash = strrchr(place->file, '/');
  text_printf(out, "%s:%u", slash ? slash + 1 : place->file, place->line);
}

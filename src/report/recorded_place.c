#include "report/recorded_place.h"

#include <inttypes.h>

#include "report/sources.h"
#include "trace/recorded.h"

struct place recorded_place(const struct recorded_names *names, uint32_t site) {
  static const struct recorded_site unknown;
  const struct recorded_site *s = site < names->sites.count ? &names->sites.data[site] : &unknown;
  return (struct place){
      .file = recorded_text(names, s->file), .function = recorded_text(names, s->function), .line = s->line, .column = s->column};
}

void recorded_place_text(const struct recorded_names *names, uint32_t site, struct text *out) {
  struct place p = recorded_place(names, site);
  if (!*p.file && !*p.function && p.line)
    text_printf(out, "place %" PRIu32, p.line); /* of a text that says no more */
  else if (!*p.file && !*p.function)
    text_puts(out, "an unknown place");
  else if (*p.file && !*p.function && !p.line)
    text_puts(out, p.file); /* of a text whose places are names */
  else
    place_text(&p, out);
}

void recorded_place_line(const struct recorded_names *names, uint32_t site, struct sources *sources, struct text *out) {
  struct place p = recorded_place(names, site);
  if (p.line) sources_line(sources, p.file, p.line, out);
}

void recorded_thread_text(const struct recorded_names *names, uint64_t thread, struct text *out) {
  const char *name = thread < names->threads.count ? recorded_text(names, names->threads.data[thread]) : "";
  if (*name)
    text_puts(out, name);
  else
    text_printf(out, "#%" PRIu64, thread);
}

#include "cli/property_files.h"

#include <string.h>

#include "base/file.h"
#include "cli/competition.h"

enum err property_files_read(struct property_files *f, const struct words *paths, struct diag *d) {
  enum err e = ERR_NONE;
  for (size_t i = 0; i < paths->count && !e; i++) {
    struct property_file *file = vec_push(&f->files);
    *file = (struct property_file){.path = paths->data[i], .first = f->all.list.count};
    e = file_read(file->path, FILE_TEXT, &file->text, d);
    if (!e && strlen(text_str(&file->text)) != file->text.count)
      e = diag_set(d, ERR_FORMAT, "%s is not text: it has a zero byte", file->path);
    const char *watched = e ? NULL : competition_watched(text_str(&file->text));
    file->competition = watched != NULL;
    f->overflow |= !e && competition_asks_overflow(text_str(&file->text));
    if (!e && (!watched || *watched)) e = properties_read(&f->all, watched ? watched : text_str(&file->text), file->path, d);
    file->count = f->all.list.count - file->first;
  }
  return e;
}

bool property_files_name_accesses(const struct property_files *f) {
  for (size_t i = 0; i < f->all.list.count; i++) {
    const struct property *p = &f->all.list.data[i];
    for (size_t k = 0; k < p->sources.count; k++)
      if (p->sources.data[k].what == PROPERTY_READ || p->sources.data[k].what == PROPERTY_WRITE) return true;
  }
  return false;
}

void property_files_release(struct property_files *f) {
  properties_release(&f->all);
  for (size_t i = 0; i < f->files.count; i++) text_release(&f->files.data[i].text);
  vec_release(&f->files);
}

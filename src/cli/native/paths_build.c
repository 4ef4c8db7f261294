#include "cli/native/paths_build.h"

#include "base/file.h"
#include "base/hash.h"

enum err paths_build(const char *path, uint64_t *build, struct diag *d) {
  struct text bytes = {0};
  enum err e = file_read(path, FILE_PROGRAM, &bytes, d);
  *build = hash_bytes(bytes.data, bytes.count, 0);
  text_release(&bytes);
  return e;
}

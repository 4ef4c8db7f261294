#include "base/err.h"

const char *err_text(enum err e) {
  static const char *const texts[] = {
#define X(name, text) [ERR_##name] = text,
      ERR_LIST(X)
#undef X
  };
  return texts[e];
}

enum err diag_set(struct diag *d, enum err e, const char *format, ...) {
  text_clear(&d->message);
  va_list args;
  va_start(args, format);
  text_vprintf(&d->message, format, args);
  va_end(args);
  return e;
}

void diag_hint(struct diag *d, const char *format, ...) {
  text_clear(&d->hint);
  va_list args;
  va_start(args, format);
  text_vprintf(&d->hint, format, args);
  va_end(args);
}

void diag_release(struct diag *d) {
  text_release(&d->message);
  text_release(&d->hint);
}

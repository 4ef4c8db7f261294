/* What random programs are made of (programs.c). */
#pragma once

enum theme {
  THEME_PLAIN,
  THEME_LOCKS,
  THEME_ATOMICS,
  THEME_CONDITIONS,
  THEME_WAITS,
  THEME_HANDOVER,
  THEME_LIVES,
  THEME_THREADS,
  THEME_MISUSE,
  THEMES
};

/* `@`: up to two statements. `#`: a small number. `%v`: a plain variable; `%m`: a mutex, the same in all of the statement; `%a`: an atomic
 * variable; `%s`, `%l`, `%x`: an order of a store, a load, an update; `%t`: the program's number. A line of the text is a line there. */
struct statement {
  enum theme theme;
  unsigned weight;
  const char *text;
};

extern const struct statement statements[];
extern const unsigned statements_count;
/* What all programs begin with. */
extern const char statement_declarations[];

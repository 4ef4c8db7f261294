/* <error.h>, and the name that complaints begin with. */
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

/* Programs that care set them from argv[0]. */
char *program_invocation_name = "program", *program_invocation_short_name = "program";
extern char *__progname_full __attribute__((alias("program_invocation_name")));
extern char *__progname __attribute__((alias("program_invocation_short_name")));

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

/* "PROGRAM: FILE:LINE: MESSAGE: TEXT OF THE ERROR", and the end of the process if there is a status. */
static void tell_error(int status, int number, const char *file, unsigned line, const char *format, va_list arguments) {
  fflush(stdout);
  if (error_print_progname)
    error_print_progname();
  else
    fprintf(stderr, "%s:%s", program_invocation_name, file ? "" : " ");
  if (file) fprintf(stderr, "%s:%u: ", file, line);
  vfprintf(stderr, format, arguments);
  if (number) fprintf(stderr, ": %s", __hd_error_text(number) ? __hd_error_text(number) : "Unknown error");
  fputs("\n", stderr);
  __atomic_add_fetch(&error_message_count, 1, __ATOMIC_RELAXED);
  if (status) exit(status);
}

void error(int status, int number, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell_error(status, number, NULL, 0, format, arguments);
  va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell_error(status, number, file, line, format, arguments);
  va_end(arguments);
}

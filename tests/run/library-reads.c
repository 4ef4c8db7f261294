/* finds: data race A Z, data race B Z, data race C Z, data race D Z, data race E Z, data race F Z, data race G Z, data race H Z, data race I Z, data race J Z, data race K Z, data race L Z, data race M Z, data race N Z, data race O Z, data race P Z, data race Q Z, data race R Z, data race S Z; fixed: nothing. What functions of the C library read. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "written.h"

static char argument_of[16] = "text", path[16] = "/", format[16] = "%d\n", fwritten[16] = "bytes", put[16] = "put", numbers[16] = "12", block[16], wanted[16] = "x",
  alike[16] = "Alike", copied[16] = "copied", made[16] = "/dev/null", searched[16] = "hay", part[16] = "part of it", span[16] = "aab", sent[16], number[16] = "12 a", tail[16] = "tail";
static wchar_t wide[16] = L"wide";
static time_t then = 86400;

/* They read here. */
static void *writes(void *argument) {
  int n, fd = open("/dev/null", O_WRONLY);
  FILE *f = fopen("/dev/null", "w");
  struct stat about;
  struct tm t;
  struct iovec v = {block, 8}, w = {sent, 8};
  struct msghdr m = {.msg_iov = &w, .msg_iovlen = 1};
  fprintf(f, "%d %5.2f %s\n", 1, 2.5, argument_of); /* @A */
  stat(path, &about);                               /* @B */
  fprintf(f, format, 12);                           /* @C */
  fwrite(fwritten, 1, 5, f);                        /* @D */
  fputs(put, f);                                    /* @E */
  sscanf(numbers, "%d", &n);                        /* @F */
  writev(fd, &v, 1);                                /* @G */
  n += wcslen(wide);                                /* @H */
  n += strcasecmp(alike, "aLIKE it");               /* @I */
  char *copy = strdup(copied);                      /* @J */
  n += *(volatile char *)copy;
  free(copy);
  fclose(fopen(made, "r"));                         /* @K */
  gmtime_r(&then, &t);                              /* @L */
  n += strstr(searched, "y") != NULL;               /* @M */
  fprintf(f, "%.4s", part);                         /* @N */
  n += (int)strspn(span, "a");                      /* @O */
  sendmsg(fd, &m, 0);                               /* @P */
  close(open(wanted, O_RDONLY));                    /* @Q */
  n += (int)strtol(number, NULL, 10);               /* @R */
  static char joined[16];
  strncat(joined, tail, 3);                         /* @S */
  fclose(f);
  close(fd);
  return joined[0] + n == 77 ? argument : NULL;
}

__attribute__((no_sanitize("thread"), noinline)) static volatile char *seen(int i) {
  volatile void *const all[] = {argument_of, path, format, fwritten, put, numbers, block, wide, alike, copied, made, &then, searched, &part[3], &span[2], sent, wanted, &number[2], &tail[2]};
  return i < (int)(sizeof all / sizeof all[0]) ? all[i] : NULL;
}

static void *reads(void *argument) {
  volatile char *p;
  for (int i = 0; (p = seen(i)); i++) {
    *p = 'a'; /* @Z */
  }
  part[4] = number[3] = tail[3] = 'b'; /* were not read */
  return argument;
}

int main(void) { return run_both(); }

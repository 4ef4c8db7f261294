/* finds: data race A Z, data race B Z, data race C Z, data race D Z, data race E Z, data race F Z, data race G Z, data race H Z, data race I Z, data race J Z, data race K Z, data race L Z, data race M Z, data race N Z, data race O Z, data race P Z, data race Q Z, data race R Z, data race S Z, data race T Z; fixed: nothing. What functions of the C library write about time, and as text. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "written.h"

static struct timespec clock_now;
static struct timeval day;
static struct tm local, greenwich, parsed;
static char printed[16], limited[16], words[3][16], when[64], host[65];
static wchar_t wide[16];
static int count, scanned, numbers[4];
static double fraction;
static time_t now;
static struct tms used;
static struct utsname system_name;
static struct rusage resources;
static struct tm *shared;
static char *made;

static void *writes(void *argument) {
  time_t then = 86400;
  char *own = NULL;
  clock_gettime(CLOCK_REALTIME, &clock_now);          /* @A */
  gettimeofday(&day, NULL);                           /* @B */
  localtime_r(&then, &local);                         /* @C */
  gmtime_r(&then, &greenwich);                        /* @D */
  strptime("2001", "%Y", &parsed);                    /* @E */
  sprintf(printed, "%d", getpid());                   /* @F */
  snprintf(limited, sizeof limited, "%d", getpid());  /* @G */
  printf("%5.1f %n\n", 1.5, &count);                  /* @H */
  sscanf("12", "%*c%d", &scanned);                    /* @I */
  sscanf("3 4.5 abc", "%d %lf %s", numbers, &fraction, words[0]); /* @J */
  strftime(when, sizeof when, "%H", &greenwich);      /* @K */
  gethostname(host, sizeof host);                     /* @L */
  mbstowcs(wide, "abc", 16);                          /* @M */
  time(&now);                                         /* @N */
  times(&used);                                       /* @O */
  uname(&system_name);                                /* @P */
  getrusage(RUSAGE_SELF, &resources);                 /* @Q */
  struct tm *t = localtime(&then);                    /* @R */
  asprintf(&own, "%s", "text");                       /* @S */
  sscanf("a-b", "%[a]-%1s", words[1], words[2]);      /* @T */
  shared = t, made = own;
  return argument;
}

__attribute__((no_sanitize("thread"), noinline)) static const volatile char *seen(int i) {
  const volatile void *const all[] = {&clock_now, &day, &local, &greenwich, &parsed, printed, limited, &count, &scanned, &numbers[0], when, host, wide,
    &now, &used, &system_name, &resources, shared, made, words[1]};
  return i < (int)(sizeof all / sizeof all[0]) ? all[i] : NULL;
}

static void *reads(void *argument) {
  const volatile char *p;
  char sum = 0;
  for (int i = 0; (p = seen(i)); i++) {
    sum += *p; /* @Z */
  }
  return sum == 77 ? argument : NULL;
}

int main(void) { return run_both(); }

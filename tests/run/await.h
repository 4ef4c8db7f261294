/* For programs that hang for ever but for one thread, which ends the process when the reports are there. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int reports_in(const char *path) {
  char line[4096];
  int n = 0;
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f)) n += strncmp(line, "SUMMARY", 7) == 0;
  if (f) fclose(f);
  return n;
}

static void end_after_reports(int n) {
  char path[4096];
  const char *log = getenv("HEDDLE_OPTIONS");
  log = log ? strstr(log, "log=") : NULL;
  strncpy(path, log ? log + 4 : "", sizeof path - 1);
  path[sizeof path - 1] = 0;
  path[strcspn(path, " ")] = 0;
  for (int i = 0; i < 1000 && reports_in(path) < n; i++) usleep(100000);
  usleep(200000); /* for one too many */
  _exit(0);
}

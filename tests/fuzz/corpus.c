/* Gives a fuzz target each file of the folders that are named. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "target.h"

/* A block of just this size, for sanitizers to see what is read behind it. */
static int feed(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return perror(path), 1;
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  rewind(f);
  uint8_t *bytes = malloc(n ? (size_t)n : 1);
  int failed = !bytes || fread(bytes, 1, (size_t)n, f) != (size_t)n;
  fclose(f);
  if (!failed) LLVMFuzzerTestOneInput(bytes, (size_t)n);
  free(bytes);
  return failed;
}

int main(int argc, char **argv) {
  int fed = 0, failed = 0;
  for (int i = 1; i < argc; i++) {
    DIR *folder = opendir(argv[i]);
    if (!folder) return perror(argv[i]), 1;
    for (struct dirent *e; (e = readdir(folder));) {
      char path[4096];
      if (e->d_name[0] == '.') continue;
      snprintf(path, sizeof path, "%s/%s", argv[i], e->d_name);
      failed += feed(path), fed++;
    }
    closedir(folder);
  }
  printf("%d files\n", fed);
  return failed || fed == 0;
}

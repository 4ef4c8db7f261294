// output: native
// malloc, calloc, realloc, aligned_alloc, memory that keeps its content, and reuse.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(4);
  if (!text) return 1;
  strcpy(text, "abc");
  for (size_t size = 8; size < 5000; size *= 3) {
    text = realloc(text, size);
    if (!text) return 1;
    size_t used = strlen(text);
    memset(text + used, 'a' + (int)(size % 26), size - used - 1);
    text[size - 1] = 0;
  }
  unsigned hash = 5381;
  for (char *c = text; *c; c++) hash = hash * 33 + (unsigned char)*c;
  printf("%zu %u\n", strlen(text), hash);
  text = realloc(text, 3);
  if (!text) return 1;
  text[2] = 0;
  printf("%s\n", text);
  free(text);
  int *zeros = calloc(100, sizeof *zeros), sum = 0;
  if (!zeros) return 1;
  for (int i = 0; i < 100; i++) sum += zeros[i];
  void *aligned = aligned_alloc(64, 128), *other = 0;
  printf("%d %d %d\n", sum, (int)((uintptr_t)aligned % 64), posix_memalign(&other, 256, 10) || (uintptr_t)other % 256);
  free(zeros);
  free(aligned);
  free(other);
  free(0);
  void *blocks[50];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 50; i++) blocks[i] = malloc((size_t)(i * 7 + 1));
    for (int i = 0; i < 50; i++) free(blocks[(i * 13) % 50]);
  }
  return 0;
}

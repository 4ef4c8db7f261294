// output: native
// qsort, bsearch and function pointers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
  char name[12];
  int age;
};

static int by_number(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int by_name(const void *a, const void *b) { return strcmp(((const struct person *)a)->name, ((const struct person *)b)->name); }
static int by_age(const void *a, const void *b) { return ((const struct person *)a)->age - ((const struct person *)b)->age; }
static int compare_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
  int numbers[50];
  unsigned seed = 12345;
  for (int i = 0; i < 50; i++) numbers[i] = (int)((seed = seed * 1103515245u + 12345u) >> 16) % 1000;
  qsort(numbers, 50, sizeof *numbers, by_number);
  for (int i = 0; i < 50; i++) printf("%d ", numbers[i]);
  int *found = bsearch(&numbers[17], numbers, 50, sizeof *numbers, by_number), missing = -1;
  printf("\n%d %d\n", found && *found == numbers[17], bsearch(&missing, numbers, 50, sizeof *numbers, by_number) == 0);
  struct person people[] = {{"Mia", 31}, {"Ben", 25}, {"Zoe", 19}, {"Ada", 36}};
  int (*const orders[])(const void *, const void *) = {by_name, by_age};
  for (int k = 0; k < 2; k++) {
    qsort(people, 4, sizeof *people, orders[k]);
    for (int i = 0; i < 4; i++) printf("%s:%d ", people[i].name, people[i].age);
    printf("\n");
  }
  const char *words[] = {"weft", "warp", "heddle", "loom", "shuttle"};
  qsort(words, 5, sizeof *words, compare_text);
  for (int i = 0; i < 5; i++) printf("%s ", words[i]);
  printf("\n");
  qsort(numbers, 0, sizeof *numbers, by_number);
  return 0;
}

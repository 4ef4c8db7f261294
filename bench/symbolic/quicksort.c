/* Five numbers, any, are sorted: one path for each order of them. */
#include <heddle.h>

static void sort(int *a, int low, int high) {
  if (low >= high) return;
  int pivot = a[high], i = low, swapped;
  for (int j = low; j < high; j++)
    if (a[j] < pivot) swapped = a[i], a[i] = a[j], a[j] = swapped, i++;
  swapped = a[i], a[i] = a[high], a[high] = swapped;
  sort(a, low, i - 1);
  sort(a, i + 1, high);
}

int main(void) {
  int a[5];
  hd_symbolic(a, sizeof a, "a");
  sort(a, 0, 4);
  for (int i = 0; i < 4; i++) hd_assert(a[i] <= a[i + 1]);
  return 0;
}

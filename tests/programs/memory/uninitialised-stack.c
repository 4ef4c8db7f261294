// A local array of which one element is never written, and decides a branch.
// verdict: BUG
// finding: uninitialised A
// case: fixed -DFIXED
// verdict: SAFE

static int total(const int *values, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    if (values[i] > 0) sum += values[i];  // @A
  return sum;
}

static void fill(int *values, int n) {
#ifdef FIXED
  for (int i = 0; i < n; i++) values[i] = i;
#else
  for (int i = 1; i < n; i++) values[i] = i;
#endif
}

int main(void) {
  int values[4];
  fill(values, 4);
  return total(values, 4) != 6;
}

// new without delete when an exception passes; unique_ptr in the twin.
// verdict: BUG
// finding: leak A
// case: fixed -DFIXED
// verdict: SAFE
#include <memory>
#include <stdexcept>

static void fail(int n) {
  if (n > 3) throw std::runtime_error("too large");
}

static int use(int n) {
#ifdef FIXED
  auto block = std::make_unique<int[]>(4);
  block[0] = n;
  fail(n);
  return block[0];
#else
  int *block = new int[4];  // @A
  block[0] = n;
  fail(n);
  int result = block[0];
  delete[] block;
  return result;
#endif
}

int main() {
  try {
    return use(5);
  } catch (const std::exception &) {
    return 0;
  }
}

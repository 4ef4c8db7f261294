// Quicksort by std::async; the two halves are sorted at the same time.
#include <algorithm>
#include <atomic>
#include <future>
#include <vector>
#ifdef RACY
static long partitions;
#else
static std::atomic<long> partitions;
#endif
static void sort_range(int *first, int *last, int depth) {
  if (last - first < 2) return;
  partitions++;
  int pivot = first[(last - first) / 2];
  int *middle = std::partition(first, last, [=](int x) { return x < pivot; });
  int *upper = std::partition(middle, last, [=](int x) { return x == pivot; });
  if (depth == 0) {
    sort_range(first, middle, 0);
    sort_range(upper, last, 0);
    return;
  }
  auto lower = std::async(std::launch::async, sort_range, first, middle, depth - 1);
  sort_range(upper, last, depth - 1);
  lower.get();
}
int main() {
  std::vector<int> v;
  for (int i = 0; i < 300; i++) v.push_back(i * 7919 % 1009);
  sort_range(v.data(), v.data() + v.size(), 2);
  return !std::is_sorted(v.begin(), v.end()) || partitions < 2;
}

// Every standard container, with insertions, erasures and orders that show their structure.
#include <algorithm>
#include <array>
#include <bitset>
#include <cstdio>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <stack>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <vector>

static unsigned state = 12345;
static unsigned next() { return state = state * 1103515245u + 12345u, state >> 16; }

static void trees() {
  std::map<int, int> map;
  std::multiset<unsigned> many;
  for (int i = 0; i < 300; i++) {
    map[static_cast<int>(next() % 500)] += i;
    many.insert(next() % 50);
  }
  for (int i = 0; i < 250; i++) {
    map.erase(static_cast<int>(next() % 500));
    auto it = many.find(next() % 50);
    if (it != many.end()) many.erase(it);
  }
  long sum = 0;
  for (auto &[key, value] : map) sum = sum * 31 + key * 7 + value;
  for (auto it = map.rbegin(); it != map.rend(); ++it) sum = sum * 33 + it->first;
  for (unsigned u : many) sum = sum * 3 + u;
  std::printf("trees %zu %zu %ld\n", map.size(), many.size(), sum);
  std::map<std::string, int, std::less<>> words{{"one", 1}, {"two", 2}, {"three", 3}};
  auto node = words.extract("two");
  node.key() = "zwei";
  words.insert(std::move(node));
  for (auto &w : words) std::printf("%s=%d ", w.first.c_str(), w.second);
  std::printf("%d\n", words.at("one"));
}

static void tables() {
  std::unordered_map<std::string, int> counts;
  for (int i = 0; i < 200; i++) counts["key" + std::to_string(next() % 60)]++;
  for (auto &c : counts) std::printf("%s:%d ", c.first.c_str(), c.second);
  std::printf("| %zu buckets\n", counts.bucket_count());
  std::unordered_set<int> set;
  set.reserve(100);
  for (int i = 0; i < 40; i++) set.insert(i * 17 % 101);
  for (int i : set) std::printf("%d ", i);
  std::printf("| %zu buckets\n", set.bucket_count());
  std::unordered_multimap<double, char> multi{{1.5, 'a'}, {1.5, 'b'}, {2.5, 'c'}};
  std::printf("%zu\n", multi.count(1.5));
}

static void sequences() {
  std::list<int> a{5, 3, 9, 1}, b{4, 2, 8};
  a.sort();
  b.sort();
  a.merge(b);
  a.reverse();
  a.remove_if([](int i) { return i % 2 == 0; });
  std::list<int> c;
  c.swap(a);
  c.splice(c.begin(), std::list<int>{7, 7});
  c.unique();
  for (int i : c) std::printf("%d ", i);
  std::forward_list<int> f{3, 1, 2};
  f.sort();
  for (int i : f) std::printf("%d ", i);
  std::deque<int> d;
  for (int i = 0; i < 600; i++) i % 3 ? d.push_back(i) : d.push_front(i);
  std::printf("%d %d %zu\n", d.front(), d.back(), d.size());
  std::vector<std::string> v;
  for (int i = 0; i < 20; i++) v.push_back(std::string(static_cast<size_t>(i), 'x'));
  v.erase(v.begin() + 3, v.begin() + 10);
  v.insert(v.begin(), {"hello", "a string that is longer than the small buffer"});
  for (auto &s : v) std::printf("%zu ", s.size());
  try {
    (void)v.at(100);
  } catch (const std::out_of_range &e) {
    std::printf("%s\n", e.what());
  }
  std::vector<bool> bits(70, true);
  bits[3] = false;
  std::bitset<40> set("1011");
  std::printf("%ld %s %lu\n", static_cast<long>(std::count(bits.begin(), bits.end(), true)), set.to_string().substr(30).c_str(), set.to_ulong());
  std::priority_queue<int> q;
  for (int i : {3, 1, 4, 1, 5, 9, 2, 6}) q.push(i);
  while (!q.empty()) std::printf("%d", q.top()), q.pop();
  std::stack<int> s;
  s.push(1);
  std::queue<int> fifo;
  fifo.push(2);
  std::valarray<int> values{1, 2, 3};
  values *= 2;
  std::array<int, 3> array{3, 1, 2};
  std::stable_sort(array.begin(), array.end());
  std::printf(" %d %d %d %d\n", s.top(), fifo.front(), values.sum(), std::accumulate(array.begin(), array.end(), 0));
}

int main() {
  trees();
  tables();
  sequences();
}

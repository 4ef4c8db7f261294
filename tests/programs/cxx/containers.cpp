// output: native
// The standard containers and algorithms.
#include <algorithm>
#include <array>
#include <deque>
#include <iostream>
#include <list>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

int main() {
  std::vector<int> v(20);
  std::iota(v.begin(), v.end(), -5);
  std::transform(v.begin(), v.end(), v.begin(), [](int x) { return x * x % 17; });
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  for (int x : v) std::cout << x << ' ';
  std::cout << '\n' << std::accumulate(v.begin(), v.end(), 0) << ' ' << *std::max_element(v.begin(), v.end()) << '\n';
  std::map<std::string, int> counts;
  for (const char *w : {"warp", "weft", "warp", "loom", "warp"}) counts[w]++;
  for (auto &[word, n] : counts) std::cout << word << '=' << n << ' ';
  std::cout << '\n';
  std::unordered_map<int, std::string> names{{1, "one"}, {2, "two"}, {3, std::string(30, 'x')}};
  std::cout << names.size() << names.at(2) << names[3].size() << names.count(7) << '\n';
  std::set<int> s{5, 3, 9, 3};
  s.insert(4);
  for (int x : s) std::cout << x;
  std::list<int> l{3, 1, 2};
  l.sort();
  l.push_front(0);
  l.reverse();
  for (int x : l) std::cout << x;
  std::deque<int> d;
  for (int i = 0; i < 300; i++) i % 2 ? d.push_back(i) : d.push_front(i);
  std::cout << ' ' << d.front() << ' ' << d.back() << ' ' << d[150] << '\n';
  std::priority_queue<int> q;
  for (int x : {3, 1, 4, 1, 5}) q.push(x);
  while (!q.empty()) std::cout << q.top(), q.pop();
  std::array<int, 4> a{4, 3, 2, 1};
  std::stable_sort(a.begin(), a.end());
  std::string text = "the quick brown fox";
  text.replace(4, 5, "slow").append("!").insert(0, "> ");
  std::cout << ' ' << a[0] << a[3] << ' ' << text << ' ' << text.find("brown") << ' ' << text.substr(2, 3) << '\n';
  std::cout << std::to_string(42) + std::to_string(-7) << ' ' << std::stoi("123") + 1 << '\n';
  return 0;
}

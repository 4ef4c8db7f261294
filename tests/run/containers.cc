// finds: nothing. Lists and trees, whose nodes the runtime links in the library's place, are as vectors that the same is done to.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <set>
#include <vector>

static void check(bool fine, const char *what) {
  if (fine) return;
  std::printf("wrong: %s\n", what);
  std::exit(1);
}

template <class A> static bool same(const A &a, const std::vector<int> &v) {
  return a.size() == v.size() && std::equal(a.begin(), a.end(), v.begin()) && std::equal(a.rbegin(), a.rend(), v.rbegin());
}

/* No red node has a red child, all ways down have as many black nodes, children know their parents. */
static void check_shape(const std::set<int> &s) {
  const std::_Rb_tree_node_base *header = s.end()._M_node, *root = header->_M_parent;
  int blacks = -1;
  if (!root) return;
  check(root->_M_color == std::_S_black && root->_M_parent == header, "root");
  for (auto at = s.begin(); at != s.end(); ++at) {
    const std::_Rb_tree_node_base *n = at._M_node, *l = n->_M_left, *r = n->_M_right;
    if (n->_M_color == std::_S_red) check((!l || l->_M_color == std::_S_black) && (!r || r->_M_color == std::_S_black), "colours");
    check((!l || l->_M_parent == n) && (!r || r->_M_parent == n), "parents");
    int count = 0;
    for (const std::_Rb_tree_node_base *i = n; i != header; i = i->_M_parent) count += i->_M_color == std::_S_black;
    if (l && r) continue;
    if (blacks < 0) blacks = count;
    check(count == blacks, "balance");
  }
}

static void try_set() {
  std::set<int> s;
  std::vector<int> v;
  int range = 1 + std::rand() % 100;
  for (int i = 0; i < 300; i++) {
    int x = std::rand() % range;
    auto at = std::lower_bound(v.begin(), v.end(), x);
    bool there = at != v.end() && *at == x;
    if (std::rand() % 2) {
      check(s.insert(x).second == !there, "insert");
      if (!there) v.insert(at, x);
    } else {
      check(s.erase(x) == there, "erase");
      if (there) v.erase(at);
    }
    if (i % 9) continue;
    check(same(s, v), "set");
    check_shape(s);
  }
}

static void splice_some(std::list<int> &a, std::vector<int> &va, std::list<int> &b, std::vector<int> &vb) {
  long first = std::rand() % vb.size(), end = first + std::rand() % (vb.size() - first + 1), to = std::rand() % (va.size() + 1);
  a.splice(std::next(a.begin(), to), b, std::next(b.begin(), first), std::next(b.begin(), end));
  va.insert(va.begin() + to, vb.begin() + first, vb.begin() + end);
  vb.erase(vb.begin() + first, vb.begin() + end);
}

static void try_list() {
  std::list<int> a, b;
  std::vector<int> va, vb;
  for (int i = 0; i < 200; i++) {
    switch (std::rand() % 7) {
    case 0:
      a.push_back(i), va.push_back(i);
      break;
    case 1:
      b.push_front(i), vb.insert(vb.begin(), i);
      break;
    case 2:
      if (!va.empty()) a.erase(std::next(a.begin(), va.size() / 2)), va.erase(va.begin() + va.size() / 2);
      break;
    case 3:
      a.reverse(), std::reverse(va.begin(), va.end());
      break;
    case 4:
      a.swap(b), va.swap(vb);
      break;
    case 5:
      if (!vb.empty()) splice_some(a, va, b, vb);
      break;
    case 6:
      a.sort(), std::sort(va.begin(), va.end());
      break;
    }
    check(same(a, va) && same(b, vb), "list");
  }
}

int main() {
  for (int i = 0; i < 20; i++) try_set(), try_list();
  return 0;
}

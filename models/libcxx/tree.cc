/* The red-black tree of std::map and std::set (Cormen et al., chapter 13, with null leaves).
 *
 * The header node's parent is the root, its left and right are the smallest and largest node (the header itself if there are none). The
 * header is red, the root is black: that tells them apart when the root's parent is the header. */
#include <bits/stl_tree.h>

namespace std {

using node = _Rb_tree_node_base;
typedef node *node::*child; /* node::_M_left or node::_M_right */

static child other(child side) { return side == &node::_M_left ? &node::_M_right : &node::_M_left; }
static bool is_red(const node *n) { return n != nullptr && n->_M_color == _S_red; }

template <class Node>
static Node *step(Node *n, child forward) {
  child back = other(forward);
  if (n->*forward != nullptr) {
    for (n = n->*forward; n->*back != nullptr;) n = n->*back;
    return n;
  }
  Node *up = n->_M_parent;
  while (n == up->*forward) {
    n = up;
    up = up->_M_parent;
  }
  /* From the last node one climbs through the root to the header, whose child the root is on the side climbed from if the root has no
   * child there: then n is the header and must stay. */
  return n->*forward != up ? up : n;
}

node *_Rb_tree_increment(node *n) noexcept { return step(n, &node::_M_right); }
const node *_Rb_tree_increment(const node *n) noexcept { return step(n, &node::_M_right); }

template <class Node>
static Node *before(Node *n) {
  bool is_header = n->_M_color == _S_red && n->_M_parent->_M_parent == n;
  return is_header ? n->_M_right : step(n, &node::_M_left);
}
node *_Rb_tree_decrement(node *n) noexcept { return before(n); }
const node *_Rb_tree_decrement(const node *n) noexcept { return before<const node>(n); }

/* Puts `next` (may be null) where `n` is below its parent. */
static void replace_in_parent(node *n, node *next, node &header) {
  node *parent = n->_M_parent;
  if (parent == &header)
    header._M_parent = next;
  else if (parent->_M_left == n)
    parent->_M_left = next;
  else
    parent->_M_right = next;
  if (next != nullptr) next->_M_parent = parent;
}

/* Moves n down to `side`; its child on the other side takes its place. */
static void rotate(node *n, child side, node &header) {
  node *up = n->*other(side);
  n->*other(side) = up->*side;
  if (up->*side != nullptr) (up->*side)->_M_parent = n;
  replace_in_parent(n, up, header);
  up->*side = n;
  n->_M_parent = up;
}

void _Rb_tree_insert_and_rebalance(const bool insert_left, node *n, node *parent, node &header) noexcept {
  n->_M_color = _S_red;
  n->_M_parent = parent;
  n->_M_left = n->_M_right = nullptr;
  if (parent == &header) {
    header._M_parent = header._M_left = header._M_right = n;
  } else {
    child side = insert_left ? &node::_M_left : &node::_M_right;
    parent->*side = n;
    if (header.*side == parent) header.*side = n;
  }
  while (n != header._M_parent && is_red(n->_M_parent)) {
    node *up = n->_M_parent;
    node *grandparent = up->_M_parent; /* exists: the root is black */
    child side = grandparent->_M_left == up ? &node::_M_left : &node::_M_right;
    node *uncle = grandparent->*other(side);
    if (is_red(uncle)) {
      up->_M_color = uncle->_M_color = _S_black;
      grandparent->_M_color = _S_red;
      n = grandparent;
      continue;
    }
    if (n == up->*other(side)) {
      rotate(up, side, header);
      up = n;
    }
    up->_M_color = _S_black;
    grandparent->_M_color = _S_red;
    rotate(grandparent, other(side), header);
    break;
  }
  header._M_parent->_M_color = _S_black;
}

/* `n` (may be null) below `parent` is one black node short. */
static void restore_black_height(node *n, node *parent, node &header) {
  while (n != header._M_parent && !is_red(n)) {
    child side = parent->_M_left == n ? &node::_M_left : &node::_M_right;
    child far = other(side);
    node *sibling = parent->*far; /* exists: its side is at least one black node high */
    if (is_red(sibling)) {
      sibling->_M_color = _S_black;
      parent->_M_color = _S_red;
      rotate(parent, side, header);
      sibling = parent->*far;
    }
    if (!is_red(sibling->*side) && !is_red(sibling->*far)) {
      sibling->_M_color = _S_red;
      n = parent;
      parent = n->_M_parent;
      continue;
    }
    if (!is_red(sibling->*far)) {
      (sibling->*side)->_M_color = _S_black;
      sibling->_M_color = _S_red;
      rotate(sibling, far, header);
      sibling = parent->*far;
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = _S_black;
    (sibling->*far)->_M_color = _S_black;
    rotate(parent, side, header);
    n = header._M_parent;
  }
  if (n != nullptr) n->_M_color = _S_black;
}

/* The smallest or largest node if `n`, which is that and has at most one child, goes. */
static node *next_extreme(node *n, child inner) {
  if (n->*inner == nullptr) return n->_M_parent;
  return inner == &node::_M_right ? node::_S_minimum(n->_M_right) : node::_S_maximum(n->_M_left);
}

node *_Rb_tree_rebalance_for_erase(node *const gone, node &header) noexcept {
  node *hole, *parent; /* what takes the place of the node that leaves its position, and the node above it */
  _Rb_tree_color lost = gone->_M_color;
  if (gone->_M_left != nullptr && gone->_M_right != nullptr) {
    node *successor = node::_S_minimum(gone->_M_right); /* moves to gone's position; iterators to it stay valid */
    lost = successor->_M_color;
    hole = successor->_M_right;
    parent = successor->_M_parent == gone ? successor : successor->_M_parent;
    if (successor != gone->_M_right) {
      replace_in_parent(successor, hole, header);
      successor->_M_right = gone->_M_right;
      successor->_M_right->_M_parent = successor;
    }
    replace_in_parent(gone, successor, header);
    successor->_M_left = gone->_M_left;
    successor->_M_left->_M_parent = successor;
    successor->_M_color = gone->_M_color;
  } else {
    if (header._M_left == gone) header._M_left = next_extreme(gone, &node::_M_right);
    if (header._M_right == gone) header._M_right = next_extreme(gone, &node::_M_left);
    hole = gone->_M_left != nullptr ? gone->_M_left : gone->_M_right;
    parent = gone->_M_parent;
    replace_in_parent(gone, hole, header);
  }
  if (lost == _S_black) restore_black_height(hole, parent, header);
  return gone;
}

}  // namespace std

/* Links of std::list. */
#include <list>

namespace std {
namespace __detail {

static void link(_List_node_base *a, _List_node_base *b) {
  a->_M_next = b;
  b->_M_prev = a;
}

void _List_node_base::_M_hook(_List_node_base *const position) noexcept {
  link(position->_M_prev, this);
  link(this, position);
}

void _List_node_base::_M_unhook() noexcept { link(_M_prev, _M_next); }

void _List_node_base::_M_reverse() noexcept {
  _List_node_base *node = this;
  do {
    _List_node_base *next = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = next;
    node = next;
  } while (node != this);
}

/* Moves [first, last) before this node. */
void _List_node_base::_M_transfer(_List_node_base *const first, _List_node_base *const last) noexcept {
  if (this == last || first == last) return;
  _List_node_base *end = last->_M_prev;
  link(first->_M_prev, last);
  link(_M_prev, first);
  link(end, this);
}

void _List_node_base::swap(_List_node_base &a, _List_node_base &b) noexcept {
  _List_node_base *const a_first = a._M_next, *const a_last = a._M_prev;
  _List_node_base *const b_first = b._M_next, *const b_last = b._M_prev;
  const bool a_empty = a_first == &a, b_empty = b_first == &b;
  if (b_empty) {
    link(&a, &a);
  } else {
    link(&a, b_first);
    link(b_last, &a);
  }
  if (a_empty) {
    link(&b, &b);
  } else {
    link(&b, a_first);
    link(a_last, &b);
  }
}

}  // namespace __detail
}  // namespace std

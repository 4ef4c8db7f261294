/* The nodes of std::list, std::map, std::set and the like, which the C++ library links in code of its own. It is not compiled to be
 * watched, but critical sections conflict by what it does, so the weak order has to know; more than that is not made of it, as the library
 * uses these functions for itself, too.
 *
 * The functions are written anew, with the library's names and the library's shapes: with -static-libstdc++ there is no library to call,
 * and code of another library may have linked the same nodes by its own copy. */
#include "analysis/locked.h"
#include "intercept/intercept.h"
#include "record/record.h"

struct list_node {
  struct list_node *next, *prev;
};

/* A tree has a header beside its nodes: its parent is the root (and the root's parent is it), left and right are the first node and the
 * last. It is red, which tells it from the root, by which it would be one's own grandparent. */
enum color { RED, BLACK };
struct tree_node {
  enum color color;
  struct tree_node *parent, *left, *right;
};

static void touch(const void *p, size_t size, enum site_kind kind) {
  struct thread *t = watched();
  if (UNLIKELY(recording) && t && p) record_range(t, (uintptr_t)p, size, kind == SITE_WRITE);
  if (!t || !t->weak || !t->nheld || !p) return;
  thread_enter(t);
  for (uintptr_t word = (uintptr_t)p & ~(uintptr_t)7; word < (uintptr_t)p + size; word += 8) {
    cell write = pair_take(shadow_of(word));
    locked_access(t, word, (unsigned)MASK_ALL, kind == SITE_WRITE);
    pair_give(shadow_of(word), write);
  }
  thread_leave(t);
}
static void writes_list(const struct list_node *n) { touch(n, sizeof *n, SITE_WRITE); }
static void writes_around(const struct list_node *n) { writes_list(n), writes_list(n->next), writes_list(n->prev); }
static void writes_tree(const struct tree_node *n) { touch(n, sizeof *n, SITE_WRITE); }

#define LIST(name) _ZNSt8__detail15_List_node_base##name
PUBLIC void LIST(7_M_hookEPS0_)(struct list_node *n, struct list_node *before);
PUBLIC void LIST(9_M_unhookEv)(struct list_node *n);
PUBLIC void LIST(11_M_transferEPS0_S1_)(struct list_node *n, struct list_node *first, struct list_node *end);
PUBLIC void LIST(10_M_reverseEv)(struct list_node *n);
PUBLIC void LIST(4swapERS0_S1_)(struct list_node *a, struct list_node *b);

static void chain(struct list_node *n, struct list_node *next) { n->next = next, next->prev = n; }

void LIST(7_M_hookEPS0_)(struct list_node *n, struct list_node *before) {
  chain(before->prev, n), chain(n, before);
  writes_around(n);
}
void LIST(9_M_unhookEv)(struct list_node *n) {
  chain(n->prev, n->next);
  writes_around(n);
}
/* What is from `first` to before `end` comes before n. */
void LIST(11_M_transferEPS0_S1_)(struct list_node *n, struct list_node *first, struct list_node *end) {
  writes_around(n), writes_around(first), writes_around(end);
  if (n == end || first == end) return;
  struct list_node *last = end->prev;
  chain(first->prev, end), chain(n->prev, first), chain(last, n);
}
void LIST(10_M_reverseEv)(struct list_node *n) {
  struct list_node *i = n;
  do {
    struct list_node *next = i->next;
    i->next = i->prev, i->prev = next;
    writes_list(i);
    i = next;
  } while (i != n);
}
void LIST(4swapERS0_S1_)(struct list_node *a, struct list_node *b) {
  struct list_node *first = a->next, *last = a->prev;
  writes_around(a), writes_around(b);
  if (b->next != b)
    chain(a, b->next), chain(b->prev, a);
  else
    chain(a, a);
  if (first != a)
    chain(b, first), chain(last, b);
  else
    chain(b, b);
}

/* What was at the place of `child` below its parent is `other` now. */
static void replace(struct tree_node *child, struct tree_node *other, struct tree_node *header) {
  if (header->parent == child)
    header->parent = other;
  else if (child->parent->left == child)
    child->parent->left = other;
  else
    child->parent->right = other;
}

static struct tree_node **side(struct tree_node *n, bool left) { return left ? &n->left : &n->right; }

/* n goes down to the left or to the right, and its child on the other side takes its place. */
static void rotate(struct tree_node *n, bool left, struct tree_node *header) {
  struct tree_node *up = *side(n, !left), *moves = *side(up, left);
  *side(n, !left) = moves;
  if (moves) moves->parent = n;
  up->parent = n->parent;
  replace(n, up, header);
  *side(up, left) = n;
  n->parent = up;
}

/* n is red, and may be below a red node (Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, 13.3). */
static void mend_insertion(struct tree_node *n, struct tree_node *header) {
  while (n != header->parent && n->parent->color == RED) {
    struct tree_node *parent = n->parent, *above = parent->parent;
    bool left = parent == above->left;
    struct tree_node *uncle = *side(above, !left);
    if (uncle && uncle->color == RED) {
      parent->color = uncle->color = BLACK, above->color = RED;
      n = above;
      continue;
    }
    if (n == *side(parent, !left)) n = parent, rotate(n, left, header), parent = n->parent;
    parent->color = BLACK, above->color = RED;
    rotate(above, !left, header);
  }
  header->parent->color = BLACK;
}

/* Paths through n, below that parent, have a black node less than others (the same, 13.4; n may be NULL). */
static void mend_removal(struct tree_node *n, struct tree_node *parent, struct tree_node *header) {
  while (n != header->parent && (!n || n->color == BLACK)) {
    bool left = n == parent->left;
    struct tree_node *other = *side(parent, !left);
    if (other->color == RED) {
      other->color = BLACK, parent->color = RED;
      rotate(parent, left, header);
      other = *side(parent, !left);
    }
    struct tree_node *near = *side(other, left), *far = *side(other, !left);
    if ((!near || near->color == BLACK) && (!far || far->color == BLACK)) {
      other->color = RED;
      n = parent, parent = n->parent;
      continue;
    }
    if (!far || far->color == BLACK) {
      near->color = BLACK, other->color = RED;
      rotate(other, !left, header);
      other = *side(parent, !left), far = *side(other, !left);
    }
    other->color = parent->color, parent->color = BLACK, far->color = BLACK;
    rotate(parent, left, header);
    break;
  }
  if (n) n->color = BLACK;
}

static struct tree_node *furthest(struct tree_node *n, bool left) {
  while (*side(n, left)) n = *side(n, left);
  return n;
}

/* Whoever looks for something begins at the header. */
PUBLIC void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, struct tree_node *n, struct tree_node *parent,
                                                                              struct tree_node *header);
PUBLIC void *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct tree_node *n, struct tree_node *header);
void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, struct tree_node *n, struct tree_node *parent,
                                                                       struct tree_node *header) {
  *n = (struct tree_node){.color = RED, .parent = parent};
  if (parent == header)
    header->parent = header->left = header->right = n;
  else
    *side(parent, left) = n;
  if (parent == header->left && left) header->left = n;
  if (parent == header->right && !left) header->right = n;
  mend_insertion(n, header);
  writes_tree(header), writes_tree(n), writes_tree(parent);
}

/* The next one, which has no left child, takes n's place and colour. Returns the child that takes its own. */
static struct tree_node *swap_with_next(struct tree_node *n, struct tree_node **parent, struct tree_node *header) {
  struct tree_node *next = furthest(n->right, true), *child = next->right;
  enum color color = next->color;
  *parent = next->parent == n ? next : next->parent;
  if (next->parent != n) {
    next->parent->left = child;
    if (child) child->parent = next->parent;
    next->right = n->right, n->right->parent = next;
  }
  next->left = n->left, n->left->parent = next;
  replace(n, next, header);
  next->parent = n->parent, next->color = n->color, n->color = color;
  return child;
}

void *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct tree_node *n, struct tree_node *header) {
  struct tree_node *child, *parent = n->parent;
  writes_tree(header), writes_tree(n), writes_tree(n->parent), writes_tree(n->left), writes_tree(n->right);
  if (n->left && n->right) {
    child = swap_with_next(n, &parent, header);
  } else {
    child = n->left ? n->left : n->right;
    if (header->left == n) header->left = child ? furthest(child, true) : parent;
    if (header->right == n) header->right = child ? furthest(child, false) : parent;
    if (child) child->parent = parent;
    replace(n, child, header);
  }
  if (n->color == BLACK) mend_removal(child, parent, header);
  return n;
}

/* The next node to the right, or to the left of the tree; behind the last one comes the header, and before it the last one. */
static void *step(const struct tree_node *from, bool right) {
  struct tree_node *n = (struct tree_node *)(uintptr_t)from, *parent = n->parent;
  touch(n, sizeof *n, SITE_READ);
  if (!right && n->color == RED && parent && parent->parent == n) return n->right;
  if (*side(n, !right)) return furthest(*side(n, !right), right);
  while (n == *side(parent, !right)) n = parent, parent = n->parent;
  return n->right == parent ? n : parent; /* n is the header: its only node was the root */
}
#define STEP(symbol, right)                       \
  PUBLIC void *symbol(const struct tree_node *n); \
  void *symbol(const struct tree_node *n) { return step(n, right); }
STEP(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, true)
STEP(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, true)
STEP(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, false)
STEP(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, false)

/* The rest of what the library's object has: a program that asked for it would get all of it, a second time. */
PUBLIC unsigned _ZSt20_Rb_tree_black_countPKSt18_Rb_tree_node_baseS1_(const struct tree_node *n, const struct tree_node *root);
PUBLIC void _ZSt20_Rb_tree_rotate_leftPSt18_Rb_tree_node_baseRS0_(struct tree_node *n, struct tree_node **root);
PUBLIC void _ZSt21_Rb_tree_rotate_rightPSt18_Rb_tree_node_baseRS0_(struct tree_node *n, struct tree_node **root);
unsigned _ZSt20_Rb_tree_black_countPKSt18_Rb_tree_node_baseS1_(const struct tree_node *n, const struct tree_node *root) {
  unsigned sum = 0;
  for (; n; n = n == root ? NULL : n->parent) sum += n->color == BLACK;
  return sum;
}
static void rotate_below(struct tree_node *n, bool left, struct tree_node **root) {
  struct tree_node header = {.parent = *root};
  rotate(n, left, &header);
  *root = header.parent;
}
void _ZSt20_Rb_tree_rotate_leftPSt18_Rb_tree_node_baseRS0_(struct tree_node *n, struct tree_node **root) { rotate_below(n, true, root); }
void _ZSt21_Rb_tree_rotate_rightPSt18_Rb_tree_node_baseRS0_(struct tree_node *n, struct tree_node **root) { rotate_below(n, false, root); }

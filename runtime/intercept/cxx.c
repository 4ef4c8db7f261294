/* What the C++ library does in code of its own, which is not compiled to be watched.
 *
 * To the nodes of std::list, std::map and the like: critical sections conflict by it, so the weak order has to know; more than that is not
 * made of it, as the library uses these functions for itself, too. And futures that become ready at the end of a thread. */
#include "analysis/locked.h"
#include "intercept/intercept.h"

struct list_node {
  struct list_node *next, *prev;
};
struct tree_node {
  int color;
  struct tree_node *parent, *left, *right;
};

static void touch(const void *p, size_t size, enum site_kind kind) {
  struct thread *t = watched();
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

static void *real(void **kept, const char *name) {
  if (UNLIKELY(!*kept)) *kept = dlsym(RTLD_NEXT, name);
  if (UNLIKELY(!*kept)) *kept = of_cxx_library(name);
  if (UNLIKELY(!*kept)) rt_die("heddle: the C++ library has no %s: it is older than the runtime can work with\n", name);
  return *kept;
}
#define NAME_OF(symbol) #symbol
#define REAL(symbol)                                    \
  ({                                                    \
    static void *real_;                                 \
    (__typeof__(&symbol))real(&real_, NAME_OF(symbol)); \
  })

#define LIST(name) _ZNSt8__detail15_List_node_base##name
PUBLIC void LIST(7_M_hookEPS0_)(struct list_node *n, struct list_node *before);
PUBLIC void LIST(9_M_unhookEv)(struct list_node *n);
PUBLIC void LIST(11_M_transferEPS0_S1_)(struct list_node *n, struct list_node *first, struct list_node *last);
PUBLIC void LIST(10_M_reverseEv)(struct list_node *n);
PUBLIC void LIST(4swapERS0_S1_)(struct list_node *a, struct list_node *b);

void LIST(7_M_hookEPS0_)(struct list_node *n, struct list_node *before) {
  REAL(LIST(7_M_hookEPS0_))(n, before);
  writes_around(n);
}
void LIST(9_M_unhookEv)(struct list_node *n) {
  writes_around(n);
  REAL(LIST(9_M_unhookEv))(n);
}
void LIST(11_M_transferEPS0_S1_)(struct list_node *n, struct list_node *first, struct list_node *last) {
  writes_around(n), writes_around(first), writes_around(last);
  REAL(LIST(11_M_transferEPS0_S1_))(n, first, last);
}
void LIST(10_M_reverseEv)(struct list_node *n) {
  REAL(LIST(10_M_reverseEv))(n);
  writes_around(n);
  for (const struct list_node *i = n->next; i != n; i = i->next) writes_list(i);
}
void LIST(4swapERS0_S1_)(struct list_node *a, struct list_node *b) {
  writes_around(a), writes_around(b);
  REAL(LIST(4swapERS0_S1_))(a, b);
}

/* Whoever looks for something begins at the header. */
PUBLIC void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, struct tree_node *n, struct tree_node *parent,
                                                                              struct tree_node *header);
PUBLIC void *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct tree_node *n, struct tree_node *header);
void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, struct tree_node *n, struct tree_node *parent,
                                                                       struct tree_node *header) {
  REAL(_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_)(left, n, parent, header);
  writes_tree(header), writes_tree(n), writes_tree(parent);
}
void *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct tree_node *n, struct tree_node *header) {
  writes_tree(header), writes_tree(n), writes_tree(n->parent), writes_tree(n->left), writes_tree(n->right);
  return REAL(_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_)(n, header);
}

#define STEP(symbol)                        \
  PUBLIC void *symbol(struct tree_node *n); \
  void *symbol(struct tree_node *n) {       \
    touch(n, sizeof *n, SITE_READ);         \
    return REAL(symbol)(n);                 \
  }
STEP(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base)
STEP(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base)
STEP(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base)
STEP(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base)

/* std::promise::set_value_at_thread_exit(): the library stores the status, an atomic variable that the program's own code reads. */
struct future_state {
  void *methods, *result;
  unsigned status;
};
struct make_ready {
  struct make_ready *next;
  void (*run)(void *self);
  struct future_state *state;
};
static void (*makes_ready)(void *self);
static void is_ready(struct make_ready *m) {
  struct thread *t = watched();
  if (t && !t->ignore_sync && m->state) sync_release(t, (uintptr_t)&m->state->status, SYNC_ATOMIC);
}
static void at_thread_end(void *self) {
  is_ready(self);
  makes_ready(self);
}
PUBLIC void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(struct make_ready *m);
void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(struct make_ready *m) {
  is_ready(m); /* if the thread's end is not seen */
  REAL(_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv)(m);
  __atomic_store_n(&makes_ready, m->run, __ATOMIC_RELAXED);
  m->run = at_thread_end;
}

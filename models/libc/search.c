/* <search.h>: hash tables, trees and queues. Trees are plain binary trees: what a traversal sees is in order, as the interface promises;
 * their shape is not part of it. */
#include <search.h>

#include <errno.h>
#include <stdlib.h>

#include "internal.h"

/* --- hash tables: open addressing, no deletion --- */

struct slot {
  ENTRY entry;
  bool used;
};

static size_t hash_key(const char *key) {
  size_t h = 14695981039346656037u;
  for (; *key; key++) h = (h ^ (unsigned char)*key) * 1099511628211u;
  return h;
}

int hcreate_r(size_t count, struct hsearch_data *table) {
  if (!table) return HD_ERRNO = EINVAL, 0;
  table->size = (unsigned)(count < 4 ? 4 : count);
  table->filled = 0;
  table->table = calloc(table->size, sizeof(struct slot));
  return table->table != NULL;
}

void hdestroy_r(struct hsearch_data *table) {
  free(table->table);
  table->table = NULL;
}

int hsearch_r(ENTRY item, ACTION action, ENTRY **result, struct hsearch_data *table) {
  struct slot *slots = (struct slot *)table->table;
  size_t at = hash_key(item.key) % table->size;
  *result = NULL;
  for (size_t probes = 0; probes < table->size; probes++, at = (at + 1) % table->size) {
    if (!slots[at].used) {
      if (action == FIND) return HD_ERRNO = ESRCH, 0;
      slots[at] = (struct slot){item, true};
      table->filled++;
      *result = &slots[at].entry;
      return 1;
    }
    if (!hd_strcmp(slots[at].entry.key, item.key)) {
      *result = &slots[at].entry;
      return 1;
    }
  }
  HD_ERRNO = action == FIND ? ESRCH : ENOMEM;
  return 0;
}

static struct hsearch_data shared;

int hcreate(size_t count) { return hcreate_r(count, &shared); }
void hdestroy(void) { hdestroy_r(&shared); }

ENTRY *hsearch(ENTRY item, ACTION action) {
  ENTRY *result;
  hsearch_r(item, action, &result, &shared);
  return result;
}

/* --- trees --- */

struct node {
  const void *key; /* first: the interface gives out pointers to it */
  struct node *left, *right;
};

/* The link that holds the key's node, or would. */
static struct node **find_link(const void *key, struct node **link, __compar_fn_t compare) {
  while (*link) {
    int order = compare(key, (*link)->key);
    if (!order) break;
    link = order < 0 ? &(*link)->left : &(*link)->right;
  }
  return link;
}

void *tsearch(const void *key, void **root, __compar_fn_t compare) {
  if (!root) return NULL;
  struct node **link = find_link(key, (struct node **)root, compare);
  if (*link) return *link;
  struct node *node = malloc(sizeof *node);
  if (node) *node = (struct node){key, NULL, NULL};
  return *link = node;
}

void *tfind(const void *key, void *const *root, __compar_fn_t compare) {
  return root ? *find_link(key, (struct node **)root, compare) : NULL;
}

/* The parent of the removed node; the root itself if that was removed. */
void *tdelete(const void *restrict key, void **restrict root, __compar_fn_t compare) {
  if (!root || !*root) return NULL;
  struct node **link = (struct node **)root, *parent = *link;
  while (*link) {
    int order = compare(key, (*link)->key);
    if (!order) break;
    parent = *link;
    link = order < 0 ? &parent->left : &parent->right;
  }
  struct node *node = *link;
  if (!node) return NULL;
  if (!node->left) {
    *link = node->right;
  } else if (!node->right) {
    *link = node->left;
  } else {
    struct node **next = &node->right;
    while ((*next)->left) next = &(*next)->left;
    struct node *successor = *next;
    *next = successor->right;
    successor->left = node->left;
    successor->right = node->right;
    *link = successor;
  }
  bool was_root = parent == node;
  free(node);
  return was_root ? (*root ? *root : (void *)root) : parent;
}

static void walk(const struct node *node, __action_fn_t action, int depth) {
  if (!node->left && !node->right) {
    action(node, leaf, depth);
    return;
  }
  action(node, preorder, depth);
  if (node->left) walk(node->left, action, depth + 1);
  action(node, postorder, depth);
  if (node->right) walk(node->right, action, depth + 1);
  action(node, endorder, depth);
}

void twalk(const void *root, __action_fn_t action) {
  if (root && action) walk(root, action, 0);
}

static void destroy(struct node *node, __free_fn_t release) {
  if (!node) return;
  destroy(node->left, release);
  destroy(node->right, release);
  release((void *)node->key);
  free(node);
}

void tdestroy(void *root, __free_fn_t release) { destroy(root, release); }

/* --- queues --- */

struct link {
  struct link *next, *previous;
};

void insque(void *element, void *before) {
  struct link *e = element, *p = before;
  if (!p) {
    e->next = e->previous = NULL;
    return;
  }
  e->next = p->next;
  e->previous = p;
  if (p->next) p->next->previous = e;
  p->next = e;
}

void remque(void *element) {
  struct link *e = element;
  if (e->next) e->next->previous = e->previous;
  if (e->previous) e->previous->next = e->next;
}

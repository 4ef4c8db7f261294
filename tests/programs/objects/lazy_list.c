// The lazy list of Heller and others (OPODIS 2005), a sorted set: who has locked the two neighbours must look whether they are neighbours
// still, and in the list.
// verdict: BUG
// options: --linearizable --arguments=1
// finding: not-linearizable
// case: validated -DFIXED
// options: --linearizable --arguments=1
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  int key;
  atomic_bool marked;
  _Atomic(struct node *) next;
  pthread_mutex_t lock;
};
static struct node nodes[16];
static atomic_int used;

HD_BEGIN(void) {
  for (int i = 0; i < 16; i++) pthread_mutex_init(&nodes[i].lock, 0);
  nodes[0].key = -1;
  nodes[1].key = 1000;
  nodes[0].next = &nodes[1];
  used = 2;
}

static void find(int key, struct node **before, struct node **at) {
  *before = &nodes[0];
  *at = nodes[0].next;
  while ((*at)->key < key) {
    *before = *at;
    *at = (*at)->next;
  }
}

static int is_valid(struct node *before, struct node *at) {
#ifdef FIXED
  return !before->marked && !at->marked && before->next == at;
#else
  (void)before, (void)at;
  return 1;
#endif
}

static int change(int key, int wanted) {
  for (;;) {
    struct node *before, *at;
    find(key, &before, &at);
    pthread_mutex_lock(&before->lock);
    pthread_mutex_lock(&at->lock);
    int valid = is_valid(before, at), there = at->key == key;
    if (valid && there != wanted && wanted) {
      struct node *n = &nodes[used++];
      n->key = key;
      n->next = at;
      before->next = n;
    } else if (valid && there != wanted) {
      at->marked = 1;
      before->next = at->next;
    }
    pthread_mutex_unlock(&at->lock);
    pthread_mutex_unlock(&before->lock);
    if (valid) return there != wanted;
  }
}

HD_OPERATION(add, int key) { return change(key, 1); }
HD_OPERATION(remove, int key) { return change(key, 0); }
HD_OPERATION(contains, int key) {
  struct node *before, *at;
  find(key, &before, &at);
  return at->key == key && !at->marked;
}

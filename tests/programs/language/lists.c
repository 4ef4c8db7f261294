// output: native
// A hash table with chains, a binary tree, and a linked list reversed: much allocation and many pointers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  struct entry *next;
  char key[8];
  int count;
};
struct tree {
  struct tree *left, *right;
  int value;
};

static struct entry *table[37];

static struct entry *lookup(const char *key) {
  unsigned h = 0;
  for (const char *c = key; *c; c++) h = h * 31 + (unsigned char)*c;
  struct entry **at = &table[h % 37];
  for (; *at; at = &(*at)->next)
    if (!strcmp((*at)->key, key)) return *at;
  *at = calloc(1, sizeof **at);
  if (!*at) abort();
  strcpy((*at)->key, key);
  return *at;
}

static struct tree *insert(struct tree *t, int value) {
  if (!t) {
    t = malloc(sizeof *t);
    if (!t) abort();
    *t = (struct tree){.value = value};
  } else if (value < t->value) {
    t->left = insert(t->left, value);
  } else {
    t->right = insert(t->right, value);
  }
  return t;
}

static int visit(struct tree *t, int depth) {
  if (!t) return depth;
  int l = visit(t->left, depth + 1);
  printf("%d ", t->value);
  int r = visit(t->right, depth + 1);
  free(t);
  return l > r ? l : r;
}

int main(void) {
  unsigned seed = 7;
  char key[8];
  for (int i = 0; i < 500; i++) {
    seed = seed * 1664525u + 1013904223u;
    snprintf(key, sizeof key, "k%u", (seed >> 20) % 60);
    lookup(key)->count++;
  }
  int used = 0, most = 0;
  for (int i = 0; i < 37; i++)
    for (struct entry *e = table[i], *next; e; e = next) {
      next = e->next;
      used++;
      if (e->count > most) most = e->count;
      free(e);
    }
  printf("%d %d\n", used, most);
  struct tree *root = 0;
  for (int i = 0; i < 60; i++) {
    seed = seed * 1664525u + 1013904223u;
    root = insert(root, (int)(seed >> 16) % 500);
  }
  printf("\n%d\n", visit(root, 0));
  return 0;
}

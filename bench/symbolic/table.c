/* Four keys, any, go into a hash table of eight places with open addressing: the last value of each is found. */
#include <heddle.h>

static struct entry {
  unsigned key;
  int used, value;
} table[8];

static struct entry *find(unsigned key) {
  unsigned place = key * 2654435761u >> 29;
  while (table[place].used && table[place].key != key) place = (place + 1) % 8;
  return &table[place];
}

int main(void) {
  unsigned keys[4];
  hd_symbolic(keys, sizeof keys, "keys");
  for (int i = 0; i < 4; i++) *find(keys[i]) = (struct entry){keys[i], 1, i};
  for (int i = 0; i < 4; i++) {
    int last = i;
    for (int j = i + 1; j < 4; j++)
      if (keys[j] == keys[i]) last = j;
    hd_assert(find(keys[i])->value == last);
  }
  return 0;
}

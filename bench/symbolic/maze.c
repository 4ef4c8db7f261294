/* A way through a maze: 28 steps, and who comes to # has found it. A wall ends the walk, but for one that only looks like one. */
#include <heddle.h>

enum { HEIGHT = 7, WIDTH = 11, STEPS = 28 };
static const char maze[HEIGHT][WIDTH + 1] = {"+-+---+---+", "| |     |#|", "| | --+ | |", "| |   | | |", "| +-- | | |", "|     |   |", "+-----+---+"};

int main(void) {
  char way[STEPS];
  int x = 1, y = 1;
  hd_symbolic(way, sizeof way, "way");
  for (int i = 0; i < STEPS; i++) {
    int from_x = x, from_y = y;
    switch (way[i]) {
      case 'w': y--; break;
      case 's': y++; break;
      case 'a': x--; break;
      case 'd': x++; break;
      default: return 1;
    }
    hd_assert(maze[y][x] != '#');
    if (maze[y][x] != ' ' && !(y == 2 && maze[y][x] == '|' && x > 0 && x < WIDTH)) x = from_x, y = from_y;
    if (from_x == x && from_y == y) return 2;
  }
  return 0;
}

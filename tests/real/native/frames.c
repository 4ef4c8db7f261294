/* Frames for a video encoder, in YUV 4:2:0: usage: frames WIDTH HEIGHT NUMBER. Bands and noise move over a gradient. */
#include <stdio.h>
#include <stdlib.h>

static unsigned char noise(unsigned x, unsigned y) {
  unsigned h = (x / 3) * 2654435761u ^ (y / 3) * 40503u;
  return (unsigned char)((h ^ h >> 13) & 31);
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: frames WIDTH HEIGHT NUMBER\n"), 2;
  unsigned width = (unsigned)atoi(argv[1]), height = (unsigned)atoi(argv[2]), number = (unsigned)atoi(argv[3]);
  for (unsigned f = 0; f < number; f++) {
    for (unsigned y = 0; y < height; y++)
      for (unsigned x = 0; x < width; x++) putchar((int)((x + y + f) / 4 % 160 + noise(x + 3 * f, y + f) + ((x + 5 * f) / 40 % 2) * 40));
    for (unsigned i = 0; i < width * height / 2; i++) putchar((int)(100 + (i + f) % width / 8));
  }
  return fflush(stdout) != 0;
}

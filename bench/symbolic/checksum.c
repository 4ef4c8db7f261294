/* A text of four bytes with a CRC-32 that is given, by a table that is made when the program begins. */
#include <heddle.h>

static unsigned table[256];

int main(void) {
  unsigned char text[4];
  unsigned crc = ~0u;
  for (unsigned i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++) table[i] = table[i] >> 1 ^ (table[i] & 1) * 0xedb88320u;
  }
  hd_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 4; i++) crc = table[(crc ^ text[i]) & 255] ^ crc >> 8;
  hd_assert(~crc != 0xcbf43926);
  return 0;
}

#include "debug/packet.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static int next_byte(struct packet_line *line) {
  while (line->at == line->end) {
    ssize_t n = read(line->in, line->bytes, sizeof line->bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      line->lost = true;
      return -1;
    }
    line->at = 0, line->end = (size_t)n;
  }
  return line->bytes[line->at++];
}

static void write_all(struct packet_line *line, const char *bytes, size_t n) {
  while (n > 0 && !line->lost) {
    ssize_t k = write(line->out, bytes, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0)
      line->lost = true;
    else
      bytes += k, n -= (size_t)k;
  }
}

static int digit(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* The rest of a packet behind its '$'. False: its checksum is wrong. */
static bool receive_body(struct packet_line *line, struct text *packet) {
  uint8_t sum = 0;
  int c;
  text_clear(packet);
  while ((c = next_byte(line)) >= 0 && c != '#') {
    sum = (uint8_t)(sum + c);
    if (c == '}') {
      if ((c = next_byte(line)) < 0) break;
      sum = (uint8_t)(sum + c);
      c ^= 0x20;
    }
    text_putc(packet, (char)c);
  }
  int high = digit(next_byte(line)), low = digit(next_byte(line));
  return line->quiet || (high >= 0 && low >= 0 && (high << 4 | low) == sum);
}

bool packet_receive(struct packet_line *line, struct text *packet) {
  line->interrupted = false;
  while (!line->lost) {
    int c = next_byte(line);
    if (c != '$') continue; /* acknowledgements, and a request to stop what has stopped */
    bool good = receive_body(line, packet);
    if (line->lost) break;
    if (!line->quiet) write_all(line, good ? "+" : "-", 1);
    if (good) return true;
  }
  return false;
}

void packet_send(struct packet_line *line, const char *bytes, size_t n) {
  struct text out = {0};
  uint8_t sum = 0;
  text_putc(&out, '$');
  for (size_t i = 0; i < n; i++) {
    char c = bytes[i];
    bool escaped = c == '$' || c == '#' || c == '}' || c == '*';
    if (escaped) text_putc(&out, '}'), sum = (uint8_t)(sum + '}'), c ^= 0x20;
    text_putc(&out, c), sum = (uint8_t)(sum + c);
  }
  text_printf(&out, "#%02x", sum);
  write_all(line, out.data, out.count);
  text_release(&out);
}

void packet_puts(struct packet_line *line, const char *s) { packet_send(line, s, strlen(s)); }

bool packet_interrupted(struct packet_line *line) {
  struct pollfd ready = {.fd = line->in, .events = POLLIN};
  while (!line->lost && !line->interrupted) {
    if (line->at == line->end && poll(&ready, 1, 0) <= 0) return false;
    if (line->at < line->end && line->bytes[line->at] == '$') return false; /* that is for packet_receive() */
    line->interrupted = next_byte(line) == 3;
  }
  return true;
}

void hex_put(struct text *out, const void *bytes, size_t n) {
  const uint8_t *b = bytes;
  for (size_t i = 0; i < n; i++) text_printf(out, "%02x", b[i]);
}

void hex_number(struct text *out, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) text_printf(out, "%02x", (unsigned)(value >> 8 * i & 0xff));
}

uint64_t hex_read(const char **s) {
  uint64_t value = 0;
  for (; digit(**s) >= 0; ++*s) value = value << 4 | (unsigned)digit(**s);
  return value;
}

void hex_text(const char *s, struct text *out) {
  for (; digit(s[0]) >= 0 && digit(s[1]) >= 0; s += 2) text_putc(out, (char)(digit(s[0]) << 4 | digit(s[1])));
}

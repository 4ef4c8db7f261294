/* Packets of gdb's remote protocol over two descriptors: "$...#checksum", acknowledged until the debugger asks for none. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct packet_line {
  int in, out;
  bool quiet;       /* nothing is acknowledged any more */
  bool lost;        /* the debugger is gone */
  bool interrupted; /* it has asked for a stop since the last packet */
  uint8_t bytes[4096];
  size_t at, end; /* what was received and not looked at */
};

/* Waits for the next packet and leaves what is in it. False: the debugger is gone. */
bool packet_receive(struct packet_line *line, struct text *packet);
/* Sends one; what has to be escaped is. */
void packet_send(struct packet_line *line, const char *bytes, size_t n);
void packet_puts(struct packet_line *line, const char *s);
/* Has the debugger asked for a stop? Does not wait. */
bool packet_interrupted(struct packet_line *line);

/* Hexadecimal digits, two a byte, lowest address first. */
void hex_put(struct text *out, const void *bytes, size_t n);
void hex_number(struct text *out, uint64_t value, unsigned bytes); /* little-endian */
/* A number in hexadecimal; *s is behind it. */
uint64_t hex_read(const char **s);
/* Text that was sent as digits. */
void hex_text(const char *s, struct text *out);

/* Conversions of printf() and scanf(): "%-8.3ls". */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct conversion {
  char what;     /* 's'; 0: there are no more */
  char length;   /* how large a number is, or what characters: 'H' (hh), 'h', 'l', 'q' (ll), 'L', 'j', 'z', 't', or 0 */
  bool skipped;  /* scanf(): "%*d" is read, but not kept */
  bool makes;    /* scanf(): "%ms" allocates */
  bool stars[2]; /* printf(): width and precision are arguments */
  long width;    /* -1: there is none */
  long precision;
};

/* The next one from *at on, which goes behind it. Without a further one, or if it takes its argument by number ("%2$s"), what is 0. */
struct conversion conversion_next(const char **at, bool scans);
/* The bytes of an integer of that length. */
size_t conversion_integer(char length);

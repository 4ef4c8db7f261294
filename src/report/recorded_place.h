/* Threads and places of recorded runs, as reports show them. */
#pragma once
#include "report/place.h"

struct recorded_names;
struct sources;

/* An empty place for site 0, and for what is no site. */
struct place recorded_place(const struct recorded_names *names, uint32_t site);
/* Appends "bank.c:12:3", "place 12" of a text that has no files, or "an unknown place". */
void recorded_place_text(const struct recorded_names *names, uint32_t site, struct text *out);
/* Appends the line of the source, or nothing. */
void recorded_place_line(const struct recorded_names *names, uint32_t site, struct sources *sources, struct text *out);
/* Appends "0.2", or "#3" of a thread without a name. */
void recorded_thread_text(const struct recorded_names *names, uint64_t thread, struct text *out);

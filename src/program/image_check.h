/* Is a mapped image what image.h promises? Run once by image_open, so that nothing later needs to doubt an index. */
#pragma once
#include "program/image.h"

/* Appends the first problem found to `why`; nothing if there is none. The sections lie inside the file already. */
void image_check(const struct image *image, struct text *why);

/* What woven code does that is not recorded: places that the weaver has put into a section of the file (src/weave/sites.h). */
#pragma once
#include "program/args.h"

/* Adds the places in that file, FILE:LINE, which are not there yet. */
void unseen_add(const char *path, struct args *places);

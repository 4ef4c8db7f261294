/* What history.c and history_text.c share. */
#pragma once
#include "objects/history.h"

const struct scenario *history_scenario(const struct history *h);
const struct sequential *history_sequential(const struct history *h);

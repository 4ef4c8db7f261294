/* Included before everything else by sources that define by hand what libstdc++'s headers declare as instantiated elsewhere: without those
 * declarations, after which no specialisation is allowed. */
#pragma once
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0

/* What libstdc++'s tests expect of the header that they share. */
#pragma once
#include <cassert>
#include <unistd.h>
#define VERIFY(condition) assert(condition)
#define THROW(what)       noexcept(false)

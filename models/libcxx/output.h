/* Writing to streams without storing what is there already. */
#pragma once
#include <ios>

namespace heddle {

/* What a formatted output does to the width. Threads that print to one standard stream all find 0: they only read it. */
inline void clear_width(std::ios_base &io) {
  if (io.width() != 0) io.width(0);
}

}  // namespace heddle

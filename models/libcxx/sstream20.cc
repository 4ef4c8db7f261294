/* Streams over strings as C++20 has them: str() is overloaded for rvalues, so its name differs from C++17's. */
#include "sstream.cc"

/* Output streams of char. */
#include <ostream>

#include "output.h"

namespace std {

/* As the headers have it, but for the width: see output.h. */
template <>
ostream &__ostream_insert(ostream &out, const char *text, streamsize n) {
  ostream::sentry ready(out);
  if (!ready) return out;
  try {
    const streamsize padding = out.width() > n ? out.width() - n : 0;
    const bool behind = (out.flags() & ios_base::adjustfield) == ios_base::left;
    if (padding > 0 && !behind) __ostream_fill(out, padding);
    if (out.good()) __ostream_write(out, text, n);
    if (padding > 0 && behind && out.good()) __ostream_fill(out, padding);
    heddle::clear_width(out);
  } catch (__cxxabiv1::__forced_unwind &) {
    out._M_setstate(ios_base::badbit);
    throw;
  } catch (...) {
    out._M_setstate(ios_base::badbit);
  }
  return out;
}

template class basic_ios<char>;
template class basic_ostream<char>;
template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
template ostream &operator<<(ostream &, char);
template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const signed char *);
template ostream &operator<<(ostream &, const string &);
template ostream &ostream::_M_insert(long);
template ostream &ostream::_M_insert(unsigned long);
template ostream &ostream::_M_insert(bool);
template ostream &ostream::_M_insert(long long);
template ostream &ostream::_M_insert(unsigned long long);
template ostream &ostream::_M_insert(double);
template ostream &ostream::_M_insert(long double);
template ostream &ostream::_M_insert(const void *);

}  // namespace std

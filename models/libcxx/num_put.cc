/* Numbers to text: num_put<char>.
 *
 * Written out instead of instantiated: the headers' version stores to the stream's width after each number, so that two threads that print
 * to std::cout would race, which the standard forbids. Here nothing is stored that has its value already. */
#include <stdio.h>
#include <string.h>

#include <string>

#include "facet.h"
#include "output.h"

namespace std {

namespace {

using put = num_put<char>;
using output = ostreambuf_iterator<char>;
using cache = __numpunct_cache<char>;

const cache *punctuation(const ios_base &io) {
  __use_cache<cache> use;
  return use(io._M_getloc());
}

/* `text` with separators between the digits [from, to) as the locale groups them. */
string grouped(const string &text, size_t from, size_t to, const cache *c) {
  string digits(2 * (to - from) + 1, '\0');
  char *end = __add_grouping(digits.data(), c->_M_thousands_sep, c->_M_grouping, c->_M_grouping_size, text.data() + from, text.data() + to);
  return text.substr(0, from) + digits.substr(0, static_cast<size_t>(end - digits.data())) + text.substr(to);
}

/* Writes `text`, padded to the stream's width; with ios_base::internal the padding goes behind its first `prefix` characters. */
output finish(output to, ios_base &io, char fill, const string &text, size_t prefix) {
  size_t width = io.width() > 0 ? static_cast<size_t>(io.width()) : 0;
  heddle::clear_width(io);
  if (text.size() >= width) return __write(to, text.data(), static_cast<int>(text.size()));
  const ios_base::fmtflags adjust = io.flags() & ios_base::adjustfield;
  size_t at = adjust == ios_base::left ? text.size() : adjust == ios_base::internal ? prefix : 0;
  string padded = text.substr(0, at) + string(width - text.size(), fill) + text.substr(at);
  return __write(to, padded.data(), static_cast<int>(padded.size()));
}

/* An integer as its sign (0: none) and magnitude. */
output put_integer(output to, ios_base &io, char fill, char sign, unsigned long long magnitude, ios_base::fmtflags flags) {
  const ios_base::fmtflags field = flags & ios_base::basefield;
  const unsigned base = field == ios_base::oct ? 8 : field == ios_base::hex ? 16 : 10;
  const char *atoms =
      __num_base::_S_atoms_out + ((flags & ios_base::uppercase) && base == 16 ? __num_base::_S_oudigits : __num_base::_S_odigits);
  char reversed[24];
  size_t n = 0;
  unsigned long long rest = magnitude;
  do reversed[n++] = atoms[rest % base];
  while ((rest /= base) != 0);

  string text;
  if (base == 10 && sign != 0) text += sign;
  const bool shows_base = (flags & ios_base::showbase) && magnitude != 0;
  if (base == 16 && shows_base) text += flags & ios_base::uppercase ? "0X" : "0x";
  const size_t prefix = text.size();
  while (n > 0) text += reversed[--n];
  const cache *c = punctuation(io);
  if (c->_M_use_grouping) text = grouped(text, prefix, text.size(), c);
  if (base == 8 && shows_base) text.insert(0, 1, '0');
  return finish(to, io, fill, text, prefix);
}

template <class T>
output put_signed(output to, ios_base &io, char fill, T value) {
  using magnitude = make_unsigned_t<T>;
  const ios_base::fmtflags field = io.flags() & ios_base::basefield;
  const bool decimal = field != ios_base::oct && field != ios_base::hex;
  char sign = value < 0 ? '-' : io.flags() & ios_base::showpos ? '+' : '\0';
  magnitude bits = static_cast<magnitude>(value);
  return put_integer(to, io, fill, sign, decimal && value < 0 ? static_cast<magnitude>(0) - bits : bits, io.flags());
}

/* printf's conversion that the stream's flags ask for. */
template <class T>
string printed(const ios_base &io, T value) {
  const ios_base::fmtflags flags = io.flags(), field = flags & ios_base::floatfield;
  const bool hex = field == (ios_base::fixed | ios_base::scientific), upper = flags & ios_base::uppercase;
  char format[12], *f = format;
  *f++ = '%';
  if (flags & ios_base::showpos) *f++ = '+';
  if (flags & ios_base::showpoint) *f++ = '#';
  if (!hex) *f++ = '.', *f++ = '*';
  if (sizeof(T) == sizeof(long double)) *f++ = 'L';
  const char conversion = hex ? 'a' : field == ios_base::fixed ? 'f' : field == ios_base::scientific ? 'e' : 'g';
  *f++ = upper ? static_cast<char>(conversion - 32) : conversion;
  *f = '\0';
  const int precision = io.precision() < 0 ? 6 : static_cast<int>(io.precision());
  auto print = [&](char *to, size_t n) { return hex ? snprintf(to, n, format, value) : snprintf(to, n, format, precision, value); };
  char small[64];
  const size_t size = static_cast<size_t>(print(small, sizeof small));
  if (size < sizeof small) return string(small, size);
  string text(size, '\0');
  print(text.data(), size + 1);
  return text;
}

template <class T>
output put_float(output to, ios_base &io, char fill, T value) {
  string text = printed(io, value);
  const size_t sign = text[0] == '-' || text[0] == '+';
  const bool hex = text.compare(sign, 2, "0x") == 0 || text.compare(sign, 2, "0X") == 0;
  const cache *c = punctuation(io);
  const size_t point = text.find('.');
  if (point != string::npos) text[point] = c->_M_decimal_point;
  size_t end = sign;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') end++;
  if (c->_M_use_grouping && !hex && end > sign) text = grouped(text, sign, end, c);
  return finish(to, io, fill, text, hex ? sign + 2 : sign);
}

}  // namespace

template <>
output put::do_put(output to, ios_base &io, char fill, long value) const {
  return put_signed(to, io, fill, value);
}
template <>
output put::do_put(output to, ios_base &io, char fill, long long value) const {
  return put_signed(to, io, fill, value);
}
template <>
output put::do_put(output to, ios_base &io, char fill, unsigned long value) const {
  return put_integer(to, io, fill, '\0', value, io.flags());
}
template <>
output put::do_put(output to, ios_base &io, char fill, unsigned long long value) const {
  return put_integer(to, io, fill, '\0', value, io.flags());
}
template <>
output put::do_put(output to, ios_base &io, char fill, double value) const {
  return put_float(to, io, fill, value);
}
template <>
output put::do_put(output to, ios_base &io, char fill, long double value) const {
  return put_float(to, io, fill, value);
}
template <>
output put::do_put(output to, ios_base &io, char fill, bool value) const {
  if (!(io.flags() & ios_base::boolalpha)) return put_signed(to, io, fill, static_cast<long>(value));
  const cache *c = punctuation(io);
  return finish(to, io, fill, value ? string(c->_M_truename, c->_M_truename_size) : string(c->_M_falsename, c->_M_falsename_size), 0);
}
template <>
output put::do_put(output to, ios_base &io, char fill, const void *value) const {
  const ios_base::fmtflags flags = (io.flags() & ~(ios_base::basefield | ios_base::uppercase)) | ios_base::hex | ios_base::showbase;
  return put_integer(to, io, fill, '\0', reinterpret_cast<uintptr_t>(value), flags);
}

template class num_put<char>;

extern "C" const void *const num_put_char_vtable[2] __asm__("_ZTVSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE");
extern "C" heddle::facet_head CLASSIC_FACET(num_put);
constinit heddle::facet_head __hd_classic_num_put = {num_put_char_vtable + 2, 1};

}  // namespace std

FACET_ACCESS(std::num_put<char>, heddle::FACET_NUM_PUT, std::__hd_classic_num_put)

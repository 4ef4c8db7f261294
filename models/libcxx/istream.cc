/* Input streams of char. */
#include <istream>

#include <limits>
#include <string>

namespace std {

namespace {

using traits = char_traits<char>;

/* Runs `read`, which returns what happened, and notes that in the stream, as formatted and unformatted input must. */
template <class Read>
void guarded(istream &in, bool keeps_spaces, ios_base::iostate unread, Read read) {
  ios_base::iostate state = ios_base::goodbit;
  istream::sentry ready(in, keeps_spaces);
  if (!ready) {
    in.setstate(unread);
    return;
  }
  try {
    state = read();
  } catch (__cxxabiv1::__forced_unwind &) {
    in._M_setstate(ios_base::badbit);
    throw;
  } catch (...) {
    in._M_setstate(ios_base::badbit);
  }
  if (state != ios_base::goodbit) in.setstate(state);
}

bool is_space(const ctype<char> &type, int c) { return type.is(ctype_base::space, traits::to_char_type(c)); }

}  // namespace

template <>
istream &istream::getline(char *to, streamsize n, char delimiter) {
  _M_gcount = 0;
  streamsize stored = 0;
  guarded(*this, true, ios_base::goodbit, [&] {
    streambuf *from = rdbuf();
    int c = from->sgetc();
    while (stored + 1 < n && c != traits::eof() && traits::to_char_type(c) != delimiter) {
      to[stored++] = traits::to_char_type(c);
      _M_gcount++;
      c = from->snextc();
    }
    ios_base::iostate state = ios_base::goodbit;
    if (c == traits::eof()) {
      state = ios_base::eofbit;
    } else if (traits::to_char_type(c) == delimiter) {
      from->sbumpc();
      _M_gcount++;
    } else {
      state = ios_base::failbit;
    }
    if (_M_gcount == 0) state |= ios_base::failbit;
    return state;
  });
  if (n > 0) to[stored] = '\0';
  if (_M_gcount == 0 && !fail()) setstate(ios_base::failbit);
  return *this;
}

template <>
istream &istream::ignore(streamsize n) {
  return n == 1 ? ignore() : ignore(n, traits::eof());
}

template <>
istream &istream::ignore(streamsize n, int delimiter) {
  _M_gcount = 0;
  if (n <= 0) return *this;
  const bool unlimited = n == numeric_limits<streamsize>::max();
  guarded(*this, true, ios_base::goodbit, [&] {
    streambuf *from = rdbuf();
    for (int c = from->sgetc(); c != traits::eof(); c = from->snextc()) {
      if (!unlimited && _M_gcount == n) return ios_base::goodbit;
      if (_M_gcount < numeric_limits<streamsize>::max()) _M_gcount++;
      if (c != delimiter) continue;
      from->sbumpc();
      return ios_base::goodbit;
    }
    return !unlimited && _M_gcount == n ? ios_base::goodbit : ios_base::eofbit;
  });
  return *this;
}

/* A word into an array of n characters. */
void __istream_extract(istream &in, char *to, streamsize n) {
  streamsize stored = 0;
  guarded(in, false, ios_base::goodbit, [&] {
    streamsize room = in.width() > 0 && in.width() < n ? in.width() : n;
    const ctype<char> &type = use_facet<ctype<char>>(in.getloc());
    streambuf *from = in.rdbuf();
    int c = from->sgetc();
    for (; stored + 1 < room && c != traits::eof() && !is_space(type, c); c = from->snextc()) to[stored++] = traits::to_char_type(c);
    ios_base::iostate state = ios_base::goodbit;
    if (c == traits::eof() && stored + 1 < room) state |= ios_base::eofbit;
    to[stored] = '\0';
    in.width(0);
    if (stored == 0) state |= ios_base::failbit;
    return state;
  });
}

template <>
istream &operator>>(istream &in, string &to) {
  guarded(in, false, ios_base::goodbit, [&] {
    to.clear();
    const size_t most = in.width() > 0 ? static_cast<size_t>(in.width()) : to.max_size();
    const ctype<char> &type = use_facet<ctype<char>>(in.getloc());
    streambuf *from = in.rdbuf();
    int c = from->sgetc();
    for (; to.size() < most && c != traits::eof() && !is_space(type, c); c = from->snextc()) to.push_back(traits::to_char_type(c));
    in.width(0);
    ios_base::iostate state = ios_base::goodbit;
    if (to.size() < most && c == traits::eof()) state |= ios_base::eofbit;
    if (to.empty()) state |= ios_base::failbit;
    return state;
  });
  return in;
}

template <>
istream &getline(istream &in, string &to, char delimiter) {
  guarded(in, true, ios_base::failbit, [&] {
    to.clear();
    streambuf *from = in.rdbuf();
    bool any = false;
    for (int c = from->sgetc(); c != traits::eof(); c = from->snextc()) {
      any = true;
      if (traits::to_char_type(c) == delimiter) {
        from->sbumpc();
        return ios_base::goodbit;
      }
      if (to.size() == to.max_size()) return ios_base::failbit;
      to.push_back(traits::to_char_type(c));
    }
    return any ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit;
  });
  return in;
}

template istream &getline(istream &, string &);
template class basic_istream<char>;
template class basic_iostream<char>;
template istream &ws(istream &);
template istream &operator>>(istream &, char &);
template istream &operator>>(istream &, unsigned char &);
template istream &operator>>(istream &, signed char &);
template istream &istream::_M_extract(unsigned short &);
template istream &istream::_M_extract(unsigned int &);
template istream &istream::_M_extract(long &);
template istream &istream::_M_extract(unsigned long &);
template istream &istream::_M_extract(bool &);
template istream &istream::_M_extract(long long &);
template istream &istream::_M_extract(unsigned long long &);
template istream &istream::_M_extract(float &);
template istream &istream::_M_extract(double &);
template istream &istream::_M_extract(long double &);
template istream &istream::_M_extract(void *&);

}  // namespace std

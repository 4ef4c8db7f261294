/* Stream buffers of char. */
#include <streambuf>

namespace std {

/* Moves characters until there are no more (then `at_end`) or `to` takes no more. Returns how many. */
template <>
streamsize __copy_streambufs_eof(streambuf *from, streambuf *to, bool &at_end) {
  const int end = char_traits<char>::eof();
  streamsize n = 0;
  at_end = true;
  for (int c = from->sgetc(); c != end; c = from->snextc(), n++) {
    if (to->sputc(char_traits<char>::to_char_type(c)) != end) continue;
    at_end = false;
    break;
  }
  return n;
}

template class basic_streambuf<char>;
template streamsize __copy_streambufs(streambuf *, streambuf *);

}  // namespace std

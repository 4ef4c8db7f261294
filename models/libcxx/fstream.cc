/* Streams over files: the headers' buffers over C's streams. */
#include <fstream>

#include <stdio.h>

namespace std {

/* C's mode; null if the combination means nothing ([filebuf.members]). */
static const char *mode_text(ios_base::openmode mode) {
  const bool in = mode & ios_base::in, out = mode & ios_base::out, trunc = mode & ios_base::trunc, app = mode & ios_base::app;
  if (trunc && (app || !out)) return nullptr;
  if (app) return in ? "a+b" : "ab";
  if (in) return !out ? "rb" : trunc ? "w+b" : "r+b";
  return out ? "wb" : nullptr;
}

__basic_file<char>::__basic_file(__c_lock *) noexcept : _M_cfile(nullptr), _M_cfile_created(false) {}
__basic_file<char>::~__basic_file() { close(); }

__basic_file<char> *__basic_file<char>::open(const char *name, ios_base::openmode mode, int) {
  const char *text = mode_text(mode);
  if (text == nullptr || is_open()) return nullptr;
  return sys_open(fopen(name, text), mode) != nullptr ? (_M_cfile_created = true, this) : nullptr;
}

__basic_file<char> *__basic_file<char>::sys_open(__c_file *file, ios_base::openmode) {
  if (file == nullptr || is_open()) return nullptr;
  _M_cfile = file;
  _M_cfile_created = false;
  return this;
}

__basic_file<char> *__basic_file<char>::sys_open(int fd, ios_base::openmode mode) noexcept {
  const char *text = mode_text(mode);
  if (text == nullptr || is_open()) return nullptr;
  return sys_open(fdopen(fd, text), mode) != nullptr ? (_M_cfile_created = true, this) : nullptr;
}

__basic_file<char> *__basic_file<char>::close() {
  if (!is_open()) return nullptr;
  int failed = _M_cfile_created ? fclose(_M_cfile) : 0;
  _M_cfile = nullptr;
  return failed == 0 ? this : nullptr;
}

bool __basic_file<char>::is_open() const noexcept { return _M_cfile != nullptr; }
int __basic_file<char>::fd() noexcept { return fileno(_M_cfile); }
__c_file *__basic_file<char>::file() noexcept { return _M_cfile; }

streamsize __basic_file<char>::xsputn(const char *bytes, streamsize n) {
  return static_cast<streamsize>(fwrite(bytes, 1, static_cast<size_t>(n), _M_cfile));
}
streamsize __basic_file<char>::xsputn_2(const char *first, streamsize n, const char *second, streamsize m) {
  streamsize written = xsputn(first, n);
  return written == n ? written + xsputn(second, m) : written;
}
streamsize __basic_file<char>::xsgetn(char *to, streamsize n) {
  size_t got = fread(to, 1, static_cast<size_t>(n), _M_cfile);
  return got == 0 && ferror(_M_cfile) ? -1 : static_cast<streamsize>(got);
}
streamoff __basic_file<char>::seekoff(streamoff offset, ios_base::seekdir from) noexcept {
  const int whence = from == ios_base::beg ? SEEK_SET : from == ios_base::cur ? SEEK_CUR : SEEK_END;
  return fseeko(_M_cfile, offset, whence) == 0 ? ftello(_M_cfile) : -1;
}
int __basic_file<char>::sync() { return fflush(_M_cfile); }
streamsize __basic_file<char>::showmanyc() { return 0; }

template class basic_filebuf<char>;
template class basic_ifstream<char>;
template class basic_ofstream<char>;
template class basic_fstream<char>;

}  // namespace std

/* std::cin, cout, cerr and clog: always in step with C's streams, without a buffer of their own.
 *
 * Their buffers have no state that output changes, so that threads may print at the same time, as the standard allows. <iostream> is
 * not included: it would define the objects' names as objects. */
#include <stdio.h>

#include <istream>
#include <new>
#include <ostream>

namespace std {

/* Room for an object that is constructed by hand. */
template <class T>
struct alignas(T) storage {
  char bytes[sizeof(T)];
};

namespace {

class output_buffer final : public streambuf {
 public:
  explicit output_buffer(FILE *f) : file(f) {}

 private:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    return putc(c, file);
  }
  streamsize xsputn(const char *text, streamsize n) override {
    return static_cast<streamsize>(fwrite(text, 1, static_cast<size_t>(n), file));
  }
  int sync() override { return fflush(file); }

  FILE *file;
};

class input_buffer final : public streambuf {
 public:
  explicit input_buffer(FILE *f) : file(f) {}

 private:
  int_type underflow() override {
    int c = getc(file);
    return c == EOF ? traits_type::eof() : ungetc(c, file);
  }
  int_type uflow() override { return last = getc(file); }
  streamsize xsgetn(char *to, streamsize n) override {
    size_t got = fread(to, 1, static_cast<size_t>(n), file);
    last = got > 0 ? static_cast<unsigned char>(to[got - 1]) : traits_type::eof();
    return static_cast<streamsize>(got);
  }
  int_type pbackfail(int_type c) override {
    int back = traits_type::eq_int_type(c, traits_type::eof()) ? last : c;
    last = traits_type::eof();
    return back == EOF ? traits_type::eof() : ungetc(back, file);
  }

  FILE *file;
  int_type last = traits_type::eof(); /* what was read last: it can be put back once */
};

storage<output_buffer> out_buffer, error_buffer;
storage<input_buffer> in_buffer;

}  // namespace

storage<istream> in_stream __asm__("_ZSt3cin");
storage<ostream> out_stream __asm__("_ZSt4cout");
storage<ostream> error_stream __asm__("_ZSt4cerr");
storage<ostream> log_stream __asm__("_ZSt4clog");

_Atomic_word ios_base::Init::_S_refcount;
bool ios_base::Init::_S_synced_with_stdio = true;

static ostream &make_output(storage<ostream> &stream, streambuf *buffer) {
  ostream &made = *new (&stream) ostream(buffer);
  made.fill(); /* from now on it is read only */
  return made;
}

/* Every file that includes <iostream> has one: the first to be constructed makes the streams. They are never destroyed. */
ios_base::Init::Init() {
  if (_S_refcount++ != 0) return;
  auto *to_output = new (&out_buffer) output_buffer(stdout);
  auto *to_error = new (&error_buffer) output_buffer(stderr);
  ostream &out = make_output(out_stream, to_output);
  ostream &error = make_output(error_stream, to_error);
  make_output(log_stream, to_error);
  istream &in = *new (&in_stream) istream(new (&in_buffer) input_buffer(stdin));
  in.tie(&out);
  error.setf(ios_base::unitbuf);
  error.tie(&out);
}

ios_base::Init::~Init() {
  if (--_S_refcount != 0) return;
  try {
    reinterpret_cast<ostream &>(out_stream).flush();
    reinterpret_cast<ostream &>(error_stream).flush();
    reinterpret_cast<ostream &>(log_stream).flush();
  } catch (...) {
  }
}

/* There is nothing to gain by losing step. */
bool ios_base::sync_with_stdio(bool sync) {
  bool before = Init::_S_synced_with_stdio;
  Init::_S_synced_with_stdio = sync;
  return before;
}

}  // namespace std

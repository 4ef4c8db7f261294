/* The state of streams that does not depend on their characters. */
#include <ios>

#include <limits.h>
#include <string.h>

#include <new>
#include <system_error>
#include <utility>

namespace std {

const ios_base::fmtflags ios_base::boolalpha, ios_base::dec, ios_base::fixed, ios_base::hex, ios_base::internal, ios_base::left,
    ios_base::oct, ios_base::right, ios_base::scientific, ios_base::showbase, ios_base::showpoint, ios_base::showpos, ios_base::skipws,
    ios_base::unitbuf, ios_base::uppercase, ios_base::adjustfield, ios_base::basefield, ios_base::floatfield;
const ios_base::iostate ios_base::badbit, ios_base::eofbit, ios_base::failbit, ios_base::goodbit;
const ios_base::openmode ios_base::app, ios_base::ate, ios_base::binary, ios_base::in, ios_base::out, ios_base::trunc;
const ios_base::seekdir ios_base::beg, ios_base::cur, ios_base::end;

ios_base::ios_base() noexcept
    : _M_precision(),
      _M_width(),
      _M_flags(),
      _M_exception(),
      _M_streambuf_state(),
      _M_callbacks(nullptr),
      _M_word_zero(),
      _M_word_size(_S_local_word_size),
      _M_word(_M_local_word) {}

ios_base::~ios_base() {
  _M_call_callbacks(erase_event);
  _M_dispose_callbacks();
  if (_M_word != _M_local_word) delete[] _M_word;
}

void ios_base::_M_init() noexcept {
  _M_precision = 6;
  _M_width = 0;
  _M_flags = skipws | dec;
  _M_ios_locale = locale();
}

locale ios_base::imbue(const locale &next) noexcept {
  locale old = _M_ios_locale;
  _M_ios_locale = next;
  _M_call_callbacks(imbue_event);
  return old;
}

int ios_base::xalloc() noexcept {
  static int given;
  return __atomic_add_fetch(&given, 1, __ATOMIC_RELAXED) + 3;
}

ios_base::_Words &ios_base::_M_grow_words(int i, bool is_iword) {
  _Words *larger = i >= 0 && i < INT_MAX ? new (nothrow) _Words[static_cast<size_t>(i) + 1] : nullptr;
  if (larger == nullptr) {
    _M_streambuf_state |= badbit;
    if (_M_streambuf_state & _M_exception) __throw_ios_failure("ios_base::_M_grow_words allocation failed");
    (is_iword ? _M_word_zero._M_iword : *reinterpret_cast<long *>(&_M_word_zero._M_pword)) = 0;
    return _M_word_zero;
  }
  for (int k = 0; k < _M_word_size; k++) larger[k] = _M_word[k];
  if (_M_word != _M_local_word) delete[] _M_word;
  _M_word = larger;
  _M_word_size = i + 1;
  return _M_word[i];
}

/* Copies of a stream's format share its list of callbacks, each entry counting the lists that lead to it beyond one. */
void ios_base::register_callback(event_callback function, int index) { _M_callbacks = new _Callback_list(function, index, _M_callbacks); }

void ios_base::_M_call_callbacks(event what) noexcept {
  for (_Callback_list *c = _M_callbacks; c != nullptr; c = c->_M_next) {
    try {
      c->_M_fn(what, *this, c->_M_index);
    } catch (...) {
    }
  }
}

void ios_base::_M_dispose_callbacks() noexcept {
  _Callback_list *c = _M_callbacks;
  while (c != nullptr && c->_M_remove_reference() == 0) {
    _Callback_list *next = c->_M_next;
    delete c;
    c = next;
  }
  _M_callbacks = nullptr;
}

void ios_base::_M_move(ios_base &other) noexcept {
  _M_precision = other._M_precision;
  _M_width = other._M_width;
  _M_flags = other._M_flags;
  _M_exception = other._M_exception;
  _M_streambuf_state = other._M_streambuf_state;
  _M_callbacks = exchange(other._M_callbacks, nullptr);
  if (_M_word != _M_local_word) delete[] _M_word;
  if (other._M_word == other._M_local_word) {
    _M_word = _M_local_word;
    _M_word_size = _S_local_word_size;
    for (int i = 0; i < _S_local_word_size; i++) _M_local_word[i] = exchange(other._M_local_word[i], _Words());
  } else {
    _M_word = exchange(other._M_word, other._M_local_word);
    _M_word_size = exchange(other._M_word_size, static_cast<int>(_S_local_word_size));
  }
  _M_ios_locale = other._M_ios_locale;
}

void ios_base::_M_swap(ios_base &other) noexcept {
  swap(_M_precision, other._M_precision);
  swap(_M_width, other._M_width);
  swap(_M_flags, other._M_flags);
  swap(_M_exception, other._M_exception);
  swap(_M_streambuf_state, other._M_streambuf_state);
  swap(_M_callbacks, other._M_callbacks);
  const bool mine = _M_word == _M_local_word, theirs = other._M_word == other._M_local_word;
  for (int i = 0; i < _S_local_word_size; i++) swap(_M_local_word[i], other._M_local_word[i]);
  swap(_M_word, other._M_word);
  if (theirs) _M_word = _M_local_word;
  if (mine) other._M_word = other._M_local_word;
  swap(_M_word_size, other._M_word_size);
  swap(_M_ios_locale, other._M_ios_locale);
}

/* --- failures --- */

namespace {

struct category final : error_category {
  const char *name() const noexcept override { return "iostream"; }
  string message(int code) const override { return code == static_cast<int>(io_errc::stream) ? "iostream error" : "Unknown error"; }
};
union lasting {
  category object;
  constexpr lasting() : object() {}
  ~lasting() {}
};
constinit lasting the_category;

}  // namespace

const error_category &iostream_category() noexcept { return the_category.object; }

ios_base::failure::failure(const string &text) : system_error(io_errc::stream, text) {}
ios_base::failure::failure(const string &text, const error_code &code) : system_error(code, text) {}
ios_base::failure::failure(const char *text, const error_code &code) : system_error(code, text) {}
ios_base::failure::~failure() noexcept {}
const char *ios_base::failure::what() const noexcept { return runtime_error::what(); }

void __throw_ios_failure(const char *text) { throw ios_base::failure(text); }
void __throw_ios_failure(const char *text, int code) { throw ios_base::failure(text, error_code(code, generic_category())); }

}  // namespace std

/* Errors of regular expressions; all else about them is in the headers. */
#include <regex>

namespace std {

static const char *text_of(regex_constants::error_type code) {
  static const char *const texts[] = {
      "regex_error(error_collate)", "regex_error(error_ctype)", "regex_error(error_escape)",    "regex_error(error_backref)",
      "regex_error(error_brack)",   "regex_error(error_paren)", "regex_error(error_brace)",     "regex_error(error_badbrace)",
      "regex_error(error_range)",   "regex_error(error_space)", "regex_error(error_badrepeat)", "regex_error(error_complexity)",
      "regex_error(error_stack)",
  };
  unsigned i = static_cast<unsigned>(code);
  return i < sizeof texts / sizeof *texts ? texts[i] : "regex error";
}

regex_error::regex_error(regex_constants::error_type code) : runtime_error(text_of(code)), _M_code(code) {}
regex_error::~regex_error() noexcept {}
void __throw_regex_error(regex_constants::error_type code) { throw regex_error(code); }

}  // namespace std

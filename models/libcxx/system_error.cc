/* Error codes and their categories. */
#include <system_error>

#include <string.h>

namespace std {
inline namespace _V2 {

error_category::~error_category() = default;
__cow_string error_category::_M_message(int code) const { return message(code); }
error_condition error_category::default_error_condition(int code) const noexcept { return error_condition(code, *this); }
bool error_category::equivalent(int code, const error_condition &condition) const noexcept {
  return default_error_condition(code) == condition;
}
bool error_category::equivalent(const error_code &code, int condition) const noexcept {
  return *this == code.category() && code.value() == condition;
}

}  // namespace _V2

error_condition error_code::default_error_condition() const noexcept { return category().default_error_condition(value()); }
system_error::~system_error() noexcept = default;

}  // namespace std

namespace {

struct generic : std::error_category {
  const char *name() const noexcept override { return "generic"; }
  std::string message(int code) const override { return strerror(code); }
};

/* On POSIX every system error has a portable meaning: errno's. */
struct system : std::error_category {
  const char *name() const noexcept override { return "system"; }
  std::string message(int code) const override { return strerror(code); }
  std::error_condition default_error_condition(int code) const noexcept override {
    return std::error_condition(code, std::generic_category());
  }
};

/* Constant objects: never constructed or destroyed at run time. */
template <class Category>
union lasting {
  Category category;
  constexpr lasting() : category() {}
  ~lasting() {}
};
constinit lasting<generic> the_generic;
constinit lasting<system> the_system;

}  // namespace

const std::error_category &std::_V2::generic_category() noexcept { return the_generic.category; }
const std::error_category &std::_V2::system_category() noexcept { return the_system.category; }

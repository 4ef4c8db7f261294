// Strings: members, conversions, errors; wide ones; views.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

template <class F>
static void fails(F f) {
  try {
    f();
    std::printf("no exception\n");
  } catch (const std::exception &e) {
    std::printf("%s\n", e.what());
  }
}

int main() {
  std::string s = "The quick brown fox";
  s += " jumps over";
  s.append(3, '!').insert(4, "very ").replace(0, 3, "A");
  std::printf("%s %zu %zu %zu\n", s.c_str(), s.size(), s.find("quick"), s.rfind('o'));
  std::printf("%zu %zu %d\n", s.find_first_of("xyz"), s.find_last_not_of("!"), s.compare("A"));
  s.erase(1, 5);
  s.resize(12, '.');
  s.shrink_to_fit();
  std::printf("%s %s\n", s.c_str(), s.substr(2, 5).c_str());
  std::string t = std::move(s);
  t.swap(s);
  std::printf("%d %s\n", s < "B", (s + t + 'c' + "d").c_str());
  std::printf("%s %s %s %s\n", std::to_string(-42).c_str(), std::to_string(3.25).c_str(), std::to_string(1ull << 63).c_str(),
              std::to_string(2.5L).c_str());
  std::printf("%d %ld %llu %g %g\n", std::stoi("12abc"), std::stol("-7f", nullptr, 16), std::stoull("99"), std::stod("2.5e3"),
              static_cast<double>(std::stof("0.5")));
  fails([] { std::stoi("none"); });
  fails([] { std::stoi("99999999999"); });
  fails([&] { (void)s.at(1000); });
  fails([&] { (void)s.substr(1000); });
  fails([&] { s.reserve(std::string().max_size() + 1); });
  fails([] { std::string broken(static_cast<const char *>(nullptr)); });
  std::wstring w = L"wide";
  w += L" text";
  std::printf("%zu %d %s\n", w.size(), w == L"wide text", std::to_wstring(7) == L"7" ? "7" : "?");
  std::u16string u = u"sixteen";
  u += u'!';
  std::u32string v(3, U'x');
  std::printf("%zu %zu\n", u.size(), v.size());
  std::string_view view = "hello world";
  view.remove_prefix(6);
  std::printf("%.*s %d\n", static_cast<int>(view.size()), view.data(), view.compare("world"));
  std::printf("%d\n", std::hash<std::string>()("abc") == std::hash<std::string_view>()("abc"));
  char buffer[32];
  auto [end, code] = std::to_chars(buffer, buffer + sizeof buffer, 1234567, 16);
  int back = 0;
  auto parsed = std::from_chars(buffer, end, back, 16);
  std::printf("%.*s %d %d %d\n", static_cast<int>(end - buffer), buffer, back, static_cast<int>(code), parsed.ptr == end);
  for (const char *text : {"2.75", "-1e300", "0x1p3", "1e999", "inf", "nonsense", "12.5e"}) {
    double d = -1;
    auto r = std::from_chars(text, text + std::strlen(text), d);
    std::printf("%g %d %ld; ", d, static_cast<int>(r.ec), static_cast<long>(r.ptr - text));
  }
  std::printf("\n");
  float f = 0;
  std::from_chars(buffer, buffer, f);
  for (double d : {0.1, 1e21, 123456.0, 1.0 / 3, -0.0, 5e-324}) {
    auto r = std::to_chars(buffer, buffer + sizeof buffer, d);
    std::printf("%.*s ", static_cast<int>(r.ptr - buffer), buffer);
    r = std::to_chars(buffer, buffer + sizeof buffer, d, std::chars_format::scientific, 3);
    std::printf("%.*s ", static_cast<int>(r.ptr - buffer), buffer);
  }
  std::printf("\n");
}

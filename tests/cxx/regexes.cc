// <regex>: it uses the facets of the classic locale.
#include <cstdio>
#include <regex>
#include <string>

int main() {
  std::regex pattern("([a-z]+)-(\\d+)|[[:upper:]]{2,}", std::regex::optimize);
  std::string text = "alpha-12 XY beta-7 Z gamma";
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    std::printf("%s/%s/%s ", it->str(0).c_str(), it->str(1).c_str(), it->str(2).c_str());
  std::printf("\n%s %d %d\n", std::regex_replace(text, pattern, "<$1>").c_str(), std::regex_match("ABC", std::regex("abc", std::regex::icase)),
              std::regex_search("a[b", std::regex("[[.left-square-bracket.]]")));
  try {
    std::regex broken("(unclosed");
  } catch (const std::regex_error &e) {
    std::printf("%d\n", e.code() == std::regex_constants::error_paren);
  }
}

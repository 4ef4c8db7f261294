/* Names for mangled symbols and types (Itanium C++ ABI 5.1): __cxa_demangle.
 *
 * Covers names, types, templates with literal arguments, functions, operators, lambdas, constructors. Not covered, and refused with
 * status -2: expressions in template arguments, decltype, vendor extensions. Text is spaced as libiberty does it. */
#include <cxxabi.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <vector>

namespace {

struct refused {};

/* A type's text around the place where a declared name would stand: "int (*" and ")[3]". */
struct type_text {
  std::string left, right;
  bool is_declarator = false; /* function or array: a pointer to it needs parentheses */
  std::string whole() const { return left + right; }
};

struct builtin {
  char code;
  const char *name;
};
const builtin builtins[] = {
    {'v', "void"},        {'w', "wchar_t"},
    {'b', "bool"},        {'c', "char"},
    {'a', "signed char"}, {'h', "unsigned char"},
    {'s', "short"},       {'t', "unsigned short"},
    {'i', "int"},         {'j', "unsigned int"},
    {'l', "long"},        {'m', "unsigned long"},
    {'x', "long long"},   {'y', "unsigned long long"},
    {'n', "__int128"},    {'o', "unsigned __int128"},
    {'f', "float"},       {'d', "double"},
    {'e', "long double"}, {'g', "__float128"},
    {'z', "..."},
};
const builtin extended_builtins[] = {
    {'n', "decltype(nullptr)"}, {'i', "char32_t"}, {'s', "char16_t"}, {'u', "char8_t"}, {'a', "auto"}, {'c', "decltype(auto)"},
};

struct code_text {
  char code[3];
  const char *text;
};
const code_text operators[] = {
    {"nw", " new"}, {"na", " new[]"}, {"dl", " delete"}, {"da", " delete[]"}, {"ps", "+"},   {"ng", "-"},   {"ad", "&"},  {"de", "*"},
    {"co", "~"},    {"pl", "+"},      {"mi", "-"},       {"ml", "*"},         {"dv", "/"},   {"rm", "%"},   {"an", "&"},  {"or", "|"},
    {"eo", "^"},    {"aS", "="},      {"pL", "+="},      {"mI", "-="},        {"mL", "*="},  {"dV", "/="},  {"rM", "%="}, {"aN", "&="},
    {"oR", "|="},   {"eO", "^="},     {"ls", "<<"},      {"rs", ">>"},        {"lS", "<<="}, {"rS", ">>="}, {"eq", "=="}, {"ne", "!="},
    {"lt", "<"},    {"gt", ">"},      {"le", "<="},      {"ge", ">="},        {"ss", "<=>"}, {"nt", "!"},   {"aa", "&&"}, {"oo", "||"},
    {"pp", "++"},   {"mm", "--"},     {"cm", ","},       {"pm", "->*"},       {"pt", "->"},  {"cl", "()"},  {"ix", "[]"},
};
const code_text abbreviations[] = {
    {"Sa", "std::allocator"}, {"Sb", "std::basic_string"}, {"Ss", "std::string"},
    {"Si", "std::istream"},   {"So", "std::ostream"},      {"Sd", "std::iostream"},
};

class demangler {
 public:
  explicit demangler(const char *text) : at(text) {}

  std::string symbol() {
    std::string text = encoding();
    if (*at != '\0' && *at != '.') throw refused();
    return text;
  }
  std::string lone_type() {
    std::string text = type().whole();
    if (*at != '\0') throw refused();
    return text;
  }

 private:
  struct name_text {
    std::string text, last; /* last: the innermost name without template arguments: what constructors are called */
    std::string after;      /* qualifiers of a member function */
    bool is_template = false, has_result = true;
  };

  bool take(const char *expected) {
    size_t n = strlen(expected);
    if (strncmp(at, expected, n) != 0) return false;
    at += n;
    return true;
  }
  void need(const char *expected) {
    if (!take(expected)) throw refused();
  }
  bool digit() const { return *at >= '0' && *at <= '9'; }
  size_t number() {
    if (!digit()) throw refused();
    return strtoul(at, const_cast<char **>(&at), 10);
  }
  /* "_" is 0, "0_" is 1, "1_" is 2 ..; base 36 for substitutions. */
  size_t sequence(int base) {
    if (take("_")) return 0;
    char *end;
    size_t n = strtoul(at, &end, base);
    if (end == at) throw refused();
    at = end;
    need("_");
    return n + 1;
  }

  std::string source_name() {
    size_t n = number();
    if (strnlen(at, n) < n) throw refused();
    std::string name(at, n);
    at += n;
    return name.compare(0, 10, "_GLOBAL__N") == 0 ? "(anonymous namespace)" : name;
  }

  std::string parameters(char end) {
    std::string text = "(";
    bool first = true;
    if (take("v")) {
      first = false;
    } else {
      while (*at != end && *at != '\0' && *at != '.') {
        if (!first) text += ", ";
        first = false;
        text += type().whole();
      }
    }
    return text + ")";
  }

  std::string closure() {
    if (take("Ut")) return "{unnamed type#" + std::to_string(sequence(10) + 1) + "}";
    need("Ul");
    std::string text = "{lambda" + parameters('E');
    need("E");
    return text + "#" + std::to_string(sequence(10) + 1) + "}";
  }

  std::string unqualified(name_text *name) {
    std::string text;
    if (take("L")) return unqualified(name);
    if (digit()) {
      text = name->last = source_name();
    } else if (*at == 'U') {
      text = name->last = closure();
    } else if (*at == 'C' || (*at == 'D' && at[1] >= '0' && at[1] <= '9')) {
      text = (*at == 'D' ? "~" : "") + name->last;
      at += 2;
      name->has_result = false;
    } else if (take("cv")) {
      text = "operator " + type().whole();
      name->has_result = false;
    } else if (take("li")) {
      text = "operator\"\" " + source_name();
    } else {
      for (const code_text &o : operators) {
        if (!take(o.code)) continue;
        text = std::string("operator") + o.text;
        break;
      }
      if (text.empty()) throw refused();
    }
    while (take("B")) text += "[abi:" + source_name() + "]";
    return text;
  }

  std::string literal() {
    if (take("_Z")) {
      std::string text = encoding();
      need("E");
      return text;
    }
    char code = *at;
    std::string of = type().whole(), value;
    bool negative = take("n");
    while (digit()) value += *at++;
    need("E");
    if (code == 'b' && (value == "0" || value == "1")) return value == "1" ? "true" : "false";
    if (negative) value = "-" + value;
    const char *suffix = code == 'i'   ? ""
                         : code == 'j' ? "u"
                         : code == 'l' ? "l"
                         : code == 'm' ? "ul"
                         : code == 'x' ? "ll"
                         : code == 'y' ? "ull"
                                       : nullptr;
    return suffix != nullptr ? value + suffix : "(" + of + ")" + value;
  }

  /* After "I" or "J". */
  std::string arguments(bool remember) {
    std::vector<std::string> list;
    std::string text;
    bool first = true;
    while (!take("E")) {
      std::string one;
      bool empty_pack = false;
      if (take("L")) {
        one = literal();
      } else if (take("J")) {
        one = arguments(false);
        empty_pack = one.empty();
      } else if (*at == 'X') {
        throw refused();
      } else {
        one = type().whole();
      }
      if (remember) list.push_back(one);
      if (empty_pack) continue;
      if (!first) text += ", ";
      first = false;
      text += one;
    }
    if (remember) template_arguments = list;
    return text;
  }
  std::string template_suffix() {
    std::string text = arguments(true);
    return (!text.empty() && text.back() == '>' ? "<" + text + " >" : "<" + text + ">");
  }

  /* After "S" that does not begin "St": a text met before, or an abbreviation. */
  std::string substitution() {
    for (const code_text &a : abbreviations) {
      if (!take(a.code)) continue;
      return a.text;
    }
    need("S");
    size_t i = sequence(36);
    if (i >= substitutions.size()) throw refused();
    return substitutions[i].whole();
  }
  static std::string last_part(const std::string &text) {
    size_t colon = text.rfind("::");
    return colon == std::string::npos ? text : text.substr(colon + 2);
  }
  void remember(const std::string &text) { substitutions.push_back({text, "", false}); }

  void nested(name_text *name) {
    std::string qualifiers;
    for (;;) {
      if (take("r"))
        qualifiers += " restrict";
      else if (take("V"))
        qualifiers += " volatile";
      else if (take("K"))
        qualifiers += " const";
      else
        break;
    }
    if (take("R"))
      qualifiers += " &";
    else if (take("O"))
      qualifiers += " &&";
    name->after = qualifiers;
    while (!take("E")) {
      if (*at == 'I') {
        at++;
        name->text += template_suffix();
        name->is_template = true;
        if (*at != 'E') remember(name->text);
        continue;
      }
      name->is_template = false;
      if (take("St")) {
        name->text = "std";
        continue;
      }
      if (*at == 'S') {
        name->text = substitution();
        name->last = last_part(name->text.substr(0, name->text.find('<')));
        continue;
      }
      if (*at == 'T') {
        name->text = template_parameter();
        remember(name->text);
        continue;
      }
      std::string part = unqualified(name);
      name->text += name->text.empty() ? part : "::" + part;
      if (*at != 'E') remember(name->text);
    }
  }

  name_text name() {
    name_text n;
    if (take("N")) {
      nested(&n);
      return n;
    }
    if (take("Z")) {
      std::string function = encoding();
      need("E");
      if (take("s")) {
        n.text = function + "::string literal";
      } else {
        if (take("d")) sequence(10);
        name_text inner = name();
        n = inner;
        n.text = function + "::" + inner.text;
      }
      if (take("_") && !take("_")) number();
      return n;
    }
    bool known = false;
    if (take("St")) {
      n.text = "std::" + unqualified(&n);
    } else if (*at == 'S') {
      n.text = substitution();
      known = true;
    } else {
      n.text = unqualified(&n);
    }
    if (*at == 'I') {
      if (!known) remember(n.text);
      at++;
      n.text += template_suffix();
      n.is_template = true;
    }
    return n;
  }

  std::string template_parameter() {
    need("T");
    size_t i = sequence(10);
    if (i >= template_arguments.size()) throw refused();
    return template_arguments[i];
  }

  type_text function_type() {
    take("Y");
    type_text result = type();
    std::string text = parameters('E');
    need("E");
    return {result.left + " ", text + result.right, true};
  }

  type_text pointed(const char *sign) {
    type_text to = type();
    const bool reference = to.left.size() > 1 && to.left.back() == '&' && to.right.empty();
    if (to.is_declarator)
      to = {to.left + "(" + sign, (to.right[0] == '[' ? ") " : ")") + to.right, false};
    else if (!reference || *sign != '&')
      to.left += sign;
    else if (sign[1] == '\0' && to.left[to.left.size() - 2] == '&')
      to.left.pop_back(); /* && and & give & */
    substitutions.push_back(to);
    return to;
  }

  type_text qualified(const char *qualifier) {
    type_text of = type();
    if (of.is_declarator)
      of.right += qualifier;
    else
      of.left += qualifier;
    substitutions.push_back(of);
    return of;
  }

  type_text array() {
    std::string count;
    while (digit()) count += *at++;
    need("_");
    type_text of = type();
    bool nested = of.is_declarator && of.right[0] == '['; /* an array of arrays: the outer bound comes first */
    type_text text = {nested ? of.left : of.left + " ", "[" + count + "]" + of.right, true};
    substitutions.push_back(text);
    return text;
  }

  type_text member_pointer() {
    std::string of = type().whole();
    type_text member = type();
    type_text text = member.is_declarator ? type_text{member.left + "(" + of + "::*", ")" + member.right, false}
                                          : type_text{member.left + " " + of + "::*", member.right, false};
    substitutions.push_back(text);
    return text;
  }

  /* cv-qualifiers are one component: "VK" is " volatile const" written after the type, const first. */
  type_text qualifiers() {
    bool is_restrict = take("r"), is_volatile = take("V"), is_const = take("K");
    std::string text;
    if (is_const) text += " const";
    if (is_volatile) text += " volatile";
    if (is_restrict) text += " restrict";
    return qualified(text.c_str());
  }

  type_text extended() {
    need("D");
    if (take("p")) return type();
    if (take("o")) {
      need("F");
      type_text text = function_type();
      text.right += " noexcept";
      substitutions.push_back(text);
      return text;
    }
    for (const builtin &b : extended_builtins) {
      if (*at != b.code) continue;
      at++;
      return {b.name, "", false};
    }
    throw refused();
  }

  type_text class_type() {
    bool whole_substitution = *at == 'S' && at[1] != 't';
    name_text n = name();
    if (!whole_substitution || n.is_template) remember(n.text);
    return {n.text, "", false};
  }

  type_text type() {
    if (++depth > 200) throw refused();
    type_text text = any_type();
    depth--;
    return text;
  }

  type_text any_type() {
    for (const builtin &b : builtins) {
      if (*at != b.code) continue;
      at++;
      return {b.name, "", false};
    }
    switch (*at) {
      case 'P':
        at++;
        return pointed("*");
      case 'R':
        at++;
        return pointed("&");
      case 'O':
        at++;
        return pointed("&&");
      case 'r':
      case 'V':
      case 'K':
        return qualifiers();
      case 'A':
        at++;
        return array();
      case 'M':
        at++;
        return member_pointer();
      case 'F': {
        at++;
        type_text text = function_type();
        substitutions.push_back(text);
        return text;
      }
      case 'D':
        return extended();
      case 'T': {
        std::string text = template_parameter();
        remember(text);
        return {text, "", false};
      }
      case 'S': {
        if (at[1] == 't') return class_type();
        const char *start = at;
        std::string found = substitution();
        if (*at != 'I') {
          at = start;
          if (at[1] == '_' || (at[1] >= '0' && at[1] <= '9') || (at[1] >= 'A' && at[1] <= 'Z')) {
            at++;
            return substitutions[sequence(36)];
          }
          return {substitution(), "", false};
        }
        at = start;
        return class_type();
      }
      default:
        if (digit() || *at == 'N' || *at == 'Z' || *at == 'U') return class_type();
        throw refused();
    }
  }

  std::string special() {
    if (take("TV")) return "vtable for " + type().whole();
    if (take("TI")) return "typeinfo for " + type().whole();
    if (take("TS")) return "typeinfo name for " + type().whole();
    if (take("TT")) return "VTT for " + type().whole();
    if (take("GV")) return "guard variable for " + name().text;
    return "";
  }

  std::string encoding() {
    std::string text = special();
    if (!text.empty()) return text;
    name_text n = name();
    if (*at == '\0' || *at == 'E' || *at == '.') return n.text + n.after;
    type_text result;
    bool has_result = n.is_template && n.has_result;
    if (has_result) result = type();
    text = n.text + parameters('E') + n.after;
    if (has_result) text = result.left + (result.right.empty() ? " " : "") + text + result.right;
    return text;
  }

  const char *at;
  int depth = 0;
  std::vector<type_text> substitutions;
  std::vector<std::string> template_arguments;
};

char *fail(int *status, int code) {
  if (status != nullptr) *status = code;
  return nullptr;
}

}  // namespace

extern "C" char *__cxxabiv1::__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status) {
  if (mangled == nullptr || (buffer != nullptr && length == nullptr)) return fail(status, -3);
  std::string text;
  try {
    text = strncmp(mangled, "_Z", 2) == 0 ? demangler(mangled + 2).symbol() : demangler(mangled).lone_type();
  } catch (const refused &) {
    return fail(status, -2);
  }
  size_t needed = text.size() + 1;
  if (buffer == nullptr || *length < needed) {
    char *larger = static_cast<char *>(realloc(buffer, needed));
    if (larger == nullptr) return fail(status, -1);
    buffer = larger;
    if (length != nullptr) *length = needed;
  }
  memcpy(buffer, text.c_str(), needed);
  if (status != nullptr) *status = 0;
  return buffer;
}

// abi::__cxa_demangle: names of every kind that it covers, wrong ones, and the caller's buffer.
#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

namespace space {
template <class T, int N = 3>
struct inner {
  template <class... U>
  struct pack {};
};
enum class color { red };
}  // namespace space

static void show(const char *name) {
  int status;
  char *text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::printf("%d %s\n", status, text != nullptr ? text : "-");
  std::free(text);
}

int main() {
  auto lambda = [](int, const char *) {};
  for (const std::type_info *type : {&typeid(int), &typeid(const volatile char **), &typeid(unsigned __int128), &typeid(long double[3][4]), &typeid(int (*)(double, ...)),
                                     &typeid(int (std::string::*)(char) const), &typeid(int std::string::*), &typeid(std::map<std::string, std::vector<int>>),
                                     &typeid(space::inner<bool, -7>::pack<int, std::string &, void()>), &typeid(space::inner<space::color>::pack<>), &typeid(lambda),
                                     &typeid(std::function<std::unique_ptr<int>(int (&)[2], int &&)>), &typeid(decltype(nullptr)), &typeid(char32_t), &typeid(int (*(*)[2])(int))})
    show(type->name());
  for (const char *name :
       {"_Z1fv", "_Z3fooiPKc", "_ZN5space5innerIbLi3EE3runEv", "_ZNK3one3two5threeERKS0_S2_", "_ZN3fooC1Ei", "_ZN3fooD2Ev", "_ZN3fooplERKS_", "_ZN3foocvbEv", "_ZN3foonwEm",
        "_ZTV3foo", "_ZTIN1a1bE", "_ZGVZ4mainE1x", "_ZN12_GLOBAL__N_13fooEv", "_ZZ4mainENKUlvE_clEv", "_Z3maxIiET_S0_S0_", "_ZN1aB3tagEv", "_ZSt4cout", "_ZNSt6vectorIiSaIiEE9push_backEOi",
        "_Z1fPFivE", "_Z1fM1AFvvE", "", "_Z", "_ZN3foo", "_Z99foo", "not a name", "_ZS_", "_Z1fT_"})
    show(name);
  size_t length = 4;
  char *buffer = static_cast<char *>(std::malloc(length));
  int status;
  buffer = abi::__cxa_demangle("_ZN4long4nameEv", buffer, &length, &status);
  std::printf("%d %s %d\n", status, buffer, length >= std::strlen(buffer) + 1);
  std::free(buffer);
  char given[4];
  abi::__cxa_demangle("_Z1fv", given, nullptr, &status);
  std::printf("%d\n", status);
}

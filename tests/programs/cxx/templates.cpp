// output: native
// Templates, lambdas, std::function, optional, variant, tuple, move semantics, operators, static initialisation order in one file.
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

template <typename T, int N>
struct matrix {
  T cell[N][N]{};
  matrix operator*(const matrix &o) const {
    matrix r;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++) r.cell[i][j] += cell[i][k] * o.cell[k][j];
    return r;
  }
};

struct counted {
  static int copies, moves;
  counted() = default;
  counted(const counted &) { copies++; }
  counted(counted &&) noexcept { moves++; }
};
int counted::copies, counted::moves;

template <typename... T>
static auto sum(T... values) {
  return (values + ... + 0);
}

struct visitor {
  std::string operator()(int n) const { return "int " + std::to_string(n); }
  std::string operator()(const std::string &s) const { return "string " + s; }
};

static std::optional<int> half(int n) { return n % 2 ? std::nullopt : std::optional<int>(n / 2); }
static int initial = sum(1, 2, 3);
static std::vector<std::string> table{"a", "b", std::string(40, 'c')};

int main() {
  matrix<long, 3> m;
  for (int i = 0; i < 9; i++) m.cell[i / 3][i % 3] = i;
  m = m * m;
  std::printf("%ld %ld\n", m.cell[0][0], m.cell[2][2]);
  std::vector<counted> v;
  for (int i = 0; i < 5; i++) v.emplace_back();
  counted c = v[0], d = std::move(v[1]);
  (void)c;
  (void)d;
  std::printf("%d %d %zu\n", counted::copies, counted::moves > 0, v.size());
  int factor = 3;
  std::function<int(int)> f = [&factor](int x) { return x * factor; };
  factor = 5;
  std::printf("%d %d %g\n", f(4), sum(1, 2, 3, 4), sum(0.5, 1));
  std::variant<int, std::string> x = 7;
  std::printf("%s ", std::visit(visitor{}, x).c_str());
  x = std::string("seven");
  std::printf("%s\n", std::visit(visitor{}, x).c_str());
  auto [a, b, s] = std::make_tuple(1, 2.5, "three");
  std::printf("%d %g %s %d %d\n", a, b, s, half(8).value_or(-1), half(7).value_or(-1));
  std::printf("%d %zu %zu\n", initial, table.size(), table[2].size());
  return 0;
}

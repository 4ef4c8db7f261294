// Throwing and catching: matching, nesting, rethrowing, exception_ptr, noexcept queries, constructors and destructors.
#include <any>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>
#include <variant>
#include <vector>

struct base {
  virtual ~base() { std::printf("~%s ", name()); }
  virtual const char *name() const { return "base"; }
};
struct other {
  int padding = 1;
  virtual ~other() = default;
};
struct left : virtual base {};
struct right : virtual base {};
struct both : other, left, right {
  const char *name() const override { return "both"; }
};
struct hidden : private base {};

template <class T>
static void catches(T value) {
  try {
    throw value;
  } catch (int i) {
    std::printf("int %d\n", i);
  } catch (const char *s) {
    std::printf("text %s\n", s);
  } catch (const base &b) {
    std::printf("base& %s\n", b.name());
  } catch (const base *b) {
    std::printf("base* %s\n", b != nullptr ? b->name() : "null");
  } catch (void *) {
    std::printf("void*\n");
  } catch (const std::exception &e) {
    std::printf("std %s\n", e.what());
  } catch (...) {
    std::printf("something\n");
  }
}

struct noisy {
  int id;
  explicit noisy(int i) : id(i) {
    if (i == 3) throw std::runtime_error("three");
  }
  ~noisy() { std::printf("~%d(%d) ", id, std::uncaught_exceptions()); }
};

static void nest(int depth) {
  noisy guard(depth + 10);
  try {
    if (depth == 0) throw std::logic_error("bottom");
    nest(depth - 1);
  } catch (const std::exception &e) {
    std::throw_with_nested(std::runtime_error("level " + std::to_string(depth)));
  }
}
static void unwrap(const std::exception &e) {
  std::printf("%s; ", e.what());
  try {
    std::rethrow_if_nested(e);
  } catch (const std::exception &inner) {
    unwrap(inner);
  }
}

static void rethrows() {
  try {
    try {
      throw both();
    } catch (left &l) {
      std::printf("left %s ", l.name());
      try {
        throw;
      } catch (other &o) {
        std::printf("other %d ", o.padding);
        throw;
      }
    }
  } catch (right &r) {
    std::printf("right %s ", r.name());
  }
  std::printf("%d\n", std::uncaught_exceptions());
}

static void pointers() {
  std::exception_ptr p = std::make_exception_ptr(std::out_of_range("made")), q;
  for (int i = 0; i < 2; i++) {
    try {
      std::rethrow_exception(p);
    } catch (const std::logic_error &e) {
      q = std::current_exception();
      std::printf("%s %d ", e.what(), p == q);
    }
  }
  try {
    throw both();
  } catch (...) {
    q = std::current_exception();
  }
  p = nullptr;
  try {
    std::rethrow_exception(q);
  } catch (base &b) {
    std::printf("%s ", b.name());
  }
  q = nullptr;
  std::printf("%d\n", !q);
}

static int function_block(int i) try {
  if (i > 1) throw i;
  return 0;
} catch (int j) {
  return j * 2;
}

template <class F>
static void what(F f) {
  try {
    f();
  } catch (const std::exception &e) {
    std::printf("%s\n", e.what());
  }
}

int main() {
  catches(7);
  catches("seven");
  catches(both());
  both object;
  catches(&object);
  catches(static_cast<left *>(&object));
  catches(static_cast<base *>(nullptr));
  int i = 0;
  catches(&i);
  catches(hidden());
  catches(2.5);
  catches(nullptr);
  catches(std::bad_alloc());
  catches(std::system_error(std::make_error_code(std::errc::invalid_argument), "call"));
  try {
    std::vector<std::unique_ptr<noisy>> all;
    for (int n = 0; n < 5; n++) all.push_back(std::make_unique<noisy>(n));
  } catch (const std::runtime_error &e) {
    std::printf("%s\n", e.what());
  }
  try {
    nest(2);
  } catch (const std::exception &e) {
    unwrap(e);
    std::printf("\n");
  }
  rethrows();
  pointers();
  std::printf("%d\n", function_block(21));
  what([] { std::any_cast<int>(std::any(2.5)); });
  what([] { std::optional<int>().value(); });
  what([] { std::get<int>(std::variant<int, double>(2.5)); });
  what([] { std::function<void()>()(); });
  what([] { std::shared_ptr<int>(std::weak_ptr<int>()); });
  what([] {
    base b;
    (void)dynamic_cast<both &>(b);
  });
  what([] {
    base *b = nullptr;
    (void)typeid(*b);
  });
  what([] {
    volatile long n = -1;
    int *volatile array = new int[static_cast<size_t>(n)];
    delete[] array;
  });
  what([] { throw std::overflow_error("copied"); });
  what([] { throw std::range_error(std::string("a text")); });
  std::runtime_error a("a"), b("b");
  a = b;
  std::runtime_error c(std::move(a));
  std::printf("%s %s\n", c.what(), b.what());
  std::error_code code(2, std::system_category());
  std::printf("%s %s %d %s\n", code.category().name(), code.message().c_str(), code == std::errc::no_such_file_or_directory,
              code.default_error_condition().category().name());
}

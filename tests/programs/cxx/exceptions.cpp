// output: native
// Exceptions: by value and reference, hierarchy, rethrow, destructors on the way, from constructors, nested, noexcept(false).
#include <cstdio>
#include <stdexcept>
#include <string>

struct trace {
  const char *name;
  explicit trace(const char *n) : name(n) { std::printf("+%s ", n); }
  ~trace() { std::printf("-%s ", name); }
};

struct base {
  virtual ~base() = default;
  virtual int code() const { return 1; }
};
struct derived : base {
  int code() const override { return 2; }
};
struct other {};

static void fail(int kind) {
  trace t("fail");
  switch (kind) {
    case 0: throw 42;
    case 1: throw derived();
    case 2: throw std::runtime_error("runtime");
    case 3: throw std::out_of_range(std::string("range"));
    case 4: throw other();
    case 5: throw "text";
    default: break;
  }
}

struct member {
  trace first{"first"};
  member(bool bad) {
    if (bad) throw std::logic_error("constructor");
  }
  ~member() { std::printf("~member "); }
};

static int guarded(int kind) {
  trace t("guarded");
  try {
    trace inner("inner");
    fail(kind);
  } catch (int n) {
    return n;
  } catch (const base &b) {
    return b.code();
  } catch (const std::out_of_range &) {
    throw;
  } catch (const std::exception &e) {
    std::printf("[%s] ", e.what());
    return 3;
  }
  return 0;
}

int main() {
  for (int kind = 0; kind < 7; kind++) {
    try {
      std::printf("%d\n", guarded(kind));
    } catch (const std::exception &e) {
      std::printf("outer %s\n", e.what());
    } catch (const char *s) {
      std::printf("outer text %s\n", s);
    } catch (...) {
      std::printf("outer unknown\n");
    }
  }
  try {
    member good(false);
    member bad(true);
  } catch (const std::logic_error &e) {
    std::printf("%s\n", e.what());
  }
  try {
    try {
      throw 1;
    } catch (int) {
      throw 2.5;
    }
  } catch (double d) {
    std::printf("%g %d\n", d, std::uncaught_exceptions());
  }
  try {
    std::string("abc").at(10);
  } catch (const std::out_of_range &) {
    std::printf("at\n");
  }
  return 0;
}

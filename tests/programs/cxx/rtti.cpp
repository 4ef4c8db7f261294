// output: native
// Virtual functions, multiple and virtual inheritance, dynamic_cast, typeid, virtual destructors, member pointers.
#include <cstdio>
#include <memory>
#include <typeinfo>

struct animal {
  virtual ~animal() { std::printf("~animal "); }
  virtual const char *name() const = 0;
};
struct swimmer {
  virtual ~swimmer() { std::printf("~swimmer "); }
  virtual int depth() const { return 1; }
  int pool = 7;
};
struct duck : animal, swimmer {
  ~duck() override { std::printf("~duck "); }
  const char *name() const override { return "duck"; }
  int depth() const override { return 2; }
};
struct dog : animal {
  const char *name() const override { return "dog"; }
};
struct root {
  int id;
  explicit root(int i) : id(i) {}
  virtual ~root() = default;
};
struct left : virtual root {
  left() : root(1) {}
};
struct right : virtual root {
  right() : root(2) {}
};
struct diamond : left, right {
  diamond() : root(3) {}
};

int main() {
  std::unique_ptr<animal> zoo[] = {std::make_unique<duck>(), std::make_unique<dog>()};
  for (auto &a : zoo) {
    auto *s = dynamic_cast<swimmer *>(a.get());
    std::printf("%s %d %d %d\n", a->name(), s != nullptr, s ? s->depth() + s->pool : 0, typeid(*a) == typeid(duck));
  }
  swimmer *s = static_cast<duck *>(zoo[0].get());
  std::printf("%s\n", dynamic_cast<animal &>(*s).name());
  try {
    (void)dynamic_cast<swimmer &>(*zoo[1]);
  } catch (const std::bad_cast &) {
    std::printf("bad cast\n");
  }
  diamond d;
  root &r = d;
  std::printf("%d %d %d\n", d.id, dynamic_cast<right &>(r).id, dynamic_cast<left *>(&r) == static_cast<left *>(&d));
  int (swimmer::*depth)() const = &swimmer::depth;
  int swimmer::*pool = &swimmer::pool;
  std::printf("%d %d\n", (s->*depth)(), s->*pool);
  zoo[0].reset();
  zoo[1].reset();
  std::printf("\n");
  return 0;
}

// dynamic_cast and typeid over every shape of hierarchy.
#include <cstdio>
#include <map>
#include <typeindex>
#include <typeinfo>

struct A { virtual ~A() {} int a = 1; };
struct B : A { int b = 2; };
struct C : A { int c = 3; };
struct D : B, C { int d = 4; };           // two As
struct V1 : virtual A { int v1 = 5; };
struct V2 : virtual A { int v2 = 6; };
struct W : V1, V2 { int w = 7; };         // one A
struct X : W, B { int x = 8; };           // a virtual A and a plain one
struct P : private A { int p = 9; A *mine() { return this; } };
struct Q : P, C { int q = 10; };
struct Deep : X { virtual void more() {} };
struct Unrelated { virtual ~Unrelated() {} };
struct Mixed : Unrelated, protected V1, public V2 {};

template <class T>
static void to(const char *name, A *a) {
  T *t = dynamic_cast<T *>(a);
  std::printf("%s%s%ld ", name, t ? "+" : "-", t ? static_cast<long>(reinterpret_cast<char *>(t) - static_cast<char *>(dynamic_cast<void *>(a))) : 0L);
}
static void all(const char *from, A *a) {
  std::printf("%s is %s: ", from, typeid(*a).name());
  to<A>("A", a), to<B>("B", a), to<C>("C", a), to<D>("D", a), to<V1>("V1", a), to<V2>("V2", a), to<W>("W", a), to<X>("X", a), to<P>("P", a);
  to<Q>("Q", a), to<Deep>("Deep", a), to<Unrelated>("Unrelated", a), to<Mixed>("Mixed", a);
  std::printf("\n");
}

namespace space { template <class T, int N> struct pair_of { struct inner {}; }; enum class color { red }; }

int main() {
  A a; B b; C c; D d; W w; X x; P p; Q q; Deep deep; Mixed m;
  all("A", &a), all("B", &b), all("C", &c), all("D by B", static_cast<B *>(&d)), all("D by C", static_cast<C *>(&d)), all("W", &w);
  all("X by W", static_cast<W *>(&x)), all("X by B", static_cast<B *>(&x)), all("P", p.mine()), all("Q by P", q.mine()), all("Q by C", static_cast<C *>(&q));
  all("Deep by V2", static_cast<V2 *>(&deep)), all("Mixed by V2", static_cast<V2 *>(&m));
  Unrelated *u = &m;
  std::printf("%d %d %d\n", dynamic_cast<V1 *>(u) != nullptr, dynamic_cast<V2 *>(u) != nullptr, dynamic_cast<A *>(u) != nullptr);
  std::printf("%s %s %s %s %s %s\n", typeid(int).name(), typeid(const char *).name(), typeid(int (*)(double)).name(), typeid(int A::*).name(), typeid(int[3]).name(), typeid(decltype(nullptr)).name());
  std::printf("%s %s\n", typeid(space::pair_of<A *, 3>::inner).name(), typeid(space::color).name());
  std::map<std::type_index, int> index{{typeid(long), 1}, {typeid(A), 2}};
  std::printf("%d %d %d %d\n", index[typeid(long)], index[typeid(A)], typeid(A) == typeid(a), typeid(A).before(typeid(B)));
}

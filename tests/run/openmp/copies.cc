// A private copy of an object, which may point to what the others' copies point to.
#include "openmp.h"
struct counter {
  int own = 0, *to;
  counter() : to(&own) {}
#ifdef RACY
  counter(const counter &other) : to(other.to) {}
#else
  counter(const counter &) : to(&own) {}
#endif
  void add() { ++*to; /* race */ }
};
int main() {
  counter c;
#pragma omp parallel num_threads(4) firstprivate(c)
  for (int i = 0; i < 10; i++) c.add();
  return c.own < 0;
}

/* flags: -fopenmp
 * unexplained: 20
 * predicts: data-race 3
 * What OpenMP orders, and nothing else: what is done to racy, late and loose are races. */
#include <assert.h>
#include <omp.h>
enum { N = 20 };
int loose;
static int racy, late, parts[N], sum, in_critical, in_order, once, chained, made, locked;
static omp_lock_t lock;
static void region(void) {
#pragma omp parallel num_threads(2)
  {
    racy++;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++) parts[i] = i;
#pragma omp for schedule(static) reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += parts[N - 1 - i];
    late++;
#pragma omp critical
    in_critical++;
#pragma omp single
    once++;
#pragma omp for ordered
    for (int i = 0; i < N; i++)
#pragma omp ordered
      in_order += once;
    omp_set_lock(&lock);
    locked++;
    omp_unset_lock(&lock);
  }
}
static void tasks(void) {
  int first = 1, second = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : chained) shared(first)
    chained = first;
#pragma omp task depend(inout : chained) shared(second)
    second = ++chained;
#pragma omp task
    made++;
#pragma omp taskwait
    made++;
    assert(second == 2);
  }
}
static void nested(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    loose = 1;
#pragma omp section
    loose = 2;
  }
}
int main(void) {
  omp_set_dynamic(0);
  omp_init_lock(&lock);
  region();
  tasks();
  nested();
  omp_destroy_lock(&lock);
  assert(sum == N * (N - 1) / 2 && in_critical == 2 && in_order == N && made == 2 && chained == 2 && locked == 2);
  return 0;
}

/* A service behind a socket, with a mistake of each kind. The machine has no sockets, so all of it is confirmed natively.
 * confirms: data-race 1 deadlock 1 use-after-free 1 atomicity-violation 1 null-dereference 1 lost-wakeup 1
 * machine: socketpair is not supported */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct session {
  int requests, user;
};
typedef void *work(void *);

static int ends[2];
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER, journal = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
int served, entries, balance, *buffer;
struct session *newest;

/* A request goes over the socket, and comes back. */
static void talk(void) {
  char c = 'r';
  if (write(ends[0], &c, 1) != 1 || read(ends[1], &c, 1) != 1 || c != 'r') _exit(9);
}
static void later(void) { usleep(20000); }

static void *serve(void *unused) {
  talk();
  served++;
  return unused;
}
static void *report(void *unused) {
  later();
  talk();
  return served > 1 ? &served : unused;
}

static void *append(void *unused) {
  pthread_mutex_lock(&table);
  talk();
  pthread_mutex_lock(&journal);
  entries++;
  pthread_mutex_unlock(&journal);
  pthread_mutex_unlock(&table);
  return unused;
}
static void *rotate(void *unused) {
  later();
  pthread_mutex_lock(&journal);
  talk();
  pthread_mutex_lock(&table);
  entries = 0;
  pthread_mutex_unlock(&table);
  pthread_mutex_unlock(&journal);
  return unused;
}

static void *fill(void *unused) {
  talk();
  pthread_mutex_lock(&table);
  buffer[1]++;
  pthread_mutex_unlock(&table);
  return unused;
}
static void *close_down(void *unused) {
  later();
  talk();
  pthread_mutex_lock(&table);
  free(buffer);
  pthread_mutex_unlock(&table);
  return unused;
}

static void *deposit(void *unused) {
  talk();
  pthread_mutex_lock(&table);
  int was = __atomic_load_n(&balance, __ATOMIC_RELAXED);
  __atomic_store_n(&balance, was + 1, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&table);
  return unused;
}
static void *reset(void *unused) {
  later();
  talk();
  __atomic_store_n(&balance, 0, __ATOMIC_RELAXED);
  return unused;
}

static void *enter(void *unused) {
  struct session *s = calloc(1, sizeof *s);
  talk();
  pthread_mutex_lock(&table);
  newest = s;
  pthread_mutex_unlock(&table);
  return unused;
}
static void *greet(void *unused) {
  later();
  talk();
  pthread_mutex_lock(&table);
  struct session *s = newest;
  pthread_mutex_unlock(&table);
  s->user = 8;
  return unused;
}

static void *await(void *unused) {
  pthread_mutex_lock(&table);
  pthread_cond_wait(&arrived, &table);
  pthread_mutex_unlock(&table);
  return unused;
}
static void *arrive(void *unused) {
  usleep(50000);
  talk();
  pthread_mutex_lock(&table);
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&table);
  return unused;
}

static void together(work *one, work *other) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

int main(void) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 9;
  buffer = calloc(16, sizeof *buffer);
  together(serve, report);
  together(append, rotate);
  together(fill, close_down);
  together(deposit, reset);
  together(enter, greet);
  together(await, arrive);
  free(newest);
  return 0;
}

/* Threads that talk by a socket, and count what they sent and received without a lock.
 * confirms: data-race 1 */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], statistics;

static void *server(void *unused) {
  char c;
  while (read(ends[1], &c, 1) == 1 && c != 'q') {
    c++;
    if (write(ends[1], &c, 1) != 1) break;
  }
  statistics++;
  return unused;
}
static void *client(void *unused) {
  for (char c = 'a'; c < 'd'; c++) {
    char answer = 0;
    if (write(ends[0], &c, 1) != 1 || read(ends[0], &answer, 1) != 1 || answer != c + 1) _exit(9);
  }
  if (write(ends[0], "q", 1) != 1) _exit(9);
  statistics += 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 9;
  pthread_create(&a, NULL, server, NULL);
  pthread_create(&b, NULL, client, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}

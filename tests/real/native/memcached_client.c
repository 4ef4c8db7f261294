/* Asks a memcached at a port of this host to do what it usually does: usage: memcached_client PORT CONNECTIONS REQUESTS, with a thread for
 * each connection. Ends with 1 if an answer is not what the protocol says. */
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { KEYS = 500, LONGEST = 3000 };
static int port, requests;

static void expect(bool fine, const char *answer) {
  if (fine) return;
  fprintf(stderr, "memcached_client: answer: %s\n", answer);
  exit(1);
}

/* A connection: each direction is a stream. */
struct peer {
  FILE *in, *out;
};

static const char *line(struct peer *p) {
  fflush(p->out);
  static _Thread_local char l[1024];
  if (!fgets(l, sizeof l, p->in)) expect(false, "none");
  return l;
}
static bool starts(const char *l, const char *with) { return strncmp(l, with, strlen(with)) == 0; }

static void set(struct peer *p, unsigned key, unsigned length) {
  char value[LONGEST];
  memset(value, 'a' + (int)(key % 26), length);
  fprintf(p->out, "set key%u 0 0 %u\r\n", key, length);
  fwrite(value, 1, length, p->out);
  fprintf(p->out, "\r\n");
  const char *l = line(p);
  expect(starts(l, "STORED") || starts(l, "SERVER_ERROR out of memory"), l);
}

static void get(struct peer *p, unsigned key) {
  char value[LONGEST + 2];
  unsigned length;
  fprintf(p->out, "get key%u\r\n", key);
  const char *l = line(p);
  if (starts(l, "END")) return;
  expect(sscanf(l, "VALUE key%*u 0 %u", &length) == 1 && length < LONGEST, l);
  expect(fread(value, 1, length + 2, p->in) == length + 2, "a value that is too short");
  for (unsigned i = 0; i < length; i++) expect(value[i] == 'a' + (char)(key % 26), "another key's value");
  l = line(p);
  expect(starts(l, "END"), l);
}

static void statistics(struct peer *p) {
  fprintf(p->out, "stats\r\n");
  while (!starts(line(p), "END")) continue;
}

static void *client(void *number) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int s = socket(AF_INET, SOCK_STREAM, 0);
  if (s < 0 || connect(s, (struct sockaddr *)&to, sizeof to) != 0) perror("memcached_client"), exit(1);
  struct peer peer = {fdopen(s, "r"), fdopen(dup(s), "w")}, *p = &peer;
  unsigned seed = (unsigned)(uintptr_t)number;
  for (int i = 0; i < requests; i++) {
    unsigned key = (unsigned)rand_r(&seed) % KEYS, what = (unsigned)rand_r(&seed) % 12;
    if (what < 5)
      set(p, key, (unsigned)rand_r(&seed) % LONGEST);
    else if (what < 10)
      get(p, key);
    else
      fprintf(p->out, what == 10 ? "delete key%u\r\n" : "touch key%u 100\r\n", key), line(p);
    if (i % 200 == 0) statistics(p);
  }
  fclose(p->in), fclose(p->out);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: memcached_client PORT CONNECTIONS REQUESTS\n"), 2;
  port = atoi(argv[1]), requests = atoi(argv[3]);
  int n = atoi(argv[2]);
  pthread_t threads[n];
  for (int i = 0; i < n; i++) pthread_create(&threads[i], NULL, client, (void *)(uintptr_t)(i + 1));
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
  return 0;
}

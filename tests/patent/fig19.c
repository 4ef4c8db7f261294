/* property: fig19.property
 * found: UnsafeDatabaseAccess
 * FIG. 19 (a client of H2): one thread creates and deletes the table, another one updates it; nothing but time keeps them in order. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
struct connection {
  pthread_mutex_t lock;
  int statements;
};
static struct connection *get_connection(void) {
  struct connection *c = calloc(1, sizeof *c);
  pthread_mutex_init(&c->lock, 0);
  return c;
}
static void count(struct connection *c) {
  pthread_mutex_lock(&c->lock);
  c->statements++;
  pthread_mutex_unlock(&c->lock);
}
static struct connection *connection;
static void create_table(struct connection *c, long table) { (void)table, count(c); }
static void delete_table(struct connection *c, long table) { (void)table, count(c); }
static void execute_update(long table, long row) { (void)table, (void)row, count(connection); }
static void close_connection(struct connection *c) { count(c); }
static void *client(void *argument) {
  usleep(200 * 1000);
  execute_update(7, 1);
  return argument;
}
int main(void) {
  pthread_t t;
  connection = get_connection();
  pthread_create(&t, 0, client, 0);
  create_table(connection, 7);
  usleep(400 * 1000);
  delete_table(connection, 7);
  pthread_join(t, 0);
  close_connection(connection);
  free(connection);
}

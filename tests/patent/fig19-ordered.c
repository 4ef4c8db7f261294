/* property: fig19.property
 * found:
 * FIG. 19, where the thread that updates the table is started when there is one, and has ended before that goes. */
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
  execute_update(7, 1);
  return argument;
}
int main(void) {
  pthread_t t;
  connection = get_connection();
  create_table(connection, 7);
  pthread_create(&t, 0, client, 0);
  pthread_join(t, 0);
  delete_table(connection, 7);
  close_connection(connection);
  free(connection);
}

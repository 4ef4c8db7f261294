/* Closes descriptors that it does not know, and has another file at their numbers. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *count(void *argument) {
  for (int i = 0; i < 100000; i++) {
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
  }
  return argument;
}
int main(void) {
  pthread_t t;
  int own = open("own", O_RDWR | O_CREAT | O_TRUNC, 0666);
  for (int i = own + 1; i < 4096; i++) close(i);
  for (int i = 900; i < 1020; i++) dup2(own, i);
  pthread_create(&t, NULL, count, NULL);
  count(NULL);
  pthread_join(t, NULL);
  return !(x == 200000 && lseek(own, 0, SEEK_END) == 0);
}

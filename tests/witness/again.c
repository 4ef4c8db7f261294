/* Nothing is wrong here. Memory is freed and handed out again at the same address: a pointer to the second block is not one to the first, and
 * a lock or a semaphore in it is another one, though all of them are the same number. */
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Whoever takes the block out under the lock has it alone. Another one is put in later. */
struct node {
  int value;
  char more[2000];
};
struct node *head;
int sum;

static void *reads_it(void *unused) {
  pthread_mutex_lock(&lock);
  if (head) sum += head->value;
  pthread_mutex_unlock(&lock);
  return unused;
}
static void *takes_it(void *unused) {
  usleep(5000);
  pthread_mutex_lock(&lock);
  struct node *old = head;
  head = NULL;
  pthread_mutex_unlock(&lock);
  if (old) old->value = -1;
  free(old);
  return unused;
}
static void pointers(void) {
  pthread_t reader, taker;
  head = malloc(sizeof *head);
  head->value = 1;
  pthread_create(&reader, NULL, reads_it, NULL);
  pthread_create(&taker, NULL, takes_it, NULL);
  usleep(20000);
  struct node *other = malloc(sizeof *other);
  other->value = 2;
  pthread_mutex_lock(&lock);
  struct node *old = head;
  head = other;
  pthread_mutex_unlock(&lock);
  free(old);
  pthread_join(reader, NULL);
  pthread_join(taker, NULL);
  free(head);
}

/* Each thread has a lock of its own, which it takes before the common one, or behind it. */
struct own {
  pthread_mutex_t lock;
  char more[3000];
};
int counted;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  counted++;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}
static void *has_a_lock(void *later) {
  if (later) usleep(20000);
  struct own *own = malloc(sizeof *own);
  pthread_mutex_init(&own->lock, NULL);
  if (later)
    both(&lock, &own->lock);
  else
    both(&own->lock, &lock);
  pthread_mutex_destroy(&own->lock);
  free(own);
  return NULL;
}
static void locks(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, has_a_lock, NULL);
  pthread_create(&two, NULL, has_a_lock, &two);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}

/* Each request has a semaphore, on the stack of who waits. The second one's stack is where the first one's was. */
struct request {
  sem_t done;
  int result;
};
struct request *requests[2];
int results[2];

static void *answers(void *place) {
  long i = (struct request **)place - requests;
  struct request *request = NULL;
  while (!request) {
    pthread_mutex_lock(&lock);
    request = requests[i];
    pthread_mutex_unlock(&lock);
    if (!request) usleep(3000);
  }
  request->result = 3;
  sem_post(&request->done);
  return NULL;
}
static void *asks(void *place) {
  long i = (struct request **)place - requests;
  struct request request;
  sem_init(&request.done, 0, 0);
  pthread_mutex_lock(&lock);
  requests[i] = &request;
  pthread_mutex_unlock(&lock);
  sem_wait(&request.done);
  results[i] = request.result;
  sem_destroy(&request.done);
  return NULL;
}
static void semaphores(void) {
  pthread_t workers[2], clients[2];
  for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, answers, &requests[i]);
  pthread_create(&clients[0], NULL, asks, &requests[0]);
  pthread_detach(clients[0]);
  usleep(30000);
  pthread_create(&clients[1], NULL, asks, &requests[1]);
  pthread_join(clients[1], NULL);
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
}

int main(void) {
  mallopt(M_ARENA_MAX, 1);
  pointers();
  locks();
  semaphores();
  return 0;
}

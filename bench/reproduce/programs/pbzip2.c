/* A parallel compressor in the shape of pbzip2 0.9.4: main puts blocks into a queue, consumers compress them, and a writer collects the
 * results in their order.
 *
 * The bug: main waits for the writer only, which has all blocks when the last one is compressed, and then destroys the queue. A consumer
 * may not have seen the end yet: the mutex that it locks is NULL, or freed.
 *
 * Natively: pbzip2 [BLOCKS] crashes in many runs with 2 blocks, or hangs at a mutex that was freed, since a consumer that is woken comes
 * back to the mutex late. */
#include <pthread.h>
#include <stdlib.h>

enum { CONSUMERS = 2, BLOCK = 64, SLOTS = 4, MOST = 256 };

struct queue {
  int slots[SLOTS];
  int first, count, done; /* done: nothing more will be put */
  pthread_mutex_t *lock;
  pthread_cond_t *filled, *room;
};

static int blocks = 2;
static struct queue *fifo;
static unsigned char data[MOST][BLOCK], packed[MOST][2 * BLOCK];
static int sizes[MOST]; /* of packed blocks; 0: not there yet */
static pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t output = PTHREAD_COND_INITIALIZER;

static struct queue *queue_new(void) {
  struct queue *q = calloc(1, sizeof *q);
  q->lock = malloc(sizeof *q->lock), pthread_mutex_init(q->lock, 0);
  q->filled = malloc(sizeof *q->filled), pthread_cond_init(q->filled, 0);
  q->room = malloc(sizeof *q->room), pthread_cond_init(q->room, 0);
  return q;
}

static void queue_delete(struct queue *q) {
  pthread_mutex_destroy(q->lock), free(q->lock);
  q->lock = NULL;
  free(q->filled), free(q->room);
  q->filled = q->room = NULL;
}

static void produce(void) {
  for (int i = 0; i < blocks; i++) {
    pthread_mutex_lock(fifo->lock);
    while (fifo->count == SLOTS) pthread_cond_wait(fifo->room, fifo->lock);
    fifo->slots[(fifo->first + fifo->count++) % SLOTS] = i;
    pthread_cond_signal(fifo->filled);
    pthread_mutex_unlock(fifo->lock);
  }
  pthread_mutex_lock(fifo->lock);
  fifo->done = 1;
  pthread_cond_broadcast(fifo->filled);
  pthread_mutex_unlock(fifo->lock);
}

/* Runs of equal bytes: how many, and which. */
static int compress_block(const unsigned char *from, unsigned char *to) {
  int size = 0;
  for (int i = 0, next; i < BLOCK; i = next) {
    for (next = i + 1; next < BLOCK && from[next] == from[i];) next++;
    to[size++] = (unsigned char)(next - i), to[size++] = from[i];
  }
  return size;
}

static void *consume(void *unused) {
  for (;;) {
    pthread_mutex_lock(fifo->lock);
    while (fifo->count == 0 && !fifo->done) pthread_cond_wait(fifo->filled, fifo->lock);
    int block = fifo->count > 0 ? fifo->slots[fifo->first] : -1;
    if (block >= 0) fifo->first = (fifo->first + 1) % SLOTS, fifo->count--, pthread_cond_signal(fifo->room);
    pthread_mutex_unlock(fifo->lock);
    if (block < 0) return unused;
    int size = compress_block(data[block], packed[block]);
    pthread_mutex_lock(&output_lock);
    sizes[block] = size;
    pthread_cond_signal(&output);
    pthread_mutex_unlock(&output_lock);
  }
}

static void *write_output(void *total) {
  for (int i = 0; i < blocks; i++) {
    pthread_mutex_lock(&output_lock);
    while (sizes[i] == 0) pthread_cond_wait(&output, &output_lock);
    *(int *)total += sizes[i];
    pthread_mutex_unlock(&output_lock);
  }
  return total;
}

int main(int argc, char **argv) {
  pthread_t consumer[CONSUMERS], writer;
  int total = 0;
  if (argc > 1) blocks = atoi(argv[1]);
  if (blocks > MOST) blocks = MOST;
  for (int i = 0; i < blocks; i++)
    for (int k = 0; k < BLOCK; k++) data[i][k] = (unsigned char)(k * (i + 3) / 16);
  fifo = queue_new();
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&consumer[i], 0, consume, 0);
  pthread_create(&writer, 0, write_output, &total);
  produce();
  pthread_join(writer, 0);
  queue_delete(fifo);
  for (int i = 0; i < CONSUMERS; i++) pthread_join(consumer[i], 0);
  free(fifo);
  return total == 0;
}

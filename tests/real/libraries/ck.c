/* What is made of Concurrency Kit that is all in its headers, by two threads: -DT_STACK and so on says what. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <ck_stack.h>
#include <ck_fifo.h>
#include <ck_ring.h>
#include <ck_spinlock.h>
#include <ck_rwlock.h>
#include <ck_pflock.h>
#include <ck_tflock.h>
#include <ck_swlock.h>
#include <ck_bytelock.h>
#include <ck_brlock.h>
#include <ck_sequence.h>

#define LOCKED_COUNT(LOCK, UNLOCK, ROUNDS)                                                                                                 \
  for (int i = 0; i < ROUNDS; i++) {                                                                                                       \
    LOCK;                                                                                                                                  \
    counter++;                                                                                                                             \
    UNLOCK;                                                                                                                                \
  }
static int counter;
#ifndef ROUNDS
#define ROUNDS 1
#endif

#if defined T_STACK
static ck_stack_t stack = CK_STACK_INITIALIZER;
static struct entry {
  int value;
  ck_stack_entry_t next;
} entries[4];
CK_STACK_CONTAINER(struct entry, next, entry_of)
static void work(int id) {
  entries[2 * id].value = 1 + id;
  ck_stack_push_upmc(&stack, &entries[2 * id].next);
  ck_stack_entry_t *e = ck_stack_pop_upmc(&stack);
  assert(e);
  __atomic_fetch_add(&counter, entry_of(e)->value, __ATOMIC_SEQ_CST);
}
static void end(void) { assert(counter == 3 && CK_STACK_ISEMPTY(&stack)); }
#elif defined T_FIFO
static ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t stub __attribute__((aligned(16))), cells[2] __attribute__((aligned(16)));
static int values[2] = {1, 2};
__attribute__((constructor)) static void init(void) { ck_fifo_mpmc_init(&fifo, &stub); }
static void work(int id) {
  ck_fifo_mpmc_entry_t *garbage;
  void *value;
  ck_fifo_mpmc_enqueue(&fifo, &cells[id], &values[id]);
  if (ck_fifo_mpmc_dequeue(&fifo, &value, &garbage))
    __atomic_fetch_add(&counter, *(int *)value, __ATOMIC_SEQ_CST);
}
static void end(void) {
  ck_fifo_mpmc_entry_t *garbage;
  void *value;
  while (ck_fifo_mpmc_dequeue(&fifo, &value, &garbage))
    counter += *(int *)value;
  assert(counter == 3);
}
#elif defined T_MPMC
static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int values[2] = {1, 2};
__attribute__((constructor)) static void init(void) { ck_ring_init(&ring, 4); }
static void work(int id) {
  void *value;
  assert(ck_ring_enqueue_mpmc(&ring, buffer, &values[id]));
  if (ck_ring_trydequeue_mpmc(&ring, buffer, &value))
    __atomic_fetch_add(&counter, *(int *)value, __ATOMIC_SEQ_CST);
}
static void end(void) {
  void *value;
  while (ck_ring_dequeue_mpmc(&ring, buffer, &value))
    counter += *(int *)value;
  assert(counter == 3);
}
#elif defined T_FAS
static ck_spinlock_fas_t lock = CK_SPINLOCK_FAS_INITIALIZER;
static void work(int id) {
  (void)id;
  LOCKED_COUNT(ck_spinlock_fas_lock(&lock), ck_spinlock_fas_unlock(&lock), ROUNDS)
}
static void end(void) { assert(counter == 2 * ROUNDS); }
#elif defined T_CAS
static ck_spinlock_cas_t lock = CK_SPINLOCK_CAS_INITIALIZER;
static void work(int id) {
  (void)id;
  LOCKED_COUNT(ck_spinlock_cas_lock(&lock), ck_spinlock_cas_unlock(&lock), ROUNDS)
}
static void end(void) { assert(counter == 2 * ROUNDS); }
#elif defined T_DEC
static ck_spinlock_dec_t lock = CK_SPINLOCK_DEC_INITIALIZER;
static void work(int id) {
  (void)id;
  LOCKED_COUNT(ck_spinlock_dec_lock(&lock), ck_spinlock_dec_unlock(&lock), ROUNDS)
}
static void end(void) { assert(counter == 2 * ROUNDS); }
#elif defined T_TICKET
static ck_spinlock_ticket_t lock = CK_SPINLOCK_TICKET_INITIALIZER;
static void work(int id) {
  (void)id;
  LOCKED_COUNT(ck_spinlock_ticket_lock(&lock), ck_spinlock_ticket_unlock(&lock), ROUNDS)
}
static void end(void) { assert(counter == 2 * ROUNDS); }
#elif defined T_MCS
static ck_spinlock_mcs_t lock = CK_SPINLOCK_MCS_INITIALIZER;
static void work(int id) {
  (void)id;
  ck_spinlock_mcs_context_t node;
  LOCKED_COUNT(ck_spinlock_mcs_lock(&lock, &node), ck_spinlock_mcs_unlock(&lock, &node), ROUNDS)
}
static void end(void) { assert(counter == 2 * ROUNDS); }
#elif defined T_CLH
static ck_spinlock_clh_t first, cells[2], *lock = &first;
__attribute__((constructor)) static void init(void) { ck_spinlock_clh_init(&lock, &first); }
static void work(int id) {
  ck_spinlock_clh_t *node = &cells[id];
  LOCKED_COUNT(ck_spinlock_clh_lock(&lock, node), ck_spinlock_clh_unlock(&node), ROUNDS)
}
static void end(void) { assert(counter == 2 * ROUNDS); }
#elif defined T_ANDERSON
static ck_spinlock_anderson_thread_t slots[2];
static ck_spinlock_anderson_t lock;
__attribute__((constructor)) static void init(void) { ck_spinlock_anderson_init(&lock, slots, 2); }
static void work(int id) {
  (void)id;
  ck_spinlock_anderson_thread_t *slot;
  LOCKED_COUNT(ck_spinlock_anderson_lock(&lock, &slot), ck_spinlock_anderson_unlock(&lock, slot), ROUNDS)
}
static void end(void) { assert(counter == 2 * ROUNDS); }
#elif defined T_RWLOCK || defined T_PFLOCK || defined T_TFLOCK || defined T_SWLOCK
#if defined T_RWLOCK
#define RW(x) ck_rwlock_##x
static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;
#elif defined T_PFLOCK
#define RW(x) ck_pflock_##x
static ck_pflock_t lock = CK_PFLOCK_INITIALIZER;
#elif defined T_TFLOCK
#define RW(x) ck_tflock_ticket_##x
static ck_tflock_ticket_t lock = CK_TFLOCK_TICKET_INITIALIZER;
#else
#define RW(x) ck_swlock_##x
static ck_swlock_t lock = CK_SWLOCK_INITIALIZER;
#endif
static int a, b;
static void work(int id) {
  if (id == 0) {
    RW(write_lock)(&lock);
    a++, b++;
    RW(write_unlock)(&lock);
  } else {
    RW(read_lock)(&lock);
    assert(a == b);
    RW(read_unlock)(&lock);
  }
}
static void end(void) { assert(a == 1 && b == 1); }
#elif defined T_BRLOCK
static ck_brlock_t lock = CK_BRLOCK_INITIALIZER;
static ck_brlock_reader_t reader = CK_BRLOCK_READER_INITIALIZER;
static int a, b;
static void work(int id) {
  if (id == 0) {
    ck_brlock_write_lock(&lock);
    a++, b++;
    ck_brlock_write_unlock(&lock);
  } else {
    ck_brlock_read_register(&lock, &reader);
    ck_brlock_read_lock(&lock, &reader);
    assert(a == b);
    ck_brlock_read_unlock(&reader);
    ck_brlock_read_unregister(&lock, &reader);
  }
}
static void end(void) { assert(a == 1 && b == 1); }
#elif defined T_BYTELOCK
static ck_bytelock_t lock = CK_BYTELOCK_INITIALIZER;
static int a, b;
static void work(int id) {
  if (id == 0) {
    ck_bytelock_write_lock(&lock, 1);
    a++, b++;
    ck_bytelock_write_unlock(&lock);
  } else {
    ck_bytelock_read_lock(&lock, 2);
    assert(a == b);
    ck_bytelock_read_unlock(&lock, 2);
  }
}
static void end(void) { assert(a == 1 && b == 1); }
#elif defined T_SEQUENCE
static ck_sequence_t seq = CK_SEQUENCE_INITIALIZER;
static int a, b;
static void work(int id) {
  if (id == 0) {
    ck_sequence_write_begin(&seq);
    ck_pr_store_int(&a, 1);
    ck_pr_store_int(&b, 1);
    ck_sequence_write_end(&seq);
  } else {
    unsigned v;
    int x, y;
    do {
      v = ck_sequence_read_begin(&seq);
      x = ck_pr_load_int(&a), y = ck_pr_load_int(&b);
    } while (ck_sequence_read_retry(&seq, v));
    assert(x == y);
  }
}
static void end(void) {}
#endif
static void *thread(void *a) {
  work(1);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  work(0);
  pthread_join(t, 0);
  end();
}

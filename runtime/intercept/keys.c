#include "intercept/keys.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <threads.h>

#include "intercept/intercept.h"

enum { NONE = PTHREAD_KEYS_MAX };
static pthread_key_t own = NONE; /* its value is not NULL in threads that are to come to at_end() */

static void (*thread_over)(void *);
static void (*destructors[PTHREAD_KEYS_MAX])(void *); /* of the program's keys */
static bool lent;                                     /* the runtime's key is one of them, too: */
static uint32_t lendings;                             /* for the so manieth time */

static __thread __attribute__((tls_model("initial-exec"))) struct {
  void *over;       /* what thread_over() is called with; NULL if it is not to be */
  unsigned rounds;  /* of destructors, so far */
  void *value;      /* of the lent key, */
  uint32_t lending; /* if it is this one still */
} mine;

static void *lent_value(void) { return lent && mine.lending == lendings ? mine.value : NULL; }

static void destroy_lent(void) {
  void *value = lent_value();
  mine.value = NULL;
  if (value && destructors[own]) destructors[own](value);
}

/* The last round is under way, in which the C library comes to the keys in the order of their numbers: to those behind ours next. They are
 * done here, as it does it, so that none comes behind the end. */
static void destroy_rest(void) {
  for (pthread_key_t k = own + 1; k < PTHREAD_KEYS_MAX; k++) {
    void (*destructor)(void *) = __atomic_load_n(&destructors[k], __ATOMIC_RELAXED);
    void *value = destructor ? NEXT(pthread_getspecific)(k) : NULL;
    if (!value) continue;
    NEXT(pthread_setspecific)(k, NULL);
    destructor(value);
  }
}

/* Destructors may set values again, which others have to destroy. There is an end to that, which is ours. */
static void at_end(void *unused) {
  if (mine.rounds++ == 0) cancelled_resumes();
  destroy_lent();
  if (mine.rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    NEXT(pthread_setspecific)(own, unused);
    return;
  }
  destroy_rest();
  mine.rounds = 0;
  void *over = mine.over;
  mine.over = NULL;
  if (over) thread_over(over);
}

bool keys_start(void (*over)(void *)) {
  thread_over = over;
  return NEXT(pthread_key_create)(&own, at_end) == 0;
}

void keys_end_with(void *data) {
  mine.over = data;
  NEXT(pthread_setspecific)(own, &mine);
}

/* --- the program's --- */

static bool lend(void) {
  if (own == NONE || __atomic_exchange_n(&lent, true, __ATOMIC_ACQ_REL)) return false;
  lendings++;
  return true;
}

static int create(pthread_key_t *key, void (*destructor)(void *), uintptr_t pc) {
  int e = NEXT(pthread_key_create)(key, destructor);
  if (e == EAGAIN && lend()) *key = own, e = 0;
  if (e != 0) return e;
  __atomic_store_n(&destructors[*key], destructor, __ATOMIC_RELAXED);
  touches(watched(), key, sizeof *key, SITE_WRITE, pc);
  return 0;
}
PUBLIC int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) { return create(key, destructor, CALLER); }

PUBLIC int pthread_key_delete(pthread_key_t key) {
  if (key < NONE) __atomic_store_n(&destructors[key], NULL, __ATOMIC_RELAXED);
  if (key != own) return NEXT(pthread_key_delete)(key);
  return __atomic_exchange_n(&lent, false, __ATOMIC_ACQ_REL) ? 0 : EINVAL;
}

PUBLIC int pthread_setspecific(pthread_key_t key, const void *value) {
  if (LIKELY(key != own)) return NEXT(pthread_setspecific)(key, value);
  if (!lent) return EINVAL;
  mine.value = (void *)(uintptr_t)value, mine.lending = lendings;
  return NEXT(pthread_setspecific)(own, &mine);
}

PUBLIC void *pthread_getspecific(pthread_key_t key) { return LIKELY(key != own) ? NEXT(pthread_getspecific)(key) : lent_value(); }

PUBLIC int tss_create(tss_t *key, tss_dtor_t destructor) {
  int e = create(key, destructor, CALLER);
  return e == 0 ? thrd_success : e == ENOMEM ? thrd_nomem : thrd_error;
}
PUBLIC void tss_delete(tss_t key) { pthread_key_delete(key); }
PUBLIC int tss_set(tss_t key, void *value) {
  int e = pthread_setspecific(key, value);
  return e == 0 ? thrd_success : e == ENOMEM ? thrd_nomem : thrd_error;
}
PUBLIC void *tss_get(tss_t key) { return pthread_getspecific(key); }

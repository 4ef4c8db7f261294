/* Of a library that nobody records (kept.c). */
#pragma once
#include <stdbool.h>

/* A lock made of a word. */
bool spin_try(int *lock);
void spin_take(int *lock);
void spin_give(int *lock);
/* What waits for a gate goes on when it was opened: one of 256 bytes, zeroed, and the library's own. */
void gate_wait(void *gate);
void gate_open(void *gate);
void own_wait(void);
void own_open(void);
void flag_wait(int *flag);
/* The same, of nothing that the library is given, and without pthread functions. */
void post(void);
void wait_post(void);
/* A thread of the library's, which calls the function that is given next. */
void begin_work(void);
void give(void (*f)(void));
void end_work(void);

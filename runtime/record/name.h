/* Names of threads by who created them: the main thread is "0", its second child "0.2". */
#pragma once
#include "thread.h"

/* Before the first of them. */
void names_start(void);
/* In a child of fork() the thread of that number is the first one. */
void names_begin_anew(uint32_t number);
/* "" if it has none. */
const char *name_of(uint32_t number);
/* The child that `parent` is about to create. NULL: nobody is seen to have created it; it is the main thread's, or that one itself. */
void name_child(const struct thread_info *parent, const struct thread_info *child);

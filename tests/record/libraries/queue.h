/* A queue of one job with a thread of its own, which calls helper() of the program. */
void queue_begin(void);
void queue_give(void);
void queue_wait(void);
void queue_end(void);
void helper(int);

/* The program's own lock of a stream. */
#include "stream.h"

extern const char __hd_has_flockfile;
const char __hd_has_flockfile = 1;

void flockfile(FILE *f) { pthread_mutex_lock(&hd_file(f)->lock); }
void funlockfile(FILE *f) { pthread_mutex_unlock(&hd_file(f)->lock); }
int ftrylockfile(FILE *f) { return pthread_mutex_trylock(&hd_file(f)->lock); }

/* A library for library.c. */
static int lib_counter;
void lib_bump(void);
void lib_bump(void) { lib_counter++; }

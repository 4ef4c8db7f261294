/* Code that is there for a moment. */
void add(int *p);
void add(int *p) { *p = 2; }

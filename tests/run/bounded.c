/* finds: nothing. analysis: ovp. What is seen only if all critical sections are kept: older ones of the lock count as one. */
#include "unbounded.c"

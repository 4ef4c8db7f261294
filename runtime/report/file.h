/* The files that reports need: what is mapped, and the program and its libraries. A program may make it impossible to open them, by another
 * root or another user. One thread at a time. */
#pragma once

/* To be read; a negative number, and errno, if it cannot be. */
int file_open(const char *path);
/* All those that there are now will still be opened, whatever the program does now, unless it closes their descriptors. */
void files_keep(void);

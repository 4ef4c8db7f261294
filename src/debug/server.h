/* A server of gdb's remote protocol for an execution of the machine: gdb debugs it as it debugs a program, forwards and backwards.
 *
 * Source: "Debugging with GDB", appendix "GDB Remote Serial Protocol". Of its packets these are known: ? c s vCont bc bs g p m Z z (0 to 2)
 * T H D k qSupported qXfer:features:read qfThreadInfo qThreadExtraInfo qC qAttached qRcmd QStartNoAckMode. Nothing can be changed: neither
 * memory nor registers, and the program's functions cannot be called. */
#pragma once
#include "base/err.h"

struct image;
struct machine;
struct report_finding;

struct debug_server;

/* Runs the finding's schedule and learns its course. `debug_file` is that of the image (program/lower/data/debug_file.h). The arguments
 * outlive the server. ERR_DIVERGED if the schedule does not fit the program. */
[[nodiscard]] enum err debug_server_new(struct debug_server **server, struct machine *m, const struct image *image,
                                        const struct report_finding *finding, const char *debug_file, struct diag *d);
/* Serves the debugger at this descriptor until it has gone. Once. */
void debug_server_run(struct debug_server *server, int fd);
void debug_server_free(struct debug_server *server);
